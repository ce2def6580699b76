/** What rounds, turns and samples bring: the kept kernel after each round, and kernels that became correct or stopped being correct. */
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
import { Repeated, RoundFast } from "./repeated";
import type { ViewProps } from "./all";

const COUNTS = { of: "lineages" };
const DRAWN = ["rounds", "round_fast_p", "round_speed", "transitions", "within_turns", "fast_p_at_k"];
const MEASURES: Record<string, string> = { correct: "correct", core: "core correct", called: "called" };

export function RoundsView(props: ViewProps) {
  const { index, route } = props;
  const wanted = { gpu: gpuOf(index, route) };
  return (
    <>
      <Heading>Rounds and samples</Heading>
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
  const table = (name: string) => {
    const found = tableNamed(page, name);
    return found ? only(found, wanted) : undefined;
  };
  const [rates, fast, speeds, changes] = ["rounds", "round_fast_p", "round_speed", "transitions"].map(table);
  const [turns, samples] = ["within_turns", "fast_p_at_k"].map(table);
  return (
    <>
      {rates && <Rates table={rates} colour={colour} />}
      {fast && <RoundFast table={fast} colour={colour} />}
      {speeds && <Speeds table={speeds} colour={colour} />}
      {changes && <Transitions table={changes} colour={colour} />}
      {turns && <Repeated table={turns} colour={colour} along="turns" title="At least one within n turns" />}
      {samples && <Repeated table={samples} colour={colour} along="k" title="At least one of k samples" />}
    </>
  );
}

interface PartProps {
  table: Table;
  colour: (name: string) => string;
}

function Rates({ table, colour }: PartProps) {
  const options = Object.keys(MEASURES).filter((key) => known(table, key).length);
  const [measure, choose] = useState(options[0] ?? "correct");
  const rows = known(table, measure);
  return (
    <>
      <div class="choices">
        <Choice name="Kept kernels that are" options={options} value={measure} change={choose} />
      </div>
      <LinesFigure
        title={`Kept kernels that are ${MEASURES[measure]}, after each round`}
        says={`${spans(rows)}; upright lines are 95 % intervals over tasks. A kernel is kept by what its method saw and shown by its verdict.`}
        table={table} rows={rows} along="round" name="method" colour={colour}
        form="percent" alongLabel="round" label={`share ${MEASURES[measure]}`}
      />
    </>
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
        title="Speedup over eager of the kept kernel, after each round"
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
