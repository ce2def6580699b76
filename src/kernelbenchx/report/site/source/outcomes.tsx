/** Every evaluation by its outcome. */
import * as Plot from "@observablehq/plot";
import { outcomeColour } from "./colours";
import type { Index, Table } from "./data";
import { FAILED_AT_SCALE } from "./evaluation";
import { Figure } from "./figure";
import { count, counted, percent } from "./formats";

const ORDER = ["correct", "reached", FAILED_AT_SCALE, "wrong", "broken", "rejected", "void"];

export function OutcomesFigure({ index }: { index: Index }) {
  const total = Object.values(index.outcomes).reduce((sum, many) => sum + many, 0);
  const rows = ORDER.filter((name) => index.outcomes[name]).map((outcome) => ({
    outcome,
    many: index.outcomes[outcome] ?? 0,
    share: (index.outcomes[outcome] ?? 0) / total,
  }));
  const table: Table = {
    name: "outcomes",
    title: "Outcomes",
    about: "Every evaluation once. Failed at scale: correct in every check case, not at a timed size. Void: the evaluator failed or does not support the language of the submission; such evaluations are in no rate.",
    columns: [
      { key: "outcome", title: "Outcome", form: "text" },
      { key: "many", title: "Evaluations", form: "count" },
      { key: "share", title: "Share", form: "percent" },
    ],
    rows: rows.map(({ outcome, many, share }) => [outcome, many, share]),
    notes: [],
  };
  const draw = (width: number) =>
    Plot.plot({
      width,
      height: 34 * rows.length + 16,
      marginTop: 6,
      marginBottom: 8,
      marginLeft: index.outcomes[FAILED_AT_SCALE] ? 104 : 74,
      marginRight: 110,
      x: { label: null, axis: null },
      y: { label: null, domain: rows.map((row) => row.outcome), type: "band", padding: 0.2 },
      marks: [
        Plot.axisY({ tickSize: 0, fontSize: 13 }),
        Plot.barX(rows, {
          x: "many",
          y: "outcome",
          fill: (row: { outcome: string }) => outcomeColour(row.outcome),
          ariaLabel: (row: { outcome: string; many: number; share: number }) =>
            `${row.outcome}: ${count(row.many)}, ${percent(row.share)}`,
        }),
        Plot.text(rows, {
          x: "many",
          y: "outcome",
          text: (row: { many: number; share: number }) => `${count(row.many)} (${percent(row.share)})`,
          textAnchor: "start",
          dx: 6,
          fontSize: 13,
        }),
      ],
    });
  const says = `n = ${counted(total, "evaluation")}. These are counts, so there is no interval.`;
  return <Figure title="Outcomes" says={says} draw={draw} table={table} />;
}
