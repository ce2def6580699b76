/** Shares of attempts that a map can show, by the key of their column. */
import type { Table } from "./data";
import { known } from "./rows";

const WORDS: Record<string, string> = { correct: "correct", core: "core correct", called: "that run", timed: "timed" };

export interface Measure {
  key: string;
  word: string;
}

/** Those that a table knows, the main one first. */
export function measuresOf(table: Table): Measure[] {
  const found = Object.entries(WORDS).map(([key, word]) => ({ key, word }));
  return found.filter(({ key }) => known(table, key).length);
}

export function measureNamed(measures: Measure[], word: string): Measure {
  return measures.find((one) => one.word === word) ?? measures[0] ?? { key: "correct", word: "correct" };
}
