/** The fastest and the slowest tasks, each by its best kernel. */
import * as Plot from "@observablehq/plot";
import { submissionAddress } from "../attempts";
import { beside } from "../beside";
import type { Index, Table } from "../data";
import { Figure } from "../figure";
import { count, counted, interval, logTicks, ratio } from "../formats";
import { logX, roomy, times } from "../log_axis";
import { moreIn } from "./more";

interface Best {
  task: string;
  method: string;
  speedup: number;
  low: number;
  high: number;
  id: string;
  speedClass: string;
}

interface Line extends Best {
  name: string;
  said: string;
}

const EACH = 8;
const ROW = 24;
/** An interval may reach so far beyond all values before it is cut. */
const BEYOND = 2;

/** The best kernel of each task on one GPU, the fastest first. */
export function bestKernels(index: Index, gpu: string): Best[] {
  const found = new Map<number, Best>();
  for (const cell of index.cells) {
    const { speedup, low, high } = cell;
    if (index.gpus[cell.gpu] !== gpu || speedup === null || low === null || high === null) continue;
    if ((found.get(cell.task)?.speedup ?? 0) >= speedup) continue;
    const [task, method] = [index.tasks[cell.task]?.task ?? "", index.methods[cell.method] ?? ""];
    found.set(cell.task, { task, method, speedup, low, high, id: cell.best, speedClass: cell.speed_class });
  }
  return [...found.values()].sort((a, b) => b.speedup - a.speedup);
}

function tableOf(all: Best[]): Table {
  return {
    name: "extremes",
    title: "The best kernel of each task",
    about: "The fastest correct kernel of any method and round: speedup over eager by device time, with the interval of its measurement.",
    columns: [
      { key: "task", title: "Task", form: "text" },
      { key: "speedup", title: "Speedup", form: "ratio" },
      { key: "low", title: "Low", form: "ratio" },
      { key: "high", title: "High", form: "ratio" },
      { key: "speed_class", title: "Speed class", form: "text" },
      { key: "method", title: "Method", form: "text" },
    ],
    rows: all.map((one) => [one.task, one.speedup, one.low, one.high, one.speedClass, one.method]),
    notes: [],
  };
}

const COLOURS: Record<string, string> = { faster: "var(--correct)", slower: "var(--wrong)" };

function colour({ speedClass }: Line): string {
  return COLOURS[speedClass] ?? "var(--quiet)";
}

/** Without the category, where that is enough to tell tasks apart. */
function shortNames(all: Best[]): (task: string) => string {
  const bare = (task: string) => task.split("/").at(-1) ?? task;
  const several = new Set(all.map((one) => bare(one.task)));
  return several.size === all.length ? bare : (task) => task;
}

export function ExtremesFigure({ index, gpu }: { index: Index; gpu: string }) {
  const all = bestKernels(index, gpu);
  if (!all.length) return null;
  const short = shortNames(all);
  const cut = all.length > 2 * EACH;
  const lines: Line[] = (cut ? [...all.slice(0, EACH), ...all.slice(-EACH)] : all).map((one) => ({
    ...one,
    name: short(one.task),
    said: `${one.task}, ${one.method}: ${ratio(one.speedup)}, ${interval(one.low, one.high, "ratio")}, ${one.speedClass}`,
  }));
  const gap = `… ${count(all.length - lines.length)} more …`;
  const names = lines.map((line) => line.name);
  const rows = cut ? [...names.slice(0, EACH), gap, ...names.slice(EACH)] : names;
  const values = [1, ...lines.map((line) => line.speedup)];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const domain = roomy(
    Math.max(least / BEYOND, Math.min(least, ...lines.map((line) => line.low))),
    Math.min(most * BEYOND, Math.max(most, ...lines.map((line) => line.high))),
  );
  const draw = (width: number) => {
    const { left, height, axis } = beside(rows, width);
    const ticks = logTicks(...domain, (width - left - 70) / 52);
    return Plot.plot({
      width,
      height: Math.max(ROW, height - 6) * rows.length + 52,
      marginLeft: left,
      marginTop: 6,
      marginRight: 66,
      marginBottom: 42,
      x: { type: "log", domain, grid: true, ticks },
      y: { type: "point", domain: rows, label: null, padding: 0.6 },
      marks: [
        logX(ticks, times, "speedup over eager, device time →"),
        Plot.axisY(axis),
        Plot.ruleX([1], { stroke: "var(--quiet)", strokeDasharray: "4 3" }),
        Plot.ruleY(lines, { x1: 1, x2: "speedup", y: "name", stroke: colour, strokeOpacity: 0.35 }),
        Plot.ruleY(lines, { x1: "low", x2: "high", y: "name", stroke: colour, strokeWidth: 3, strokeOpacity: 0.5, clip: true }),
        Plot.dot(lines, { x: "speedup", y: "name", r: 4.5, fill: colour, ariaLabel: "said", href: (line: Line) => submissionAddress(line.task, line.id) }),
        Plot.text(lines, { y: "name", frameAnchor: "right", dx: 62, textAnchor: "end", fontSize: 12, text: (line: Line) => ratio(line.speedup) }),
      ],
    });
  };
  return (
    <Figure
      title="Fastest and slowest tasks"
      says={`n = ${counted(all.length, "task")} with a timed kernel, the best of any method; lines are the intervals of the measurements. Faster or slower: the whole interval lies more than one percent from 1.`}
      legend={[
        { label: "faster than eager", colour: "var(--correct)" },
        { label: "no clear difference", colour: "var(--quiet)" },
        { label: "slower than eager", colour: "var(--wrong)" },
      ]}
      draw={draw} depends={[index, gpu]} table={tableOf(all)}
      more={moreIn(index, "speed", "Speed")}
    />
  );
}
