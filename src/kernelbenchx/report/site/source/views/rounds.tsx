/** What rounds change: rates and speed by round, tasks that became correct or stopped being correct. */
import { useState } from "preact/hooks";
import { GpuChoice, gpuOf } from "../gpu_choice";
import { Choice } from "../choice";
import { hue } from "../colours";
import type { Index, Page, Table } from "../data";
import { Heading } from "../heading";
import { IntervalFigure } from "../intervals";
import { LinesFigure } from "../lines";
import { PageBody } from "../page";
import type { Filter } from "../rows";
import { known, methodAt, only, spans, tableNamed, wordsOf } from "../rows";
import type { ViewProps } from "./all";

const COUNTS = { of: "lineages" };
const DRAWN = ["rounds", "round_speed", "transitions"];

export function RoundsView(props: ViewProps) {
  const { index, route } = props;
  const wanted = { gpu: gpuOf(index, route) };
  return (
    <>
      <Heading>Rounds</Heading>
      <div class="choices"><GpuChoice {...props} /></div>
      <PageBody name="rounds" wanted={wanted} drawn={DRAWN}>
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
  const colour = (name: string) => hue(methodAt(index, name));
  const rates = tableNamed(page, "rounds");
  const speeds = tableNamed(page, "round_speed");
  const changes = tableNamed(page, "transitions");
  return (
    <>
      {rates && <Rates table={only(rates, wanted)} colour={colour} />}
      {speeds && <Speeds table={only(speeds, wanted)} colour={colour} />}
      {changes && <Transitions table={only(changes, wanted)} colour={colour} />}
    </>
  );
}

interface PartProps {
  table: Table;
  colour: (name: string) => string;
}

function Rates({ table, colour }: PartProps) {
  return (
    <LinesFigure
      title="Correct, by round"
      says={`${spans(known(table, "correct"))}; bars are 95 % intervals over tasks.`}
      table={table} rows={known(table, "correct")} along="round" name="method" colour={colour}
      form="percent" alongLabel="round" label="share correct"
    />
  );
}

function Speeds({ table, colour }: PartProps) {
  const compositions = wordsOf([table], "composition");
  const [composition, choose] = useState(compositions[0] ?? "");
  const own = only(table, { composition });
  return (
    <>
      <div class="choices">
        <Choice name="Composition" options={compositions} value={composition} change={choose} />
      </div>
      <LinesFigure
        title="Speedup over eager, by round"
        says={`${spans(known(own, "speedup"))}; geometric means of correct kernels with 95 % intervals over tasks. Rounds hold different kernels: a table below splits the change into its parts.`}
        table={own} rows={known(own, "speedup")} along="round" name="method" colour={colour}
        form="ratio" alongLabel="round" label="speedup" border={1}
      />
    </>
  );
}

function Transitions({ table, colour }: PartProps) {
  const groups = wordsOf([table], "group");
  const [group, choose] = useState(groups[0] ?? "");
  const own = only(table, { group });
  return (
    <>
      <div class="choices">
        <Choice name="Lineages that were" options={groups} value={group} change={choose} />
      </div>
      <IntervalFigure
        title={`From round to round: ${group}`}
        says={`${spans(known(own, "share"), COUNTS)}; bars are 95 % intervals over tasks. A lineage is what one method makes of a task, from round to round.`}
        table={own} rows={known(own, "share")}
        label={({ row }) => `${row.method}, ${row.before} → ${row.after}`}
        colour={({ row }) => colour(String(row.method))}
        counts={COUNTS} form="percent" axis={`share ${group} →`}
      />
    </>
  );
}
