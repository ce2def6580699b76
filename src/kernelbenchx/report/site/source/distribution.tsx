/** How speedups are spread: the middle half, nine tenths and the median of each method. */
import * as Plot from "@observablehq/plot";
import { beside } from "./beside";
import type { Table } from "./data";
import { records } from "./data";
import { Figure } from "./figure";
import { counted, logTicks, ratio } from "./formats";
import { logX, roomy, times } from "./log_axis";
import type { Row } from "./rows";

interface Props {
  table: Table;
  colour: (name: string) => string;
  baseline: string;
}

interface Box {
  name: string;
  q5: number;
  q25: number;
  q50: number;
  q75: number;
  q95: number;
  said: string;
}

function box(row: Row): Box {
  const [q5, q25, q50, q75, q95] = ["q5", "q25", "q50", "q75", "q95"].map((key) => Number(row[key])) as [number, number, number, number, number];
  const name = String(row.method);
  const said = `${name}: median ${ratio(q50)}, middle half ${ratio(q25)} to ${ratio(q75)}, nine tenths ${ratio(q5)} to ${ratio(q95)}, n = ${counted(Number(row.kernels), "kernel")}`;
  return { name, q5, q25, q50, q75, q95, said };
}

export function DistributionFigure({ table, colour, baseline }: Props) {
  const boxes = records(table).map(box);
  if (!boxes.length) return null;
  const fill = (one: Box) => colour(one.name);
  const draw = (width: number) => {
    const { left, height, axis: names } = beside(boxes.map((one) => one.name), width);
    const domain = roomy(Math.min(1, ...boxes.map((one) => one.q5)), Math.max(1, ...boxes.map((one) => one.q95)));
    const ticks = logTicks(...domain, (width - left) / 60);
    return Plot.plot({
      width,
      height: Math.max(30, height) * boxes.length + 48,
      marginLeft: left,
      marginTop: 10,
      marginRight: 20,
      marginBottom: 42,
      x: { type: "log", domain, grid: true, ticks },
      y: { type: "band", domain: boxes.map((one) => one.name), label: null, padding: 0.35 },
      marks: [
        logX(ticks, times, `speedup over ${baseline} →`),
        Plot.axisY(names),
        Plot.ruleX([1], { stroke: "var(--quiet)", strokeDasharray: "4 3" }),
        Plot.ruleY(boxes, { x1: "q5", x2: "q95", y: "name", stroke: fill, strokeWidth: 1.5 }),
        Plot.barX(boxes, { x1: "q25", x2: "q75", y: "name", fill, fillOpacity: 0.45, ariaLabel: "said" }),
        Plot.tickX(boxes, { x: "q50", y: "name", stroke: fill, strokeWidth: 3, ariaLabel: "said" }),
      ],
    });
  };
  const many = records(table).reduce((sum, row) => sum + Number(row.kernels), 0);
  return (
    <Figure
      title={table.title}
      says={`n = ${counted(many, "kernel")}, as they were measured, so no interval: bars hold the middle half, lines nine tenths, the strong stroke is the median.`}
      draw={draw}
      depends={[table]}
      table={table}
    />
  );
}
