/** Every check case of a submission: what became of it, and how far off it was. */
import type { Table, Value } from "./data";
import type { CaseResult } from "./evaluation";
import { spelled } from "./evaluation";
import { counted, number, words } from "./formats";
import { Badge } from "./heading";
import { DataTable } from "./table";

const STATES = ["passed", "wrong", "broken", "not_reached"];
const LEFT_OUT: Record<string, string> = {
  not_reached: "processes ended in other cases, or only a GPU can run it",
};

/** The reason in words; what follows was said by others and stays as it is. */
function how(said: string): string {
  return said.replace(/^[a-z_]+(?=:)/, words);
}

function error(value: number | string | null): Value {
  if (value === null) return null;
  const found = spelled(value);
  return Number.isFinite(found) ? Number(found.toPrecision(3)) : "infinite";
}

function tableOf(cases: CaseResult[]): Table {
  const told = cases.map(([, state, , said]) => how(said) || (LEFT_OUT[state] ?? ""));
  const some = told.some(Boolean);
  const scopes = cases.some(([, , , , needs]) => needs);
  return {
    name: "checks",
    title: "Every check case",
    about: "Judged against the truth in float64. The error is the largest of all elements as a multiple of what the contract allows: 1 is the border.",
    columns: [
      { key: "state", title: "Became", form: "text" },
      { key: "error", title: "Error", form: "number" },
      ...(scopes ? [{ key: "needs", title: "Needs", form: "text" as const }] : []),
      { key: "case", title: "Case", form: "text" },
      ...(some ? [{ key: "how", title: "How", form: "text" as const }] : []),
    ],
    rows: cases.map(([name, state, far, , needs], at) => [
      state,
      error(far),
      ...(scopes ? [needs?.join(", ") || "core"] : []),
      name,
      ...(some ? [told[at] ?? ""] : []),
    ]),
    notes: [],
  };
}

/** Where no case was called there is nothing to show. */
export function CheckCases({ cases }: { cases: CaseResult[] | undefined }) {
  if (!cases?.length) return null;
  const many = (state: string) => cases.filter((one) => one[1] === state).length;
  const counts = STATES.filter(many).map((state) => `${many(state)} ${words(state)}`);
  return (
    <section>
      <h2>Every check case</h2>
      <p class="says">{counted(cases.length, "case")}: {counts.join(", ")}.</p>
      <DataTable
        table={tableOf(cases)}
        cell={(_row, column, value) => {
          if (column.key === "state") return <Badge outcome={words(String(value))} />;
          return column.key === "error" && typeof value === "number" ? number(value) : undefined;
        }}
      />
    </section>
  );
}
