/** How a table is laid out: a value and its ends side by side, columns without a value left out. */
import type { Column, Table, Value } from "./data";
import { interval } from "./formats";

export interface Place {
  column: Column;
  /** Where its values are in a row. */
  at: number;
  /** Where the upper end is, where a column shows both ends. */
  high?: number;
}

const INTERVAL = "Interval";

function isEnd(column: Column | undefined, word: string): boolean {
  return column !== undefined && column.form !== "text" && (column.key === word || column.key.endsWith(`_${word}`));
}

/** The columns that are shown, and the titles of those without any value. */
export function placesOf({ columns, rows }: Table): { places: Place[]; empty: string[] } {
  const hasValue = (at: number) => !rows.length || rows.some((row) => (row[at] ?? null) !== null);
  const places: Place[] = [];
  const empty: string[] = [];
  for (let at = 0; at < columns.length; at += 1) {
    const column = columns[at];
    if (!column) continue;
    const both = isEnd(column, "low") && isEnd(columns[at + 1], "high");
    const there = hasValue(at) || (both && hasValue(at + 1));
    if (there) places.push(both ? { column: { ...column, title: INTERVAL }, at, high: at + 1 } : { column, at });
    else if (!both) empty.push(column.title);
    if (both) at += 1;
  }
  return { places, empty };
}

/** `12.3 to 45.6`: the value beside it has the unit. */
export function betweenEnds(low: Value, high: Value, form: Column["form"]): string {
  if (typeof low !== "number" || typeof high !== "number") return "–";
  return interval(low, high, form).replace(/ ?[%×s](?= to |$)/g, "");
}
