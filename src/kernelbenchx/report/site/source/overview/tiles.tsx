/** The result in a few numbers. */
import type { Index, Table } from "../data";
import { records } from "../data";
import { count, interval, percent } from "../formats";
import type { Row } from "../rows";
import { ends, known } from "../rows";
import { bestKernels } from "./extremes";

interface Tile {
  name: string;
  value: string;
  more: string;
}

interface Props {
  index: Index;
  gpu: string;
  funnel: Table;
  methods: Table;
}

/** The steps of the funnel that have a tile of their own, in its words. */
const STEPS = ["basic correct", "core correct", "correct"];

export function Tiles(props: Props) {
  const tiles = [bestMethod(props.methods), solved(props), ...STEPS.map((name) => step(props, name)), faster(props)];
  return (
    <dl class="tiles">
      {tiles.filter((tile) => tile !== null).map(({ name, value, more }) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
          <dd class="more">{more}</dd>
        </div>
      ))}
    </dl>
  );
}

function bestMethod(methods: Table): Tile | null {
  const [best, second] = known(methods, "correct").sort((a, b) => b.value - a.value);
  if (!best || !second) return null;
  const { low, high } = ends(best.row, "correct") ?? best;
  return { name: "highest share correct", value: String(best.row.method), more: `${percent(best.value)} correct, ${interval(low, high, "percent")}` };
}

/** Tasks with a correct kernel of any method. */
function solved({ index, gpu }: Props): Tile | null {
  const here = index.cells.filter((cell) => index.gpus[cell.gpu] === gpu && cell.n > 0);
  if (!here.length) return null;
  const tried = new Set(here.map((cell) => cell.task));
  const done = new Set(here.filter((cell) => cell.solved).map((cell) => cell.task));
  return { name: "tasks solved", value: `${count(done.size)} of ${count(tried.size)}`, more: "with a correct kernel of any method" };
}

function rowOf(funnel: Table, name: string): Row | undefined {
  // The rows of all methods together come first.
  return records(funnel).find((row) => row.step === name);
}

/** Counts alone: shares of the report are means over tasks, where each task has the same weight. */
function step({ funnel }: Props, name: string): Tile | null {
  const row = rowOf(funnel, name);
  const all = rowOf(funnel, "judged");
  if (!row || !all) return null;
  return { name, value: `${count(Number(row.attempts))} of ${count(Number(all.attempts))}`, more: "attempts" };
}

function faster({ index, gpu, funnel }: Props): Tile | null {
  const [row, timed] = [rowOf(funnel, "faster than eager"), rowOf(funnel, "timed")];
  if (!row || !timed) return null;
  const best = bestKernels(index, gpu);
  const ahead = best.filter((one) => one.speedClass === "faster").length;
  return {
    name: "faster than eager",
    value: `${count(Number(row.attempts))} of ${count(Number(timed.attempts))}`,
    more: `timed attempts; ${count(ahead)} of ${count(best.length)} tasks by their best kernel`,
  };
}
