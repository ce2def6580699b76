/** The letters of an error map: what each stands for, as `core/error_map.py` says it. */
import type { ErrorMap, Worst } from "./evaluation";

const LEVELS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const BORDER = 8;
const FULL = 9;

export interface Cell {
  down: number;
  across: number;
  /** Lines and elements, the last ones included. */
  lines: [number, number];
  elements: [number, number];
  /** More than the first, at most the second. */
  error: [number, number];
  wrong: boolean;
  /** In eighths, 9 for all; null where a cell is one element. */
  share: number | null;
}

function bounds(letter: string): [number, number] {
  if (letter === "*") return [Infinity, Infinity];
  const level = LEVELS.indexOf(letter);
  const low = level <= 0 ? 0 : 10 ** ((level - 1 - BORDER) / 4);
  return [low, level === LEVELS.length - 1 ? Infinity : 10 ** ((level - BORDER) / 4)];
}

export function sizeOf({ lines, steps }: ErrorMap): [number, number] {
  return [Math.ceil(lines[0] / steps[0]), Math.ceil(lines[1] / steps[1])];
}

/** Cells that hold an element, line by line. */
export function cellsOf(map: ErrorMap): Cell[] {
  const [, columns] = sizeOf(map);
  return [...map.cells].flatMap((letter, at) => {
    if (letter === "-") return [];
    const [down, across] = [Math.floor(at / columns), at % columns];
    const error = bounds(letter);
    const share = map.wrong ? Number(map.wrong[at] ?? 0) : null;
    const lines = span(down, map.steps[0], map.lines[0]);
    const elements = span(across, map.steps[1], map.lines[1]);
    return [{ down, across, lines, elements, error, wrong: error[0] >= 1, share }];
  });
}

function span(at: number, step: number, end: number): [number, number] {
  return [at * step, Math.min(end, (at + 1) * step) - 1];
}

/** The cell with the worst element. */
export function placeOf(map: ErrorMap, worst: Worst): [number, number] {
  const flat = map.shape.reduce((sum, size, axis) => sum * size + (worst.index[axis] ?? 0), 0);
  const [line, element] = [Math.floor(flat / map.lines[1]), flat % map.lines[1]];
  return [Math.floor(line / map.steps[0]), Math.floor(element / map.steps[1])];
}

export function shareWords(share: number | null): string {
  if (share === null) return "";
  if (share === 0) return "no element is wrong";
  return share === FULL ? "every element is wrong" : `${share - 1} to ${share} eighths of the elements are wrong`;
}
