/** Cases of one submission by scope: in a phrase, and as a table. */
import type { Attempt, Table } from "./data";
import { counted } from "./formats";
import { DataTable } from "./table";

/** In the order of `core/scopes.py`; cases that need several are counted last. */
export const SCOPES = ["core", "layout", "dtype", "values", "degenerate", "scale"];
const MEANING: Record<string, string> = {
  core: "contiguous inputs, main dtypes, ordinary values and shapes",
  layout: "strided, transposed, offset or expanded inputs; out= and in-place",
  dtype: "integers, bool, float64, complex; dtype=",
  values: "NaN, infinities, values near the largest of the dtype",
  degenerate: "empty and 0-d tensors, tensors of one element",
  scale: "the timed sizes",
  combined: "several of these at once",
};

/** `core correct; fails layout 4 of 5, dtype 2 of 3`; empty where nothing fails or was judged. */
export function graded({ core, scopes }: Attempt): string {
  const failed = scopes.filter(([, passed, total]) => passed < total);
  if (!failed.length) return "";
  const said = failed.map(([scope, passed, total]) => `${scope} ${total - passed} of ${total}`);
  return [core ? "core correct" : "", `fails ${said.join(", ")}`].filter(Boolean).join("; ");
}

function tableOf({ scopes }: Attempt): Table {
  const known = new Map(scopes.map((one) => [one[0], one]));
  const named = [...SCOPES, ...(known.has("combined") ? ["combined"] : [])];
  return {
    name: "scopes",
    title: "Cases by scope",
    about: "A case counts for a scope if it needs that scope alone. A case that was not reached is a failure.",
    columns: [
      { key: "scope", title: "Scope", form: "text" },
      { key: "verdict", title: "Verdict", form: "text" },
      { key: "passed", title: "Passed", form: "count" },
      { key: "total", title: "Cases", form: "count" },
      { key: "asks", title: "Needs", form: "text" },
    ],
    rows: named.map((scope) => {
      const [, passed, total] = known.get(scope) ?? [scope, 0, 0];
      const verdict = !total ? "not judged" : passed === total ? "passes" : `fails ${total - passed}`;
      return [scope, verdict, total ? passed : null, total || null, MEANING[scope] ?? ""];
    }),
    notes: [],
  };
}

/** Where no case was judged there is nothing to show. */
export function Scopes({ attempt, pattern }: { attempt: Attempt; pattern: string | undefined }) {
  if (!attempt.scopes.length) return null;
  const right = attempt.scopes.filter(([, passed, total]) => passed === total).length;
  return (
    <section>
      <h2>Cases by scope</h2>
      <p>{graded(attempt) || `passes all ${counted(right, "scope")} that were judged`}.</p>
      {pattern && <p class="pattern">{pattern}</p>}
      <DataTable
        table={tableOf(attempt)}
        cell={(_row, column, value) => {
          if (column.key !== "verdict") return undefined;
          const word = String(value);
          const colour = word === "passes" ? "var(--correct)" : word === "not judged" ? "var(--quiet)" : "var(--wrong)";
          return <span class="badge" style={{ color: colour }}>{word}</span>;
        }}
      />
    </section>
  );
}
