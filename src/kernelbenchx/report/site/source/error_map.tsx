/** Where a wrong output is wrong: the errors of all its elements as a map. */
import * as Plot from "@observablehq/plot";
import { useState } from "preact/hooks";
import { Choice } from "./choice";
import type { Table } from "./data";
import type { ErrorMap, Worst } from "./evaluation";
import { Figure } from "./figure";
import { count, number, percent } from "./formats";
import type { Cell } from "./levels";
import { cellsOf, placeOf, shareWords, sizeOf } from "./levels";

const STEPS: [number, string][] = [
  [10, "up to 10 times"],
  [100, "up to 100"],
  [1e4, "up to 10,000"],
  [Infinity, "more"],
];
const SHARES: [number, string][] = [
  [2, "under a quarter"],
  [4, "under a half"],
  [8, "a half or more"],
  [9, "all"],
];
const KINDS = ["largest error", "share of wrong elements"] as const;
const SMALLEST = 7;
const LARGEST = 26;
const LEFT = 76;

/** Of five: 0 is right, 5 is infinite. */
function depth(cell: Cell, kind: string): number {
  if (!cell.wrong) return 0;
  if (kind === KINDS[1]) return 1 + SHARES.findIndex(([most]) => (cell.share ?? 9) <= most);
  const at = STEPS.findIndex(([most]) => cell.error[0] < most);
  return at < 0 ? STEPS.length + 1 : at + 1;
}

function legend(kind: string): { label: string; colour: string }[] {
  const steps = kind === KINDS[1] ? SHARES : STEPS;
  const named = steps.map(([, label], at) => ({ label, colour: `var(--error-${at + 1})` }));
  const right = { label: kind === KINDS[1] ? "none wrong" : "within what is allowed", colour: "var(--error-0)" };
  return [right, ...named, ...(kind === KINDS[1] ? [] : [{ label: "infinite or NaN", colour: "var(--error-5)" }])];
}

function places([from, to]: [number, number], word: string): string {
  return from === to ? `${word} ${count(from)}` : `${word}s ${count(from)} to ${count(to)}`;
}

function errorWords({ error: [low, high] }: Cell): string {
  if (low === Infinity) return "infinite or NaN where it must not be";
  if (low === 0) return `at most ${number(high)} of what is allowed`;
  return `${rounded(low)} to ${rounded(high)} times what is allowed`;
}

function rounded(value: number): string {
  return Number.isFinite(value) ? Number(value.toPrecision(2)).toLocaleString("en") : "more";
}

function said(cell: Cell): string {
  const share = shareWords(cell.share);
  return `${places(cell.lines, "line")}, ${places(cell.elements, "element")}: ${errorWords(cell)}${share && `; ${share}`}`;
}

function tableOf(cells: Cell[], map: ErrorMap): Table {
  const finite = (value: number) => (Number.isFinite(value) ? value : "infinite");
  return {
    name: "error_map",
    title: "Errors of the wrong output",
    about: `The output has the shape (${map.shape.join(", ")}), here ${linesOf(map)}. Errors are multiples of what the contract allows; the largest of a cell lies between two ends.`,
    columns: [
      { key: "line", title: "From line", form: "count" },
      { key: "line_to", title: "To line", form: "count" },
      { key: "element", title: "From element", form: "count" },
      { key: "element_to", title: "To element", form: "count" },
      { key: "low", title: "Error above", form: "number" },
      { key: "high", title: "At most", form: "number" },
      { key: "share", title: "Wrong", form: "text" },
    ],
    rows: cells.map((cell) => [
      ...cell.lines, ...cell.elements, finite(cell.error[0]), finite(cell.error[1]),
      shareWords(cell.share) || (cell.wrong ? "wrong" : "right"),
    ]),
    notes: [],
  };
}

function axes(map: ErrorMap): number {
  return map.shape.filter((size) => size !== 1).length;
}

function linesOf({ lines, shape }: ErrorMap): string {
  const folded = shape.filter((size) => size !== 1).length < 2 && lines[0] > 1;
  return `${count(lines[0])} lines of ${count(lines[1])} elements${folded ? ", folded in order" : ""}`;
}

interface Props {
  map: ErrorMap;
  worst: Worst;
}

export function ErrorMapFigure({ map, worst }: Props) {
  const [kind, choose] = useState<string>(KINDS[0]);
  const cells = cellsOf(map);
  const [rows, columns] = sizeOf(map);
  const [down, across] = placeOf(map, worst);
  const share = worst.total ? worst.bad / worst.total : 0;
  const draw = (width: number) => drawn(map, cells, { width, rows, columns, kind, worst: [down, across] });
  const cell = `${count(map.steps[0])} × ${count(map.steps[1])}`;
  const says =
    `n = ${count(worst.total)} elements of shape (${map.shape.join(", ")}), ${count(worst.bad)} outside their budget (${percent(share)}); ` +
    `${rows} × ${columns} cells of ${cell} elements, coloured by their ${kind}; the frame holds the worst element. Judged once, so no interval.`;
  return (
    <>
      {map.wrong && (
        <div class="choices">
          <Choice name="Coloured by" options={[...KINDS]} value={kind} change={choose} />
        </div>
      )}
      <Figure
        title="Where it is wrong"
        level={3}
        {...{ says, draw }}
        legend={legend(kind)}
        depends={[map, kind]}
        table={tableOf(cells, map)}
        least={LEFT + SMALLEST * columns + 8}
      />
    </>
  );
}

interface Drawn {
  width: number;
  rows: number;
  columns: number;
  kind: string;
  worst: [number, number];
}

function drawn(map: ErrorMap, cells: Cell[], { width, rows, columns, kind, worst }: Drawn) {
  const size = Math.max(SMALLEST, Math.min(LARGEST, Math.floor((width - LEFT - 8) / columns), Math.max(12, 440 / rows)));
  const folded = axes(map) < 2;
  const range = (many: number) => Array.from({ length: many }, (_, at) => at);
  const few = (many: number, space: number) => range(many).filter((at) => at % Math.ceil(space / size) === 0);
  const first = (at: number) => count(at * map.steps[0] * (folded ? map.lines[1] : 1));
  return Plot.plot({
    width: LEFT + size * columns + 8,
    height: size * rows + 62,
    marginLeft: LEFT,
    marginTop: 22,
    marginRight: 8,
    marginBottom: 40,
    x: { type: "band", domain: range(columns), padding: 0, label: null },
    y: { type: "band", domain: range(rows), padding: 0, label: folded ? "element" : "line", labelAnchor: "top", labelArrow: "down" },
    marks: [
      Plot.axisX({ ticks: few(columns, 58), tickFormat: (at: number) => count(at * map.steps[1]), label: folded ? "and so many further →" : "element of the last axis →", labelAnchor: "left", labelOffset: 36, tickSize: 3 }),
      Plot.axisY({ ticks: few(rows, 16), tickFormat: first, label: folded ? "↓ element" : "↓ line", labelAnchor: "top", tickSize: 3 }),
      Plot.cell(cells, {
        x: "across", y: "down", inset: 0.5,
        fill: (cell: Cell) => `var(--error-${depth(cell, kind)})`,
        ariaLabel: said,
      }),
      Plot.cell([worst], { x: (at: number[]) => at[1], y: (at: number[]) => at[0], fill: "none", stroke: "var(--ink)", strokeWidth: 2, pointerEvents: "none" }),
    ],
  });
}
