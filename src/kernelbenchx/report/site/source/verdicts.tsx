/** Verdicts on the papers' claims: how many of each, and every one with its value. */
import type { Column, Page, Value } from "./data";
import { records } from "./data";
import { count, number } from "./formats";
import type { Row } from "./rows";
import { tableNamed } from "./rows";
import { DataTable } from "./table";

const COLOURS: Record<string, string> = {
  holds: "var(--correct)",
  fails: "var(--broken)",
  "cannot be told": "var(--void)",
  "not enough": "var(--void)",
};
const TEXTS = ["Statement", "Verdict", "Value", "Holds if", "Printed", "About"];
const COLUMNS: Column[] = TEXTS.map((title) => ({ key: title, title, form: "text" }));

interface Props {
  page: Page;
  /** One row for each statement, with the value of its first. */
  short?: boolean;
}

export function Verdicts({ page, short = false }: Props) {
  const table = tableNamed(page, "claims");
  const defined = tableNamed(page, "claims_defined");
  if (!table) return null;
  const rows = records(table);
  const said = new Map(defined ? records(defined).map((row) => [String(row.claim), String(row.says)]) : []);
  const cells = short ? statements(rows, said) : rows.map((row) => cellsOf(row, String(row.verdict), rows, said));
  return (
    <>
      <dl class="tiles">
        {Object.keys(COLOURS).map((verdict) => (
          <div>
            <dt>{verdict}</dt>
            <dd style={{ color: COLOURS[verdict] }}>{count(rows.filter((row) => row.verdict === verdict).length)}</dd>
          </div>
        ))}
      </dl>
      <DataTable table={{ ...table, columns: COLUMNS, rows: cells }} cell={badges} saved={table} stacks />
    </>
  );
}

function statements(rows: Row[], said: Map<string, string>): Value[][] {
  const claims = [...new Set(rows.map((row) => row.claim))];
  return claims.flatMap((claim) => {
    const own = rows.filter((row) => row.claim === claim);
    const [first] = own;
    return first ? [cellsOf(first, counted(own), rows, said)] : [];
  });
}

/** `holds 4, fails 1`; a single one has no number. */
function counted(rows: Row[]): string {
  const found = Object.keys(COLOURS).flatMap((verdict) => {
    const many = rows.filter((row) => row.verdict === verdict).length;
    return many ? [rows.length > 1 ? `${verdict} ${many}` : verdict] : [];
  });
  return found.join(", ");
}

function cellsOf(row: Row, verdict: string, rows: Row[], said: Map<string, string>): Value[] {
  const several = new Set(rows.map((one) => one.study)).size > 1;
  return [
    said.get(String(row.claim)) ?? String(row.claim),
    verdict,
    valueOf(row),
    String(row.border),
    row.printed || null,
    [[several ? row.study : "", row.subject].filter(Boolean).join(": "), typeof row.n === "number" ? `n = ${count(row.n)} ${row.of}` : ""].filter(Boolean).join("; ") || null,
  ];
}

/** `71.67 percent, 59.23 to 81.49`. */
function valueOf(row: Row): Value {
  if (typeof row.value !== "number") return null;
  const ends = [row.value_low, row.value_high].filter((one) => typeof one === "number");
  const between = ends.length === 2 ? `, ${ends.map(number).join(" to ")}` : ", no interval";
  return `${number(row.value)} ${row.unit}${between}`;
}

function badges(_row: Value[], column: Column, value: Value) {
  if (column.key !== "Verdict") return undefined;
  return (
    <span>
      {String(value).split(", ").map((word) => (
        <><span class="badge" style={{ color: COLOURS[word.replace(/ \d+$/, "")] ?? "inherit" }}>{word}</span>{" "}</>
      ))}
    </span>
  );
}
