/** The fastest kernels against the limits of their card. */
import * as Plot from "@observablehq/plot";
import { submissionAddress } from "../attempts";
import { CardChoice, cardOf } from "../card";
import { hue } from "../colours";
import type { Index, Page } from "../data";
import { records } from "../data";
import { Figure } from "../figure";
import { counted, interval, logTicks, number, ratio } from "../formats";
import { Heading } from "../heading";
import { logX, logY } from "../log_axis";
import { PageBody } from "../page";
import { methodAt, only, tableNamed } from "../rows";
import type { ViewProps } from "./all";

interface Dot {
  task: string;
  method: string;
  id: string;
  intensity: number;
  tflops: number;
  bound: boolean;
  said: string;
}

interface Roof {
  rate: string;
  value: number;
}

function dots(page: Page, card: string): Dot[] {
  const table = tableNamed(page, "roofline");
  if (!table) return [];
  return records(only(table, { card }))
    .filter((row) => Number(row.intensity) > 0 && Number(row.tflops) > 0)
    .map((row) => ({
      task: String(row.task),
      method: String(row.method),
      id: String(row.id),
      intensity: Number(row.intensity),
      tflops: Number(row.tflops),
      bound: row.overhead_bound === true,
      said: `${row.task}, ${row.method}, ${row.case}: ${number(Number(row.tflops))} TFLOP/s, ${number(Number(row.gb_per_s))} GB/s, ${ratio(Number(row.speedup))} over eager, ${interval(row.low as number, row.high as number, "ratio")}${row.overhead_bound ? ", overhead-bound" : ""}`,
    }));
}

function roofs(page: Page, card: string): Roof[] {
  const table = tableNamed(page, "roofs");
  if (!table) return [];
  return records(only(table, { card })).map((row) => ({ rate: String(row.rate), value: Number(row.value) }));
}

const LINE = 13;
/** Below this width only the names of limits have room. */
const ROOMY = 600;

interface Label extends Roof {
  /** Pixels from the limit to its name. */
  down: number;
}

/** Names of limits at the right edge, the highest first, each below the one before. */
function labels(flat: Roof[], pixels: number): Label[] {
  let last = -Infinity;
  return [...flat].sort((a, b) => b.value - a.value).map((roof) => {
    const own = -pixels * Math.log(roof.value);
    last = Math.max(own, last + LINE);
    return { ...roof, down: last - own };
  });
}

export function RooflineView(props: ViewProps) {
  const card = cardOf(props.index, props.route);
  return (
    <>
      <Heading>Roofline</Heading>
      <div class="choices"><CardChoice {...props} /></div>
      <PageBody name="roofline" wanted={{ card }} drawn={["roofline"]}>
        {(page) => <Scatter index={props.index} page={page} card={card} />}
      </PageBody>
    </>
  );
}

function Scatter({ index, page, card }: { index: Index; page: Page; card: string }) {
  const points = dots(page, card);
  const table = tableNamed(page, "roofline");
  if (!points.length || !table) return <p class="quiet">Nothing was timed on this card.</p>;
  const limits = roofs(page, card).filter((roof) => roof.value > 0);
  const bandwidth = limits.find((roof) => roof.rate === "bandwidth")?.value ?? 0;
  const flat = limits.filter((roof) => roof.rate !== "bandwidth");
  const top = Math.max(...flat.map((roof) => roof.value), ...points.map((dot) => dot.tflops));
  const low = Math.min(...points.map((dot) => dot.intensity)) / 2;
  const high = Math.max(...points.map((dot) => dot.intensity), bandwidth ? (2 * top * 1000) / bandwidth : 10);
  const least = Math.min(...points.map((dot) => dot.tflops)) / 2;
  const knee = (peak: number) => Math.max(low, (peak * 1000) / (bandwidth || 1));
  const draw = (width: number) => {
    const height = Math.min(520, Math.max(320, width * 0.55));
    const roomy = width >= ROOMY;
    const right = roomy ? 92 : 40;
    const [upwards, sideways] = [(height - 62) / Math.log((top * 1.6) / least), (width - 56 - right) / Math.log(high / low)];
    const [across, upright] = [logTicks(low, high, width / 60), logTicks(least, top * 1.6, 9)];
    return Plot.plot({
      width,
      height,
      marginLeft: 56,
      marginTop: 20,
      marginBottom: 42,
      marginRight: right,
      grid: true,
      x: { type: "log", domain: [low, high], ticks: across },
      y: { type: "log", domain: [least, top * 1.6], ticks: upright },
      marks: [
        logX(across, number, "operations per byte that the task needs →"),
        logY(upright, number, "↑ TFLOP/s reached"),
        bandwidth
          ? Plot.line([low, knee(top)].map((at) => [at, (at * bandwidth) / 1000]), { stroke: "var(--ink)", strokeWidth: 1.5, clip: true })
          : null,
        ...flat.map((roof) =>
          Plot.line([knee(roof.value), high].map((at) => [at, roof.value]), { stroke: "var(--ink)", strokeWidth: 1.5 }),
        ),
        ...labels(flat, upwards).map((roof) =>
          Plot.text([roof], { x: () => high, y: "value", text: () => (roomy ? `${roof.rate} ${number(roof.value)}` : roof.rate), textAnchor: "start", dx: 6, dy: roof.down, fontSize: 11 }),
        ),
        bandwidth
          ? Plot.text([`${number(bandwidth)} GB/s`], { x: () => low * 1.1, y: () => (low * 1.1 * bandwidth) / 1000, rotate: (-180 / Math.PI) * Math.atan2(upwards, sideways), textAnchor: "start", dy: -10, fontSize: 11 })
          : null,
        Plot.dot(points, {
          x: "intensity", y: "tflops", r: 3.5,
          fill: (dot: Dot) => (dot.bound ? "none" : hue(methodAt(index, dot.method))),
          stroke: (dot: Dot) => hue(methodAt(index, dot.method)),
          fillOpacity: 0.6,
          href: (dot: Dot) => submissionAddress(dot.task, dot.id),
          ariaLabel: "said",
        }),
      ],
    });
  };
  const methods = [...new Set(points.map((dot) => dot.method))];
  return (
    <Figure
      title={table.title}
      says={`n = ${counted(points.length, "timing case")} of the fastest attempt of each task and method on ${card}; hollow: overhead-bound. Lines are the measured limits. The line below names each dot's interval over eager.`}
      legend={methods.map((name) => ({ label: name, colour: hue(methodAt(index, name)) }))}
      draw={draw}
      depends={[card, page]}
      table={only(table, { card })}
      link={(row, column) => (column.key === "id" ? submissionAddress(String(row[0]), String(row.at(-1))) : undefined)}
      least={320}
    />
  );
}
