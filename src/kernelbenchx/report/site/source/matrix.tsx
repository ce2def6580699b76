/** Shares as a map: two names make a cell, its colour says how much. */
import * as Plot from "@observablehq/plot";
import type { ComponentChildren } from "preact";
import { above, columnFor } from "./beside";
import { heat } from "./colours";
import type { Column, Table, Value } from "./data";
import { Empty, Figure } from "./figure";
import { interval, percent } from "./formats";
import type { Known } from "./rows";
import { sizes } from "./rows";

interface Props {
  title: string;
  says: string;
  table: Table;
  rows: Known[];
  /** Keys of the names down and across. */
  down: string;
  across: string;
  word: string;
  /** The share that gets the strongest colour. */
  top?: number;
  href?: (down: string, across: string) => string;
  more?: { href: string; text: string };
  choice?: ComponentChildren;
}

interface Cell extends Known {
  down: string;
  across: string;
  said: string;
}

const CELL = 46;
const WIDEST = 78;
const ROW = 30;
/** Columns are not drawn wider than this: a map of one method would be stripes. */
const MOST = 150;

export function MatrixFigure({ title, says, table, rows, down, across, word, top = 1, href, more, choice }: Props) {
  const { paint, legend } = heat(top);
  const cells: Cell[] = rows.map((one) => {
    const names = { down: String(one.row[down]), across: String(one.row[across]) };
    const told = `${percent(one.value)} ${word}, ${interval(one.low, one.high, "percent")}, ${sizes(one.row)}`;
    return { ...one, ...names, said: `${names.down}, ${names.across}: ${told}` };
  });
  if (!cells.length) return <Empty title={title} />;
  const lines = [...new Set(cells.map((cell) => cell.down))];
  const columns = [...new Set(cells.map((cell) => cell.across))];
  const left = Math.max(...lines.map((name) => name.length), 4) * 7 + 14;
  const draw = (room: number) => {
    const width = Math.min(room, left + MOST * columns.length);
    const { top: deep, axis: heads } = above(columns, (width - left) / columns.length);
    return Plot.plot({
      width,
      height: ROW * lines.length + 36 + deep,
      marginLeft: left,
      marginTop: 28 + deep,
      marginRight: 4,
      marginBottom: 8,
      x: { type: "band", domain: columns, axis: null, padding: 0 },
      y: { type: "band", domain: lines, label: null, padding: 0 },
      marks: [
        Plot.axisY({ tickSize: 0, fontSize: 12.5 }),
        Plot.axisX({ anchor: "top", label: null, ...heads }),
        Plot.cell(cells, {
          x: "across", y: "down", inset: 1,
          fill: (cell: Cell) => paint(cell.value).fill,
          ariaLabel: "said",
          ...(href ? { href: (cell: Cell) => href(cell.down, cell.across) } : {}),
        }),
        Plot.text(cells, {
          x: "across", y: "down", fontSize: 12.5, pointerEvents: "none",
          text: (cell: Cell) => `${Math.round(100 * cell.value)} %`,
          fill: (cell: Cell) => paint(cell.value).ink,
        }),
      ],
    });
  };
  const at = (key: string) => table.columns.findIndex((column) => column.key === key);
  const link = (row: Value[], column: Column) =>
    href && column.key === down ? href(String(row[at(down)]), String(row[at(across)])) : undefined;
  return (
    <Figure
      {...{ title, says, legend, draw, table, link, more, choice }}
      depends={[rows]}
      least={left + Math.max(CELL, Math.min(WIDEST, columnFor(columns))) * columns.length}
    />
  );
}
