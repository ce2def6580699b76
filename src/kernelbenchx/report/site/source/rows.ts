/** Reading tables of the analysis: by name, by card, values with their ends. */
import type { Index, Page, Table, Value } from "./data";
import { records } from "./data";

export type Row = Record<string, Value>;

export function tableNamed(page: Page, name: string): Table | undefined {
  return page.tables.find((table) => table.name === name && table.rows.length > 0);
}

/** Rows of one card, without its name in each; a table that knows no cards is taken whole. */
export function ofCard(table: Table, card: string): Table {
  const at = table.columns.findIndex((column) => column.key === "card");
  if (at < 0 || !card) return table;
  const others = <T>(cells: T[]) => cells.filter((_, place) => place !== at);
  const rows = table.rows.filter((row) => row[at] === card).map(others);
  return { ...table, columns: others(table.columns), rows };
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

/** Sizes as the tables say them: `n = 184 tasks, 552 attempts`. */
export function sizes(row: Row): string {
  const said = ["kernels", "tasks", "attempts"].flatMap((key) =>
    typeof row[key] === "number" ? [`${row[key].toLocaleString("en")} ${key}`] : [],
  );
  return said.length ? `n = ${said.join(", ")}` : "";
}

export function methodAt(index: Index, name: Value | undefined): number {
  return Math.max(0, index.methods.indexOf(String(name)));
}
