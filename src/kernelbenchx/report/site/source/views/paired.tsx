/** What the analysis says of two methods on the tasks that both tried. */
import type { Page, Table } from "../data";
import { IntervalFigure } from "../intervals";
import { Loaded } from "../loaded";
import type { Known } from "../rows";
import { known, only, spans, tableNamed } from "../rows";

interface Props {
  first: string;
  second: string;
  gpu: string;
}

/** The table knows each pair once: the other way round, every end changes places. */
function between(table: Table, { first, second, gpu }: Props, key: string, turned: (value: number) => number): Known[] {
  const straight = known(only(table, { gpu, first, second }), key);
  const back = known(only(table, { gpu, first: second, second: first }), key);
  const end = (value: number | null) => (value === null ? null : turned(value));
  return [...straight, ...back.map((one) => ({ ...one, value: turned(one.value), low: end(one.high), high: end(one.low) }))];
}

export function Paired({ pages, ...props }: Props & { pages: string[] }) {
  return (
    <>
      {pages.includes("rates") && (
        <Loaded name="pages/rates">{(page: Page) => <Rates page={page} {...props} />}</Loaded>
      )}
      {pages.includes("speed") && (
        <Loaded name="pages/speed">{(page: Page) => <Speed page={page} {...props} />}</Loaded>
      )}
    </>
  );
}

function Rates({ page, ...props }: Props & { page: Page }) {
  const tables = ["called", "core", "correct", "timed"].flatMap((what) => {
    const table = tableNamed(page, `paired_${what}`);
    return table ? [{ what, table, rows: between(table, props, "difference", (value) => -value) }] : [];
  });
  const rows = tables.flatMap(({ what, rows }) => rows.map((one) => ({ ...one, row: { ...one.row, what } })));
  const about = tables.find(({ what }) => what === "correct")?.table;
  if (!rows.length || !about) return null;
  return (
    <IntervalFigure
      title={`${props.first} less ${props.second}: difference of shares`}
      says={`${spans(rows)}, the tasks that both tried; lines are 95 % intervals of the paired difference. Right of the dashed line, ${props.first} is ahead.`}
      table={only(about, { gpu: props.gpu })}
      rows={rows}
      label={({ row }) => String(row.what)}
      form="percent"
      axis="difference of shares →"
      border={0}
    />
  );
}

function Speed({ page, ...props }: Props & { page: Page }) {
  const table = tableNamed(page, "paired");
  const rows = table ? between(table, props, "ratio", (value) => 1 / value) : [];
  if (!rows.length || !table) return null;
  return (
    <IntervalFigure
      title={`${props.first} over ${props.second}: ratio of speeds`}
      says={`${spans(rows)} for which both have a kernel; ratios of geometric means with 95 % intervals over tasks. Right of the dashed line, ${props.first} is ahead.`}
      table={only(table, { gpu: props.gpu })}
      rows={rows}
      label={({ row }) => `${row.composition}, over ${row.baseline}`}
      form="ratio"
      axis="ratio of speedups →"
      border={1}
    />
  );
}
