/** What models took: which share of tasks a budget solves, and what a solved task costs. */
import { useState } from "preact/hooks";
import { GpuChoice, gpuOf } from "../gpu_choice";
import { Choice } from "../choice";
import { hue } from "../colours";
import type { Index, Page, Table } from "../data";
import { address, short } from "../formats";
import { Heading } from "../heading";
import { IntervalFigure } from "../intervals";
import { LinesFigure } from "../lines";
import { PageBody } from "../page";
import type { Filter } from "../rows";
import { known, methodAt, only, spans, tableNamed, wordsOf } from "../rows";
import { TableSection } from "../table";
import type { ViewProps } from "./all";

const DRAWN = ["cost_curve", "cost_per_solved", "cost_to_solve", "cost_tasks"];
const SPENT = { tasks: "tasks", solved: "of them solved" };
const SOLVED = { solved: "solved tasks" };

export function CostView(props: ViewProps) {
  const { index, route } = props;
  const wanted = { gpu: gpuOf(index, route) };
  return (
    <>
      <Heading>Cost</Heading>
      <div class="choices"><GpuChoice {...props} /></div>
      <PageBody name="cost" wanted={wanted} drawn={DRAWN}>
        {(page) => <Pictures index={index} page={page} wanted={wanted} />}
      </PageBody>
    </>
  );
}

interface Props {
  index: Index;
  page: Page;
  wanted: Filter;
}

function Pictures({ index, page, wanted }: Props) {
  const curve = tableNamed(page, "cost_curve");
  const units = curve ? wordsOf([only(curve, wanted)], "unit") : [];
  const [unit, choose] = useState(units[0] ?? "tokens");
  const colour = (name: string) => hue(methodAt(index, name));
  const each = tableNamed(page, "cost_per_solved");
  const until = tableNamed(page, "cost_to_solve");
  const tasks = tableNamed(page, "cost_tasks");
  return (
    <>
      <div class="choices"><Choice name="Budget in" options={units} value={unit} change={choose} /></div>
      {curve && <Curve table={only(curve, { ...wanted, unit })} unit={unit} colour={colour} />}
      {each && <PerSolved table={only(each, wanted)} unit={unit} colour={colour} />}
      {until && <Until table={only(until, wanted)} colour={colour} />}
      {tasks && <Tasks table={only(tasks, wanted)} />}
    </>
  );
}

interface PartProps {
  table: Table;
  colour: (name: string) => string;
}

function Curve({ table, unit, colour }: PartProps & { unit: string }) {
  return (
    <LinesFigure
      title="Solved within a budget"
      says={`${spans(known(table, "solved"))}; bands or upright lines are 95 % intervals over tasks. Attempts are taken one after another.`}
      table={table} rows={known(table, "solved")} along="budget" name="method" colour={colour}
      form="percent" alongLabel={`${unit} for each task`} label="share solved"
      continuous alongLog alongText={short}
    />
  );
}

function PerSolved({ table, unit, colour }: PartProps & { unit: string }) {
  const rows = known(table, unit);
  return (
    <IntervalFigure
      title={`Cost per solved task, in ${unit}`}
      says={`${spans(rows, SPENT)}; all that was spent, also where nothing was solved; bars are 95 % intervals over tasks.`}
      table={table} rows={rows} label={({ row }) => String(row.method)}
      colour={({ row }) => colour(String(row.method))} counts={SPENT}
      form={unit === "tokens" ? "count" : "number"} axis={`${unit} per solved task →`}
    />
  );
}

function Until({ table, colour }: PartProps) {
  const rows = known(table, "attempts");
  return (
    <IntervalFigure
      title="Attempts until a task was solved"
      says={`${spans(rows, SOLVED)}; means over solved tasks with 95 % intervals.`}
      table={table} rows={rows} label={({ row }) => String(row.method)}
      colour={({ row }) => colour(String(row.method))} counts={SOLVED}
      form="number" axis="attempts up to the first correct kernel →"
    />
  );
}

/** Tasks lead to their page. */
function Tasks({ table }: { table: Table }) {
  const at = table.columns.findIndex((column) => column.key === "task");
  return (
    <TableSection
      table={table}
      link={(row, column) => (column.key === "task" ? address("task", String(row[at])) : undefined)}
    />
  );
}
