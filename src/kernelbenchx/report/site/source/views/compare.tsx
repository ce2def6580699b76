/** Two methods, task by task. */
import * as Plot from "@observablehq/plot";
import { GpuChoice, gpuOf } from "../gpu_choice";
import { Choice } from "../choice";
import type { Cell, Index, Table, Value } from "../data";
import { Figure } from "../figure";
import { address, count, counted, logTicks, ratio, withQuery } from "../formats";
import { Heading } from "../heading";
import { logX, logY, times } from "../log_axis";
import { DataTable } from "../table";
import { Paired } from "./paired";
import type { ViewProps } from "./all";

interface Pair {
  task: string;
  category: string;
  a: Cell;
  b: Cell;
}

function pairs(index: Index, gpu: string, first: number, second: number): Pair[] {
  const found = new Map<number, { a?: Cell; b?: Cell }>();
  for (const cell of index.cells) {
    if (index.gpus[cell.gpu] !== gpu) continue;
    const kept = found.get(cell.task) ?? {};
    if (cell.method === first) kept.a = cell;
    if (cell.method === second) kept.b = cell;
    found.set(cell.task, kept);
  }
  return index.tasks.flatMap((facts, at) => {
    const { a, b } = found.get(at) ?? {};
    return a && b && a.n && b.n ? [{ task: facts.task, category: facts.category, a, b }] : [];
  });
}

function tableOf(all: Pair[], first: string, second: string): Table {
  return {
    name: "compare",
    title: `${first} and ${second}, task by task`,
    about: "Correct attempts of those kept at the end that count, and the best speedup over eager by device time of any round.",
    columns: [
      { key: "task", title: "Task", form: "text" },
      { key: "category", title: "Category", form: "text" },
      { key: "a", title: `${first}: correct`, form: "text" },
      { key: "b", title: `${second}: correct`, form: "text" },
      { key: "fa", title: `${first}: best`, form: "ratio" },
      { key: "fb", title: `${second}: best`, form: "ratio" },
      { key: "ratio", title: "Ratio of bests", form: "ratio" },
    ],
    rows: all.map(({ task, category, a, b }) => [
      task, category, `${a.correct} of ${a.n}`, `${b.correct} of ${b.n}`, a.speedup, b.speedup,
      a.speedup !== null && b.speedup !== null ? a.speedup / b.speedup : null,
    ]),
    notes: [],
  };
}

const toTask = (row: Value[], key: string) => (key === "task" ? address("task", String(row[0])) : undefined);

export function CompareView({ index, route }: ViewProps) {
  const first = route.query.get("a") ?? index.methods[0] ?? "";
  const second = route.query.get("b") ?? index.methods[1] ?? "";
  const gpu = gpuOf(index, route);
  const all = pairs(index, gpu, index.methods.indexOf(first), index.methods.indexOf(second));
  const table = tableOf(all, first, second);
  const go = (a: string, b: string) => {
    location.hash = withQuery("#/compare", { ...Object.fromEntries(route.query), a, b });
  };
  return (
    <>
      <Heading>Compare two methods</Heading>
      <div class="choices">
        <Choice name="First" options={index.methods} value={first} change={(value) => go(value, second)} />
        <Choice name="Second" options={index.methods} value={second} change={(value) => go(first, value)} />
        <GpuChoice index={index} route={route} />
      </div>
      <Solved all={all} first={first} second={second} />
      <Paired first={first} second={second} gpu={gpu} pages={index.pages} />
      <Speeds all={all} first={first} second={second} />
      <section>
        <h2>{table.title}</h2>
        <DataTable table={table} link={(row, column) => toTask(row, column.key)} />
      </section>
    </>
  );
}

interface PartProps {
  all: Pair[];
  first: string;
  second: string;
}

function Solved({ all, first, second }: PartProps) {
  const many = (a: boolean, b: boolean) =>
    all.filter((pair) => pair.a.solved === a && pair.b.solved === b).length;
  const groups: [string, number][] = [
    ["solved by both", many(true, true)],
    [`only by ${first}`, many(true, false)],
    [`only by ${second}`, many(false, true)],
    ["by neither", many(false, false)],
  ];
  return (
    <section>
      <h2>Tasks with a correct attempt</h2>
      <p class="says">
        n = {counted(all.length, "task")} that both tried. A count of these tasks; the next picture has the interval.
      </p>
      <dl class="tiles">
        {groups.map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{count(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface Dot {
  task: string;
  a: number;
  b: number;
  said: string;
}

function Speeds({ all, first, second }: PartProps) {
  const dots: Dot[] = all
    .filter(({ a, b }) => a.speedup !== null && b.speedup !== null)
    .map(({ task, a, b }) => ({
      task,
      a: a.speedup ?? 1,
      b: b.speedup ?? 1,
      said: `${task}: ${first} ${ratio(a.speedup ?? 1)}, ${second} ${ratio(b.speedup ?? 1)}`,
    }));
  if (!dots.length) return <p class="quiet">No task on which both were timed.</p>;
  const values = dots.flatMap((dot) => [dot.a, dot.b, 1]);
  const domain: [number, number] = [Math.min(...values) * 0.8, Math.max(...values) * 1.25];
  const draw = (room: number) => {
    const side = Math.min(room, 560);
    const ticks = logTicks(...domain, (side - 60) / 52);
    return Plot.plot({
      width: side,
      height: side,
      marginLeft: 48,
      marginBottom: 40,
      grid: true,
      x: { type: "log", domain, ticks },
      y: { type: "log", domain, ticks },
      marks: [
        logX(ticks, times, `best of ${first} over eager →`),
        logY(ticks, times, `↑ best of ${second} over eager`),
        Plot.line([[domain[0], domain[0]], [domain[1], domain[1]]], { stroke: "var(--quiet)", strokeDasharray: "4 3" }),
        Plot.dot(dots, {
          x: "a", y: "b", r: 4, fill: "var(--hue-0)", fillOpacity: 0.65,
          href: (dot: Dot) => address("task", dot.task),
          ariaLabel: "said",
        }),
      ],
    });
  };
  const faster = dots.filter((dot) => dot.a > dot.b).length;
  return (
    <Figure
      title="The best of each, task by task"
      says={`n = ${counted(dots.length, "task")} on which both were timed; ${first} is ahead on ${count(faster)}. The interval of each dot is on the page of its task.`}
      draw={draw}
      depends={[all]}
      table={tableOf(all, first, second)}
      link={(row, column) => toTask(row, column.key)}
    />
  );
}
