/** How many attempts take each step, from judged to faster than the baseline. */
import * as Plot from "@observablehq/plot";
import { useState } from "preact/hooks";
import { beside } from "../beside";
import { Choice } from "../choice";
import type { Index, Table } from "../data";
import { records } from "../data";
import { Figure } from "../figure";
import { count, counted } from "../formats";
import { only, wordsOf } from "../rows";
import { moreIn } from "./more";

interface Step {
  name: string;
  many: number;
  share: number;
  before: number;
  how: string;
  said: string;
}

const BAR = 22;
const LINE = 14;
/** The width of a letter of the words below a bar. */
const LETTER = 6.2;
/** A bar of so many pixels has room for its number. */
const WIDE = 60;

function stepsOf(table: Table): Step[] {
  let before = 1;
  const total = Number(records(table)[0]?.attempts ?? 0);
  return records(table).map((row) => {
    const [name, many, share] = [String(row.step), Number(row.attempts), Number(row.share)];
    const lost = row.how ? `; lost here: ${row.how}` : "";
    const step = { name, many, share, before, how: String(row.how ?? ""), said: `${name}: ${counted(many, "attempt")} of ${count(total)}${lost}` };
    before = share;
    return step;
  });
}

export function FunnelFigure({ index, table }: { index: Index; table: Table }) {
  const methods = wordsOf([table], "method");
  const [chosen, choose] = useState(methods[0] ?? "");
  const method = methods.includes(chosen) ? chosen : (methods[0] ?? "");
  const own = only(table, { method });
  const steps = stepsOf(own);
  const total = steps[0]?.many ?? 0;
  const draw = (width: number) => {
    const { left, axis } = beside(steps.map((step) => step.name), width);
    const longest = Math.max(...steps.map((step) => step.how.length + 6)) * LETTER;
    const lines = Math.ceil(longest / (width - left - 12));
    const row = BAR + 12 + LINE * lines;
    return Plot.plot({
      width,
      height: row * steps.length + 12,
      marginLeft: left,
      marginTop: 4,
      marginRight: 12,
      marginBottom: 8,
      x: { domain: [0, 1], axis: null },
      y: { type: "band", domain: steps.map((step) => step.name), label: null, padding: (row - BAR) / row, align: 0 },
      marks: [
        Plot.axisY(axis),
        Plot.barX(steps.filter((step) => step.before > step.share), { x1: "share", x2: "before", y: "name", fill: "var(--heat-1)" }),
        Plot.barX(steps, { x1: 0, x2: "share", y: "name", fill: "var(--heat-5)", ariaLabel: "said" }),
        ...[true, false].map((wide) =>
          Plot.text(steps.filter((step) => step.share * (width - left - 12) >= WIDE === wide), {
            x: (step: Step) => (wide ? 0 : step.share), y: "name", textAnchor: "start", dx: 7, fontSize: 12.5, pointerEvents: "none",
            text: (step: Step) => count(step.many), fill: wide ? "var(--heat-ink-5)" : "var(--ink)",
          }),
        ),
        Plot.text(steps.filter((step) => step.how), {
          x: 0, y: "name", textAnchor: "start", lineAnchor: "top", dy: BAR / 2 + 3, fontSize: 11.5, lineWidth: (width - left - 8) / 11.5, fill: "var(--quiet)", text: (step: Step) => `lost: ${step.how}`,
        }),
      ],
    });
  };
  return (
    <Figure
      title="How far attempts get"
      says={`n = ${counted(total, "attempt")} kept at the end that were judged. These are counts, so there is no interval.`}
      draw={draw} depends={[table, method]} table={own}
      choice={methods.length > 1 && <Choice name="Method" hidden options={methods} value={method} change={choose} />}
      more={moreIn(index, "failures", "Failures")}
    />
  );
}
