/** Attempts at one task: as a table, and their speeds as a picture. */
import * as Plot from "@observablehq/plot";
import { hue } from "./colours";
import type { Attempt, Index, Table, Value } from "./data";
import { Figure } from "./figure";
import { address, counted, interval, logTicks, ratio, words } from "./formats";
import { Badge } from "./heading";
import { logX, times } from "./log_axis";
import { DataTable } from "./table";

const MOST_DOTS = 120;

export function submissionAddress(task: string, id: string): string {
  return address("submission", task, id);
}

function tableOf(index: Index, attempts: Attempt[]): Table {
  return {
    name: "attempts",
    title: "Attempts",
    about: "Speedup over eager by device time with the interval of its measurement; score: the larger share of bandwidth or arithmetic rate of this GPU. The round is 0 where none is recorded.",
    columns: [
      { key: "submission", title: "Submission", form: "text" },
      { key: "method", title: "Method", form: "text" },
      { key: "round", title: "Round", form: "count" },
      { key: "outcome", title: "Outcome", form: "text" },
      { key: "why", title: "Why", form: "text" },
      { key: "composition", title: "Composition", form: "text" },
      { key: "speedup", title: "Speedup", form: "ratio" },
      { key: "low", title: "Low", form: "ratio" },
      { key: "high", title: "High", form: "ratio" },
      { key: "speed_class", title: "Speed class", form: "text" },
      { key: "score", title: "Score", form: "number" },
      { key: "device", title: "On", form: "text" },
    ],
    rows: attempts.map((one) => [
      one.submission,
      index.methods[one.method] ?? "",
      one.round,
      one.outcome,
      words(one.reason || (one.performance !== "timed" ? one.performance : "")),
      words(one.composition),
      one.speedup,
      one.low,
      one.high,
      one.speed_class || null,
      one.score,
      one.provisional ? "interpreter (provisional)" : one.gpu,
    ]),
    notes: [],
  };
}

interface Props {
  index: Index;
  task: string;
  attempts: Attempt[];
}

export function AttemptTable({ index, task, attempts }: Props) {
  const table = tableOf(index, attempts);
  const byRow = new Map<Value[], Attempt>();
  table.rows.forEach((row, at) => {
    const one = attempts[at];
    if (one) byRow.set(row, one);
  });
  return (
    <DataTable
      table={table}
      link={(row, column) => {
        const one = byRow.get(row);
        return column.key === "submission" && one ? submissionAddress(task, one.id) : undefined;
      }}
      cell={(_row, column, value) =>
        column.key === "outcome" ? <Badge outcome={String(value)} /> : undefined
      }
    />
  );
}

interface Dot extends Attempt {
  place: string;
}

export function AttemptSpeeds({ index, task, attempts }: Props) {
  const timed = attempts.filter((one) => one.speedup !== null);
  if (!timed.length) return null;
  const all = [...timed].sort((a, b) => (b.speedup ?? 0) - (a.speedup ?? 0));
  const dots: Dot[] = all.slice(0, MOST_DOTS).map((one) => ({ ...one, place: one.id }));
  const methods = [...new Set(dots.map((one) => one.method))].sort((a, b) => a - b);
  const [low, high] = [Math.min(1, ...dots.map((dot) => dot.low ?? 1)), Math.max(1, ...dots.map((dot) => dot.high ?? 1))];
  const ticks = (width: number) => logTicks(low, high, width / 60);
  const draw = (width: number) =>
    Plot.plot({
      width,
      height: 74 + Math.max(dots.length * (dots.length > 60 ? 6 : 14), 30),
      marginLeft: 12,
      marginBottom: 44,
      x: { type: "log", grid: true, ticks: ticks(width) },
      y: { type: "point", domain: dots.map((dot) => dot.place), axis: null, padding: 1 },
      marks: [
        logX(ticks(width), times, "speedup over eager, device time →"),
        Plot.ruleX([1], { stroke: "var(--quiet)", strokeDasharray: "4 3" }),
        Plot.ruleY(dots, { x1: "low", x2: "high", y: "place", stroke: (dot: Dot) => hue(dot.method), strokeWidth: 2 }),
        Plot.dot(dots, {
          x: "speedup",
          y: "place",
          r: 4,
          fill: (dot: Dot) => hue(dot.method),
          href: (dot: Dot) => submissionAddress(task, dot.id),
          ariaLabel: (dot: Dot) =>
            `${dot.submission}, ${index.methods[dot.method] ?? ""}, round ${dot.round}: ${ratio(dot.speedup ?? 0)}, ${interval(dot.low, dot.high, "ratio")}`,
        }),
      ],
    });
  const left = timed.length - dots.length;
  const says =
    `n = ${counted(timed.length, "timed attempt")}` +
    (left > 0 ? ` (the ${dots.length} fastest are drawn)` : "") +
    "; lines are the intervals of the measurements; the dashed line is eager.";
  return (
    <Figure
      title="How fast"
      says={says}
      legend={methods.map((at) => ({ label: index.methods[at] ?? "", colour: hue(at) }))}
      draw={draw}
      depends={[task, attempts]}
      table={tableOf(index, timed)}
    />
  );
}
