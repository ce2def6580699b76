/** Values with their intervals, one line each. */
import * as Plot from "@observablehq/plot";
import type { ComponentChildren } from "preact";
import { beside } from "./beside";
import type { Column, Table } from "./data";
import { Empty, Figure } from "./figure";
import { interval, logTicks, number, short, shown } from "./formats";
import { MANY } from "./lines";
import { logX, roomy, times } from "./log_axis";
import type { Counts, Known } from "./rows";
import { sizes } from "./rows";

interface Props {
  title: string;
  says: string;
  table: Table;
  rows: Known[];
  label: (one: Known) => string;
  form: Column["form"];
  colour?: (one: Known) => string;
  href?: (one: Known) => string;
  axis: string;
  /** Which columns say how many, where they are not the usual ones. */
  counts?: Counts;
  /** A line to compare with, such as 1 for a speedup. */
  border?: number;
  level?: 2 | 3;
  more?: { href: string; text: string };
  choice?: ComponentChildren;
}

const BEYOND = 4;

/** The ends of plain numbers, with some room; one alone stands in the middle. */
function around(values: number[]): [number, number] {
  const found = values.filter(Number.isFinite);
  const [low, high] = [Math.min(...found), Math.max(...found)];
  const room = 0.03 * (high - low) || 0.1 * Math.abs(low) || 1;
  return [low - room, high + room];
}

interface Line extends Known {
  name: string;
  said: string;
}

function unbounded(lines: Line[]): string {
  const found = lines.filter((line) => line.low === null || line.high === null);
  if (!found.length) return "";
  const names = found.length < lines.length ? ` for ${found.map((line) => line.name).join(", ")}` : "";
  return `No interval${names}: too few tasks.`;
}

export function IntervalFigure(props: Props) {
  const { title, says, table, rows, label, form, href, axis, border, level, more, choice } = props;
  const colour = props.colour ?? (() => "var(--hue-0)");
  const lines: Line[] = rows.map((one) => ({
    ...one,
    name: label(one),
    said: `${label(one)}: ${shown(one.value, form)}, ${interval(one.low, one.high, form)}, ${sizes(one.row, props.counts)}`,
  }));
  if (!lines.length) return <Empty title={title} level={level} />;
  const missing = unbounded(lines);
  const most = Math.max(...lines.map((line) => line.high ?? line.value));
  const ends = lines.flatMap((line) => [line.value, line.low ?? line.value, line.high ?? line.value]);
  // Costs and sizes of methods may be decades apart: a plain scale would show the largest alone.
  const decades = (form === "count" || form === "number") && Math.min(...ends) > 0 && Math.max(...ends) / Math.min(...ends) >= MANY;
  // Small shares would be a heap at the left end of the whole.
  const least = Math.min(0, ...ends);
  const domain = form === "percent"
    ? { domain: [least && 1.05 * least, most < 0.5 || border !== undefined ? 1.05 * Math.max(most, 0) : 1] }
    : { domain: around([...ends, border ?? NaN]) };
  const logarithmic = form === "ratio" || decades;
  const factors = (many: number) => {
    const values = lines.flatMap((line) => [line.value, border ?? line.value]);
    // The interval of two tasks may reach from nothing to the sky: the values stay readable.
    const [low, high] = [Math.min(...values) / BEYOND, Math.max(...values) * BEYOND];
    const all = [...values, ...lines.flatMap((line) => [line.low ?? line.value, line.high ?? line.value])];
    const domain = roomy(Math.max(low, Math.min(...all)), Math.min(high, Math.max(...all)));
    const ticks = logTicks(...domain, many);
    return { type: "log" as const, domain, ticks };
  };
  const draw = (width: number) => {
    const { left, height, axis: names } = beside(lines.map((line) => line.name), width);
    return Plot.plot({
      width,
      height: Math.max(26, height) * lines.length + 48,
      marginLeft: left,
      marginTop: 10,
      marginRight: 20,
      marginBottom: 42,
      x: {
        label: axis,
        labelOffset: 38,
        grid: true,
        ...domain,
        ...(form === "percent" ? { tickFormat: (value: number) => `${number(100 * value)} %` } : {}),
        ticks: Math.max(3, Math.min(10, (width - left) / 70)),
        ...(logarithmic ? factors((width - left) / 62) : {}),
      },
      y: { type: "point", domain: lines.map((line) => line.name), label: null, padding: 0.8 },
      marks: [
        Plot.axisY(names),
        logarithmic ? logX(factors((width - left) / 62).ticks, decades ? short : times, axis) : null,
        border === undefined ? null : Plot.ruleX([border], { stroke: "var(--quiet)", strokeDasharray: "4 3" }),
        Plot.ruleY(lines.filter((line) => line.low !== null && line.high !== null), {
          x1: "low", x2: "high", y: "name", stroke: colour, strokeWidth: 3, strokeOpacity: 0.55, clip: true,
        }),
        Plot.dot(lines, {
          x: "value", y: "name", r: 5, fill: colour, ariaLabel: "said", ...(href ? { href } : {}),
        }),
      ],
    });
  };
  return <Figure title={title} says={[says, missing].filter(Boolean).join(" ")} draw={draw} depends={[rows]} table={table} level={level} more={more} choice={choice} />;
}
