/** How a wrong answer is wrong: a map of its errors, or how many elements are wrong and the worst of them. */
import * as Plot from "@observablehq/plot";
import type { Table } from "./data";
import type { Outcome, Worst } from "./evaluation";
import { spelled, worstOf } from "./evaluation";
import { ErrorMapFigure } from "./error_map";
import { Figure } from "./figure";
import { count, percent } from "./formats";

const CELLS = 200;

export function ErrorPicture({ outcome }: { outcome: Outcome }) {
  const worst = worstOf(outcome);
  if (outcome.kind !== "wrong") return null;
  if (!worst) {
    return outcome.pattern ? <p>Pattern: {outcome.pattern}.</p> : null;
  }
  const place = `${worst.output}[${worst.index.join(", ")}]`;
  return (
    <section>
      <h2>How it is wrong</h2>
      <dl class="facts">
        <dt>worst element</dt>
        <dd>
          {place} is {worst.got}, expected {worst.expected}
        </dd>
        <dt>its error</dt>
        <dd>{times(worst)} what the contract allows</dd>
        {outcome.pattern && (
          <>
            <dt>pattern</dt>
            <dd>{outcome.pattern}</dd>
          </>
        )}
      </dl>
      {outcome.error_map ? (
        <ErrorMapFigure map={outcome.error_map} worst={worst} />
      ) : (
        <div class="pair">
          <Share worst={worst} />
          <Distance worst={worst} place={place} />
        </div>
      )}
    </section>
  );
}

function times(worst: Worst): string {
  const error = spelled(worst.error);
  return Number.isFinite(error) ? `${Number(error.toPrecision(3)).toLocaleString("en")} times` : "infinitely many times";
}

function tableOf(worst: Worst, place: string): Table {
  return {
    name: "error",
    title: "The wrong output",
    about: "Of the case that failed first.",
    columns: [
      { key: "worst", title: "Worst element", form: "text" },
      { key: "expected", title: "Expected", form: "text" },
      { key: "got", title: "Got", form: "text" },
      { key: "error", title: "Error (1 is the border)", form: "text" },
      { key: "bad", title: "Wrong elements", form: "count" },
      { key: "total", title: "Of", form: "count" },
    ],
    rows: [[place, worst.expected, worst.got, String(worst.error), worst.bad, worst.total]],
    notes: [],
  };
}

function Share({ worst }: { worst: Worst }) {
  const share = worst.total ? worst.bad / worst.total : 0;
  // A single wrong element of many is still worth a cell.
  const bad = worst.bad ? Math.max(1, Math.round(share * CELLS)) : 0;
  const cells = [
    { part: "wrong", many: bad, said: `${count(worst.bad)} wrong elements, ${percent(share)}` },
    { part: "right", many: CELLS - bad, said: `${count(worst.total - worst.bad)} right elements` },
  ];
  const draw = (width: number) =>
    Plot.plot({
      width,
      height: 90,
      margin: 2,
      axis: null,
      marks: [
        Plot.waffleX(cells, {
          x: "many",
          multiple: 5,
          gap: 2,
          rx: 1,
          fill: (cell: { part: string }) => (cell.part === "wrong" ? "var(--broken)" : "var(--line)"),
          ariaLabel: "said",
        }),
      ],
    });
  const says = `n = ${count(worst.total)} elements, ${count(worst.bad)} outside their budget (${percent(share)}); a count, so no interval.`;
  return <Figure title="Share of wrong elements" level={3} says={says} draw={draw} table={tableOf(worst, "")} />;
}

function Distance({ worst, place }: { worst: Worst; place: string }) {
  const error = spelled(worst.error);
  if (!Number.isFinite(error) || error <= 0) return null;
  const draw = (width: number) =>
    Plot.plot({
      width,
      height: 108,
      marginLeft: 12,
      marginRight: 24,
      marginBottom: 44,
      x: { type: "log", domain: [Math.min(0.5, error), Math.max(10, error * 2)], label: "error as a multiple of what is allowed →", labelOffset: 40, tickFormat: "~s", ticks: Math.max(3, Math.min(8, width / 70)) },
      marks: [
        Plot.rect([{ from: Math.min(0.5, error), to: 1 }], { x1: "from", x2: "to", fill: "var(--added)" }),
        Plot.ruleX([1], { stroke: "var(--quiet)", strokeDasharray: "4 3" }),
        Plot.dot([{ error }], { x: "error", r: 6, fill: "var(--broken)", ariaLabel: () => `${place}: ${times(worst)} what is allowed` }),
      ],
    });
  const says = "n = 1, the worst element; the dashed line at 1 is the border of the contract; judged once, so no interval.";
  return <Figure title="How far off" level={3} says={says} draw={draw} table={tableOf(worst, place)} />;
}
