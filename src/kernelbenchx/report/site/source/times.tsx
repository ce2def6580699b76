/** Times of one submission: every case by device time and call time, the distance to the GPU's peaks, raw samples. */
import * as Plot from "@observablehq/plot";
import { useState } from "preact/hooks";
import type { Table, Value } from "./data";
import type { Comparison, Observation, Performance, Samples, TimedCase } from "./evaluation";
import { Figure } from "./figure";
import { counted, interval, logTicks, microseconds, ratio, words } from "./formats";
import { Choice } from "./choice";
import { DataTable } from "./table";
import { isReplay, tierName } from "./keys";
import { logX, times } from "./log_axis";
import { SampleFigure } from "./samples";

export function Times({ performance, samples }: { performance: Performance; samples: Samples[] }) {
  if (performance.kind !== "timed") {
    const said = [performance.trick, performance.reason && words(performance.reason), performance.detail];
    return (
      <section>
        <h2>Times</h2>
        <p>
          {performance.kind === "failed" ? "It failed at a timed size: it is not correct and has no speed. " : "No time that could be trusted: "}
          {said.filter(Boolean).join(": ")} {performance.case && <span class="quiet">[{performance.case}]</span>}
        </p>
      </section>
    );
  }
  const cases = performance.cases ?? [];
  const several = parts(cases);
  return (
    <section>
      <h2>Times</h2>
      <p>{trusted(performance)}</p>
      <Cases cases={cases} />
      <h3>How close to the peaks of the GPU</h3>
      <Limits cases={cases} />
      {several.rows.length > 0 && (
        <>
          <p />
          <h3>{several.title}</h3>
          <DataTable table={several} />
        </>
      )}
      <SampleChoice samples={samples} />
    </section>
  );
}

function trusted(performance: Performance): string {
  const { tier, before, after, not_replayed: reason, flags = [] } = performance;
  const gpu = performance.gpu?.name ?? "";
  const how = isReplay(tier)
    ? "Replay: a trusted process launched the compiled kernels."
    : `Host-timed: by the host clock around the submission's process${reason ? `, because ${reason}` : ""}.`;
  const seen = [before, after].map((one) => observed(one)).filter(Boolean).join(", then ");
  return [how, gpu && `GPU: ${gpu}.`, seen && `It reported ${seen}.`, flags.length && `Flags: ${flags.join("; ")}.`].filter(Boolean).join(" ");
}

function observed(one: Observation | undefined): string {
  if (!one) return "";
  const said = [
    one.sm_mhz && `${one.sm_mhz} MHz`,
    one.temperature_c && `${one.temperature_c} °C`,
    one.power_w && `${Math.round(one.power_w)} W`,
    one.throttled?.length && `throttled by ${one.throttled.join(", ")}`,
    one.other_processes && `${counted(one.other_processes, "other process", "other processes")} on the GPU`,
  ];
  return said.filter(Boolean).join(" ");
}

function compared(cases: TimedCase[]): Table {
  const rows: Value[][] = cases.flatMap((one) =>
    one.comparisons.map((made) => [
      one.case, made.baseline, made.clock, tierName(made.tier), microseconds(made.candidate_us),
      microseconds(made.baseline_us), made.speedup, made.low, made.high, made.speed_class,
    ]),
  );
  return {
    name: "cases",
    title: "Every timing case",
    about: "Device time: how long the GPU works. Call time: how long a caller waits, including the launch by the host. The intervals account for repeated looks at the data.",
    columns: [
      { key: "case", title: "Case", form: "text" },
      { key: "baseline", title: "Against", form: "text" },
      { key: "clock", title: "Time", form: "text" },
      { key: "tier", title: "Tier", form: "text" },
      { key: "mine", title: "Submission", form: "text" },
      { key: "theirs", title: "Baseline", form: "text" },
      { key: "speedup", title: "Speedup", form: "ratio" },
      { key: "low", title: "Low", form: "ratio" },
      { key: "high", title: "High", form: "ratio" },
      { key: "speed_class", title: "Speed class", form: "text" },
    ],
    rows,
    notes: [],
  };
}

interface Bar extends Comparison {
  case: string;
  line: string;
}

function Cases({ cases }: { cases: TimedCase[] }) {
  const bars: Bar[] = cases.flatMap((one) =>
    one.comparisons.map((made) => ({ ...made, case: one.case, line: `${made.clock}, ${made.baseline}` })),
  );
  const colour = (bar: Bar) => (bar.clock === "device" ? "var(--hue-0)" : "var(--hue-1)");
  const ticks = (width: number) =>
    logTicks(Math.min(1, ...bars.map((bar) => bar.low)), Math.max(1, ...bars.map((bar) => bar.high)), (width - 104) / 42);
  const draw = (width: number) =>
    Plot.plot({
      width,
      marginLeft: 104,
      marginTop: 18,
      marginBottom: 44,
      height: 66 + cases.length * (20 + 20 * new Set(bars.map((bar) => bar.line)).size),
      x: { type: "log", grid: true, ticks: ticks(width) },
      y: { type: "point", label: null },
      fy: { label: null, axis: null, padding: 0.25 },
      marks: [
        logX(ticks(width), times, "speedup →"),
        Plot.text(cases, { fy: "case", text: "case", frameAnchor: "top-left", dy: -14, dx: -100, fontSize: 12, fill: "var(--quiet)" }),
        Plot.ruleX([1], { stroke: "var(--quiet)", strokeDasharray: "4 3" }),
        Plot.ruleY(bars, { fy: "case", y: "line", x1: "low", x2: "high", stroke: colour, strokeWidth: 3 }),
        Plot.dot(bars, {
          fy: "case", y: "line", x: "speedup", r: 4.5, fill: colour,
          ariaLabel: (bar: Bar) =>
            `${bar.case}, ${bar.clock} time against ${bar.baseline}: ${ratio(bar.speedup)}, ${interval(bar.low, bar.high, "ratio")}, ${bar.speed_class}`,
        }),
      ],
    });
  return (
    <Figure
      title="Every timing case"
      level={3}
      says={`n = ${counted(cases.length, "timing case")}; lines are the intervals of the measurements; the dashed line is the baseline.`}
      legend={[{ label: "device time", colour: "var(--hue-0)" }, { label: "call time", colour: "var(--hue-1)" }]}
      draw={draw}
      table={compared(cases)}
    />
  );
}

/** Which kernel of a call with several takes how much of its time. */
function parts(cases: TimedCase[]): Table {
  return {
    name: "parts",
    title: "Time by kernel",
    about: "Of calls that launch more than once, replayed with an event behind every launch: very short kernels look a little longer than they are.",
    columns: [
      { key: "case", title: "Case", form: "text" },
      { key: "kernel", title: "Kernel", form: "text" },
      { key: "launches", title: "Launches", form: "count" },
      { key: "share", title: "Of the time", form: "percent" },
    ],
    rows: cases.flatMap((one) => (one.kernel_shares ?? []).map((part) => [one.case, part.name, part.launches, part.share])),
    notes: [],
  };
}

function limits(cases: TimedCase[]): Table {
  return {
    name: "limits",
    title: "How close to the peaks of the GPU",
    about: "Against peaks measured on this GPU. Overhead-bound: the GPU works for less time than the host needs to launch.",
    columns: [
      { key: "case", title: "Case", form: "text" },
      { key: "gb", title: "GB/s", form: "number" },
      { key: "iou", title: "Of bandwidth", form: "percent" },
      { key: "tflops", title: "TFLOP/s", form: "number" },
      { key: "mfu", title: "Of arithmetic", form: "percent" },
      { key: "limit", title: "Fastest possible", form: "text" },
      { key: "bound", title: "Overhead-bound", form: "text" },
      { key: "judged", title: "Timed outputs judged", form: "count" },
    ],
    rows: cases.map((one) => [
      one.case, one.efficiency.gb_per_s, one.efficiency.iou, one.efficiency.tflops, one.efficiency.mfu,
      microseconds(one.efficiency.roofline_us), one.overhead_bound, one.judged_outputs,
    ]),
    notes: [],
  };
}

/** Flags are sentences: each case has them on a line of its own. */
function Limits({ cases }: { cases: TimedCase[] }) {
  const table = limits(cases);
  const flags = new Map(table.rows.map((row, at) => [row, cases[at]?.flags.join("; ")]));
  return <DataTable table={table} below={(row) => flags.get(row) && `Flags: ${flags.get(row)}`} />;
}

/** What a headline is made of comes first: eager, by device time. */
function rank(one: Samples): number {
  return (one.clock === "device" ? 0 : 2) + (one.baseline === "eager" ? 0 : 1);
}

function SampleChoice({ samples }: { samples: Samples[] }) {
  const [at, setAt] = useState(0);
  if (!samples.length) return <p class="quiet">No raw samples were kept.</p>;
  const ordered = [...samples].sort((a, b) => rank(a) - rank(b));
  const names = ordered.map((one) => `${one.clock} time, ${one.baseline}, ${one.case}`);
  const chosen = ordered[at];
  return (
    <>
      <p />
      <div class="choices">
        <Choice name="Samples of" options={names} value={names[at] ?? ""} change={(name) => setAt(names.indexOf(name))} />
      </div>
      {chosen && <SampleFigure samples={chosen} />}
    </>
  );
}
