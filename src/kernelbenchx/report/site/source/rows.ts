/** Reading tables of the analysis: by name, by GPU, values with their ends. */
import type { Index, Page, Table, Value } from "./data";
import { records } from "./data";
import { count, counted } from "./formats";

export type Row = Record<string, Value>;

export function tableNamed(page: Page, name: string): Table | undefined {
  return page.tables.find((table) => table.name === name && table.rows.length > 0);
}

export type Filter = Record<string, string>;

/** Rows with these words, which are then not repeated in each; a column that is not there asks nothing. */
export function only(table: Table, wanted: Filter): Table {
  return Object.entries(wanted).reduce((left, [key, word]) => {
    const at = left.columns.findIndex((column) => column.key === key && column.form === "text");
    if (at < 0 || !word) return left;
    const others = <T>(cells: T[]) => cells.filter((_, place) => place !== at);
    const rows = left.rows.filter((row) => row[at] === word).map(others);
    return { ...left, columns: others(left.columns), rows };
  }, table);
}

/** The words of a column, in the order of their first row. */
export function wordsOf(tables: Table[], key: string): string[] {
  const found = tables.flatMap((table) => {
    const at = table.columns.findIndex((column) => column.key === key && column.form === "text");
    return at < 0 ? [] : table.rows.map((row) => String(row[at]));
  });
  return [...new Set(found)];
}

export interface Ends {
  value: number;
  low: number | null;
  high: number | null;
}

function numeric(value: Value | undefined): number | null {
  return typeof value === "number" ? value : null;
}

/** `correct` has its ends in `correct_low` and `correct_high`, or the row has one pair for all. */
export function ends(row: Row, key: string): Ends | null {
  const value = numeric(row[key]);
  if (value === null) return null;
  const own = `${key}_low` in row;
  return {
    value,
    low: numeric(own ? row[`${key}_low`] : row.low),
    high: numeric(own ? row[`${key}_high`] : row.high),
  };
}

export interface Known extends Ends {
  row: Row;
}

/** Rows in which the value is known. */
export function known(table: Table, key: string): Known[] {
  return records(table).flatMap((row) => {
    const found = ends(row, key);
    return found ? [{ ...found, row }] : [];
  });
}

/** Columns that say how many, and of what. */
export type Counts = Record<string, string>;

/** `lines of attempts` as one of them. */
function one(words: string): string {
  return words.replace(/s\b/, "");
}

const COUNTS: Counts = { kernels: "kernels", tasks: "tasks", attempts: "attempts" };

/** Sizes as a table says them: `n = 184 tasks, 552 attempts`. */
export function sizes(row: Row, counts: Counts = COUNTS): string {
  const said = Object.entries(counts).flatMap(([key, word]) =>
    typeof row[key] === "number" ? [counted(row[key], one(word), word)] : [],
  );
  return said.length ? `n = ${said.join(", ")}` : "";
}

/** The same over several rows: `n = 97 to 184 tasks and 97 to 552 attempts each`. */
export function spans(rows: Known[], counts: Counts = COUNTS): string {
  const said = Object.entries(counts).flatMap(([key, word]) => {
    const found = rows.map(({ row }) => row[key]).filter((value) => typeof value === "number");
    if (!found.length) return [];
    const [least, most] = [Math.min(...found), Math.max(...found)];
    return [least === most ? counted(least, one(word), word) : `${count(least)} to ${counted(most, word, word)}`];
  });
  return `n = ${said.join(" and ") || rows.length}${rows.length > 1 ? " each" : ""}`;
}

export function methodAt(index: Index, name: Value | undefined): number {
  return Math.max(0, index.methods.indexOf(String(name)));
}
