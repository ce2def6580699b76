/** What was run, on what, and how far to trust it. */
import * as Plot from "@observablehq/plot";
import { outcomeColour } from "../colours";
import type { Index, Table } from "../data";
import { FAILED_AT_SCALE } from "../evaluation";
import { Figure } from "../figure";
import { count, counted, percent } from "../formats";
import { Heading } from "../heading";
import { TableSection } from "../table";
import type { ViewProps } from "./all";
import { ScopeLines } from "./scopes";

const ORDER = ["correct", "reached", FAILED_AT_SCALE, "wrong", "broken", "rejected", "void"];

export function Overview({ index }: ViewProps) {
  const total = Object.values(index.outcomes).reduce((sum, many) => sum + many, 0);
  return (
    <>
      <Heading>What was run, and how far to trust it</Heading>
      <dl class="tiles">
        <Tile name="evaluations" value={count(total)} />
        <Tile name="tasks" value={count(index.tasks.length)} />
        <Tile name="methods" value={count(index.methods.length)} />
        <Tile name="runs" value={count(index.runs.rows.length)} />
      </dl>
      <Outcomes index={index} total={total} />
      {index.scopes.length > 0 && (
        <section>
          <h2>Core correct</h2>
          <ScopeLines index={index} />
          <p class="says"><a href="#/scopes">Scopes</a> has the intervals, and methods and categories apart.</p>
        </section>
      )}
      {[index.runs, ...index.trust.filter(wide)].map((table) => (
        <TableSection table={table} />
      ))}
      <div class="pair">
        {index.trust.filter((table) => !wide(table)).map((table) => (
          <TableSection table={table} />
        ))}
      </div>
    </>
  );
}

function wide(table: Table): boolean {
  return table.columns.length > 5;
}

function Tile({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Outcomes({ index, total }: { index: Index; total: number }) {
  const rows = ORDER.filter((name) => index.outcomes[name]).map((outcome) => ({
    outcome,
    many: index.outcomes[outcome] ?? 0,
    share: (index.outcomes[outcome] ?? 0) / total,
  }));
  const table: Table = {
    name: "outcomes",
    title: "Outcomes",
    about: "Every evaluation once. Failed at scale: right in every check case, not at a timed size. Void: not judged, since the evaluator failed or does not take the language of the submission; counted here and in no rate.",
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
  const says = `n = ${counted(total, "evaluation")}; a count of what was run, so no interval.`;
  return <Figure title="Outcomes" says={says} draw={draw} table={table} />;
}
