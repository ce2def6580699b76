/** Raw samples of one comparison: one dot per block of calls and side. */
import * as Plot from "@observablehq/plot";
import type { Table } from "./data";
import type { Samples } from "./evaluation";
import { Figure } from "./figure";
import { counted, microseconds } from "./formats";

interface Dot {
  side: "submission" | "baseline";
  at: number;
  pair: number;
  block: number;
  us: number;
}

const IN_A_MICROSECOND = 10_000;
const COLOURS = { submission: "var(--hue-0)", baseline: "var(--hue-1)" };

function dots(samples: Samples): Dot[] {
  return samples.rows.flatMap(([pair, block, mine, theirs], at) =>
    ([["submission", mine], ["baseline", theirs]] as const)
      .filter(([, time]) => time !== null)
      .map(([side, time]) => ({ side, at: at + 1, pair, block, us: (time ?? 0) / IN_A_MICROSECOND })),
  );
}

export function SampleFigure({ samples }: { samples: Samples }) {
  const all = dots(samples);
  const name = `${samples.case} ${samples.baseline} ${samples.clock}`;
  const table: Table = {
    name: "samples",
    title: "Raw samples",
    about: "The mean time of a call within one block, on both sides of one pair of processes.",
    columns: [
      { key: "pair", title: "Pair", form: "count" },
      { key: "block", title: "Block", form: "count" },
      { key: "mine", title: "Submission (µs)", form: "number" },
      { key: "theirs", title: "Baseline (µs)", form: "number" },
    ],
    rows: samples.rows.map(([pair, block, ...times]) => [
      pair, block, ...times.map((time) => (time === null ? null : time / IN_A_MICROSECOND)),
    ]),
    notes: [],
  };
  const draw = (width: number) => {
    const step = Math.ceil(samples.rows.length / Math.min(10, width / 50));
    return Plot.plot({
      width,
      height: 250,
      marginLeft: 52,
      marginBottom: 44,
      marginTop: 26,
      x: { label: "sample, in order →", labelOffset: 40, tickFormat: "d", ticks: samples.rows.map((_, at) => at + 1).filter((at) => (at - 1) % step === 0) },
      y: { label: "↑ µs per call", grid: true, zero: false, nice: true },
      marks: [
        Plot.dot(all, {
          x: "at", y: "us", r: 3, symbol: (dot: Dot) => (dot.side === "baseline" ? "times" : "circle"),
          stroke: (dot: Dot) => COLOURS[dot.side], strokeWidth: 1.5,
          ariaLabel: (dot: Dot) => `${dot.side}, pair ${dot.pair}, block ${dot.block}: ${microseconds(dot.us)}`,
        }),
      ],
    });
  };
  return (
    <Figure
      title="Raw samples"
      level={3}
      says={`n = ${counted(samples.rows.length, "pair of blocks", "pairs of blocks")}; raw, so there is no interval; that of their ratio is above.`}
      legend={[{ label: "submission (circles)", colour: COLOURS.submission }, { label: "baseline (crosses)", colour: COLOURS.baseline }]}
      draw={draw}
      depends={[name]}
      table={table}
    />
  );
}
