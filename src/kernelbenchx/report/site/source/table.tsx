/** A table of the analysis: sortable, scrollable where it is wide, with its definition above it. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Column, Table, Value } from "./data";
import { count, shown } from "./formats";
import { Save } from "./save";
import { Scroll } from "./scroll";
import type { Place } from "./layout";
import { betweenEnds, placesOf } from "./layout";

const PAGE = 100;
const SHORT = 12;
const FEW_LETTERS = 30;
/** Titles of so many letters stay on one line. */
const LONG_TITLE = 14;
/** Names of so many letters stay on one line beside the rest of a table. */
const SHORT_NAME = 16;
/** Names that are longer do not stay in view while a table is scrolled. */
const LONG_NAME = 48;

interface Order {
  at: number;
  down: boolean;
}

/** How a table is sorted when it is opened: by the column of this key. */
export interface FirstOrder {
  key: string;
  down: boolean;
}

function before(a: Value, b: Value): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

/** What is unknown stays at the end, whichever way the rest is sorted. */
function sorted(rows: Value[][], order: Order | null): Value[][] {
  if (!order) return rows;
  const { at, down } = order;
  return [...rows].sort((left, right) => {
    const a = left[at] ?? null;
    const b = right[at] ?? null;
    const step = before(a, b);
    return down && a !== null && b !== null ? -step : step;
  });
}

function numeric(column: Column | undefined): boolean {
  return column !== undefined && column.form !== "text";
}

function style(column: Column, value: Value): string {
  if (numeric(column)) return "number";
  const letters = String(value).length;
  return `${letters <= FEW_LETTERS ? "short" : "long"}${letters > SHORT_NAME ? " broken" : ""}`;
}

interface Props {
  table: Table;
  /** Where a cell leads, if anywhere. */
  link?: (row: Value[], column: Column) => string | undefined;
  /** Another way to show a cell. */
  cell?: (row: Value[], column: Column, value: Value) => ComponentChildren | undefined;
  /** Words on a line of their own under a row. */
  below?: (row: Value[]) => string | undefined;
  caption?: boolean;
  first?: FirstOrder;
  /** What the buttons save, where it is not the table as it is shown; null where others have them. */
  saved?: Table | null;
  /** On a narrow screen each row becomes a block of lines with the titles beside the values. */
  stacks?: boolean;
}

/** Long names have no blanks: those of cases may break between parameters, others after these signs. */
function breakable(text: string): ComponentChildren {
  const places = text.includes("=") ? /(?<=,)(?=\w+=)/ : /(?<=[,/_])/;
  return text.split(places).flatMap((part, at) => (at ? [<wbr />, part] : [part]));
}

function textAt(row: Value[], { column, at, high }: Place): string {
  return high === undefined ? shown(row[at] ?? null, column.form) : betweenEnds(row[at] ?? null, row[high] ?? null, column.form);
}

function orderOf(table: Table, first: FirstOrder | undefined): Order | null {
  const at = first ? table.columns.findIndex((column) => column.key === first.key) : -1;
  return first && at >= 0 ? { at, down: first.down } : null;
}

/** Names that stay in view while the rest is scrolled: they must leave room for it. */
function named(table: Table): boolean {
  return table.columns.length > 2 && table.columns[0]?.form === "text" && table.rows.every((row) => String(row[0]).length <= LONG_NAME);
}

export function DataTable({ table, link, cell, below, caption = true, first, saved = table, stacks }: Props) {
  const [order, setOrder] = useState<Order | null>(() => orderOf(table, first));
  const [limit, setLimit] = useState(PAGE);
  const rows = sorted(table.rows, order);
  const { places, empty } = placesOf(table);
  // Of numbers the largest are wanted first, of names the first letters.
  const turn = (at: number) =>
    setOrder(order?.at === at ? { at, down: !order.down } : { at, down: numeric(table.columns[at]) });
  return (
    <div class="table">
      {caption && <About table={table} />}
      <Scroll label={`Table: ${table.title}`}>
        <table class={stacks ? "stacks" : named(table) ? "named" : undefined}>
          <thead>
            <tr>
              {places.map(({ column, at }) => (
                <Head column={column} order={order?.at === at ? order : null} turn={() => turn(at)} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, limit).map((row) => {
              const more = below?.(row);
              return (
                <>
                  <tr class={more ? "above" : undefined}>
                    {places.map((place) => {
                      const { column, at } = place;
                      const value = row[at] ?? null;
                      const text = cell?.(row, column, value) ?? breakable(textAt(row, place));
                      const href = link?.(row, column);
                      return (
                        <td class={style(column, value)} data-title={stacks ? column.title : undefined}>
                          {href ? <a href={href}>{text}</a> : text}
                        </td>
                      );
                    })}
                  </tr>
                  {more && <tr class="below"><td colSpan={places.length}><div>{more}</div></td></tr>}
                </>
              );
            })}
          </tbody>
        </table>
      </Scroll>
      {rows.length > limit && (
        <p>
          <button type="button" onClick={() => setLimit(limit + 5 * PAGE)}>
            More rows ({count(limit)} of {count(rows.length)} shown)
          </button>
        </p>
      )}
      {table.rows.length === 0 && <p class="quiet">No rows.</p>}
      {empty.length > 0 && <p class="hint">Without a value here: {empty.join(", ")}.</p>}
      {saved && saved.rows.length > 0 && <p class="saves"><Save table={saved} /></p>}
    </div>
  );
}

function Head({ column, order, turn }: { column: Column; order: Order | null; turn: () => void }) {
  const state = order ? (order.down ? "descending" : "ascending") : undefined;
  return (
    <th scope="col" aria-sort={state} class={`${numeric(column) ? "number" : ""} ${column.title.length > LONG_TITLE ? "wraps" : ""}`}>
      <button type="button" onClick={turn} title="Sort by this column">
        {headed(column.title)}
        <span class="turn" aria-hidden="true">{order ? (order.down ? "↓" : "↑") : "↕"}</span>
      </button>
    </th>
  );
}

const NAMES = ["torch", "triton", "kernelbenchx"];

/** Titles begin with a capital, unless they are names or signs such as `fast_p`. */
function headed(title: string): string {
  const first = /^[a-z]{2,}(?=$|[ ,-])/.exec(title)?.[0];
  return first && !NAMES.includes(first) ? first.charAt(0).toUpperCase() + title.slice(1) : title;
}

/** Words between backticks are names: shown as such. */
function marked(text: string): ComponentChildren {
  return text.split("`").map((part, at) => (at % 2 ? <code>{part}</code> : part));
}

export function About({ table }: { table: Table }) {
  return (
    <div class="about">
      {table.about && <p>{marked(table.about)}</p>}
      {table.notes.map((note) => (
        <p class="note">{marked(note)}</p>
      ))}
    </div>
  );
}

/** A table under its own heading; a long one is opened by a button. */
export function TableSection(props: Props) {
  const { table } = props;
  const long = table.rows.length > SHORT;
  const [open, setOpen] = useState(!long);
  return (
    <section>
      <h2>{table.title}</h2>
      <About table={table} />
      {long && (
        <p class="saves">
          <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? "Hide the table" : `Show the table (${count(table.rows.length)} rows)`}
          </button>
          <Save table={table} />
        </p>
      )}
      {open && <DataTable {...props} caption={false} saved={long ? null : table} />}
    </section>
  );
}
