/** Methods in order: every rate and speed with its interval, as a table that can be sorted. */
import { Bar, factorScale } from "../bars";
import { Choice } from "../choice";
import { hue } from "../colours";
import type { Column, Index, Page, Table, Value } from "../data";
import { records } from "../data";
import { interval, shown, withQuery } from "../formats";
import { GpuChoice, gpuOf, gpuQuery } from "../gpu_choice";
import { Heading } from "../heading";
import { IntervalFigure } from "../intervals";
import { LinesFigure } from "../lines";
import { Loaded } from "../loaded";
import { PageBody } from "../page";
import { PAPER_DIFFERS, PAPER_MEANS } from "../published";
import type { Ends, Known, Row } from "../rows";
import { ends, known, methodAt, only, spans, tableNamed, wordsOf } from "../rows";
import { About, DataTable } from "../table";
import type { ViewProps } from "./all";

interface Measure {
  key: string;
  title: string;
  form: Column["form"];
  means: string;
}

const RATES: Measure[] = [
  { key: "correct", title: "Correct", form: "percent", means: "every call is right, at timed sizes too" },
  { key: "core", title: "Core correct", form: "percent", means: "every ordinary call is right" },
  { key: "corners", title: "Corners", form: "percent", means: "right in the calls that all runs have in common" },
  { key: "called", title: "Runs", form: "percent", means: "loads, compiles, and every call ends" },
  { key: "timed", title: "Timed", form: "percent", means: "correct, with times that can be trusted" },
];
const SPEEDS: Measure[] = [
  { key: "speedup", title: "Speedup", form: "ratio", means: "geometric mean over eager, device time" },
  { key: "faster", title: "Faster", form: "percent", means: "share of timed kernels faster than eager" },
  { key: "score", title: "Score", form: "percent", means: "share of the GPU's peak" },
];
const DRAWN = ["by_method", "pass_at_k", "by_category", "by_round", "paired_correct"];

export function LeaderboardView(props: ViewProps) {
  if (!props.index.pages.includes("speed")) return <Body {...props} speed={null} />;
  return <Loaded name="pages/speed">{(speed: Page) => <Body {...props} speed={speed} />}</Loaded>;
}

function Body({ index, route, speed }: ViewProps & { speed: Page | null }) {
  const gpu = gpuOf(index, route);
  const compositions = speed ? wordsOf(speed.tables, "composition") : [];
  const wanted = route.query.get("composition") ?? "";
  const composition = compositions.includes(wanted) ? wanted : (compositions[0] ?? "");
  const go = (word: string) => {
    location.hash = withQuery("#/leaderboard", { ...Object.fromEntries(route.query), composition: word });
  };
  return (
    <>
      <Heading>Leaderboard</Heading>
      <div class="choices">
        <GpuChoice index={index} route={route} />
        {compositions.length > 1 && <Choice name="Speeds of" options={compositions} value={composition} change={go} />}
      </div>
      <PageBody name="rates" wanted={{ gpu }} drawn={DRAWN}>
        {(page) => (
          <>
            <Board index={index} rates={page} speed={speed} wanted={{ gpu, baseline: "eager", composition }} />
            <PassAtK index={index} table={tableNamed(page, "pass_at_k")} gpu={gpu} />
            <Differences table={tableNamed(page, "paired_correct")} gpu={gpu} />
          </>
        )}
      </PageBody>
    </>
  );
}

interface BoardProps {
  index: Index;
  rates: Page;
  speed: Page | null;
  wanted: { gpu: string; baseline: string; composition: string };
}

function byMethod(page: Page | null, name: string, wanted: Record<string, string>): Map<string, Row> {
  const table = page ? tableNamed(page, name) : undefined;
  return new Map(table ? records(only(table, wanted)).map((row) => [String(row.method), row]) : []);
}

function Board({ index, rates, speed, wanted }: BoardProps) {
  const rows = byMethod(rates, "by_method", wanted);
  const parts = [byMethod(speed, "by_method", wanted), byMethod(speed, "efficiency", wanted)];
  if (!rows.size) return null;
  const found = (method: string, key: string): Ends | null =>
    [rows, ...parts].map((part) => part.get(method)).map((row) => (row ? ends(row, key) : null)).find((one) => one !== null) ?? null;
  const methods = [...rows.keys()];
  const measures = [...RATES, ...SPEEDS].filter(({ key }) => methods.some((method) => found(method, key)));
  const table: Table = {
    name: "leaderboard",
    title: "Methods",
    about: "Each task has the same weight; the kernel kept at the end counts. Lines in the bars are 95 % intervals over tasks. Click a heading to sort.",
    columns: [
      { key: "method", title: "Method", form: "text" },
      ...measures.map(({ key, title, form }) => ({ key, title, form })),
      { key: "tasks", title: "Tasks", form: "count" },
      { key: "attempts", title: "Attempts", form: "count" },
    ],
    rows: methods.map((method) => [
      method, ...measures.map(({ key }) => found(method, key)?.value ?? null),
      rows.get(method)?.tasks ?? null, rows.get(method)?.attempts ?? null,
    ]),
    notes: [index.published ? `${PAPER_MEANS} ${PAPER_DIFFERS}` : `${measures.map(({ title, means }) => `${title}: ${means}`).join(". ")}.`],
  };
  const factors = factorScale(methods.flatMap((method) => found(method, "speedup")?.value ?? []));
  const cell = (row: Value[], column: Column) => {
    const method = String(row[0]);
    const one = measures.some(({ key }) => key === column.key) ? found(method, column.key) : null;
    if (!one) return undefined;
    const colour = hue(methodAt(index, method));
    const text = shown(one.value, column.form);
    const place = column.form === "ratio" ? { at: factors, from: 1 } : { at: (value: number) => value };
    return <span title={`${text}, ${interval(one.low, one.high, column.form)}`}><Bar ends={one} text={text} colour={colour} {...place} /></span>;
  };
  const link = (row: Value[], column: Column) =>
    column.key === "method" && !index.published ? withQuery("#/tasks", { method: String(row[0]), ...gpuQuery(index, wanted.gpu) }) : undefined;
  return (
    <section class="leaderboard">
      <DataTable table={table} cell={cell} link={link} caption={false} first={{ key: "correct", down: true }} />
      <About table={table} />
    </section>
  );
}

/** How far two methods are apart, over the tasks that both tried. */
function Differences({ table, gpu }: { table: Table | undefined; gpu: string }) {
  if (!table) return null;
  const own = only(table, { gpu });
  const rows = known(own, "difference").map(ahead).sort((a, b) => b.value - a.value);
  if (!rows.length) return null;
  return (
    <IntervalFigure
      title="Methods compared by task"
      says={`${spans(rows)}, tried by both; differences of the share that is correct, lines are 95 % intervals that use the pairing. A line that crosses 0 leaves the order open.`}
      table={own} rows={rows} label={({ row }) => `${row.first} over ${row.second}`}
      form="percent" axis="difference in percentage points →" border={0}
    />
  );
}

/** The better one is named first. */
function ahead(one: Known): Known {
  if (one.value >= 0) return one;
  const turned = (value: number | null) => (value === null ? null : -value);
  const row = { ...one.row, first: one.row.second ?? null, second: one.row.first ?? null };
  return { row, value: -one.value, low: turned(one.high), high: turned(one.low) };
}

function PassAtK({ index, table, gpu }: { index: Index; table: Table | undefined; gpu: string }) {
  if (!table) return null;
  const own = only(table, { gpu });
  return (
    <LinesFigure
      title="pass@k"
      says={`${spans(known(own, "pass"))}: those tasks with at least k attempts. Points over the same tasks are joined; others cannot be compared. Bands and bars are 95 % intervals over tasks.`}
      table={own}
      rows={known(own, "pass")}
      along="k"
      name="method"
      colour={(name) => hue(methodAt(index, name))}
      form="percent"
      alongLabel="k"
      label="chance that one of k is correct"
      continuous
      alongLog
      joined="tasks"
    />
  );
}
