/** What came out, at a glance. */
import { useState } from "preact/hooks";
import { Choice } from "../choice";
import type { Index, Page, Table } from "../data";
import { count, counted, withQuery } from "../formats";
import { GpuChoice, gpuOf, gpuQuery } from "../gpu_choice";
import { Heading } from "../heading";
import { IntervalFigure } from "../intervals";
import { Loaded } from "../loaded";
import { MatrixFigure } from "../matrix";
import { measureNamed, measuresOf } from "../measures";
import { CausesFigure } from "../overview/causes";
import { ExtremesFigure } from "../overview/extremes";
import { FunnelFigure } from "../overview/funnel";
import { RankingFigure } from "../overview/ranking";
import { Tiles } from "../overview/tiles";
import { known, only, spans, tableNamed } from "../rows";
import { Verdicts } from "../verdicts";
import { INTERPRETER } from "../keys";
import { PAPER_DIFFERS } from "../published";
import type { ViewProps } from "./all";

export function Overview(props: ViewProps) {
  const { index, route } = props;
  const gpu = gpuOf(index, route);
  return (
    <>
      <Heading>{titleOf(index)}</Heading>
      <p class="quiet">{subtitleOf(index)}</p>
      {index.study && index.pages.includes("claims") && <Claims />}
      <div class="choices"><GpuChoice {...props} /></div>
      {index.pages.includes("overview") ? (
        <Loaded name="pages/overview">{(page: Page) => <Board index={index} page={page} gpu={gpu} />}</Loaded>
      ) : (
        <p>Every evaluation is void: the evaluator could not judge, so there is nothing to show.</p>
      )}
    </>
  );
}

/** A study asks questions: its first page begins with the answers. */
function Claims() {
  return (
    <section>
      <h2>Do the papers' claims hold?</h2>
      <Loaded name="pages/claims">{(page: Page) => <Verdicts page={page} short />}</Loaded>
      <p>Values are those of the first row of a statement. <a href="#/claims">Every row, and what the claims mean</a></p>
    </section>
  );
}

function titleOf(index: Index): string {
  if (index.published) return "The published results of KernelBench-X";
  return `${counted(index.methods.length, "method")} on ${counted(index.tasks.length, "task")}`;
}

function subtitleOf(index: Index): string {
  const many = Object.values(index.outcomes).reduce((sum, one) => sum + one, 0);
  if (index.published) return `${counted(index.methods.length, "method")}, ${count(many)} kernels, counted from Tables 3 and 4 of the paper (arXiv 2605.04956). ${PAPER_DIFFERS}`;
  const where = index.gpus.map((gpu) => (gpu === INTERPRETER ? "in the interpreter (provisional)" : `on ${gpu}`));
  return `${counted(many, "evaluation")} ${where.join(", ")}. Rates are about the kernels that methods kept at the end.${index.standard ? ` ${index.standard}` : ""}`;
}

function Board({ index, page, gpu }: { index: Index; page: Page; gpu: string }) {
  const table = (name: string) => {
    const found = tableNamed(page, name);
    return found ? only(found, { gpu }) : undefined;
  };
  const [funnel, causes, methods, categories] = ["funnel", "causes_by_scope", "by_method", "by_category"].map(table);
  const ranked = (methods ? known(methods, "correct") : []).sort((a, b) => b.value - a.value).map(({ row }) => String(row.method));
  return (
    <>
      {funnel && methods && <Tiles index={index} gpu={gpu} funnel={funnel} methods={methods} />}
      <div class="board">
        {methods && <RankingFigure index={index} table={(index.published ? undefined : table("standards_by_method")) ?? methods} />}
        {funnel && <FunnelFigure index={index} table={funnel} />}
        {categories && <HeatMap index={index} gpu={gpu} table={categories} methods={ranked} />}
        {!index.published && <ExtremesFigure index={index} gpu={gpu} />}
        {index.published && categories && <HeatMap index={index} gpu={gpu} table={categories} methods={ranked} first="called" />}
      </div>
      {causes && causes.rows.length > 0 && <CausesFigure index={index} table={causes} />}
    </>
  );
}

interface HeatMapProps {
  index: Index;
  gpu: string;
  table: Table;
  /** In the order of the ranking. */
  methods: string[];
  /** The measure that is shown at first. */
  first?: string;
}

function HeatMap({ index, gpu, table, methods, first = "correct" }: HeatMapProps) {
  const measures = measuresOf(table);
  const [chosen, choose] = useState(measures.find((one) => one.key === first)?.word ?? "");
  const { key, word } = measureNamed(measures, chosen);
  const rows = methods.flatMap((method) => known(table, key).filter(({ row }) => row.method === method));
  const choice = measures.length > 1 && <Choice name="Share" hidden options={measures.map((one) => one.word)} value={word} change={choose} />;
  const more = { href: "#/map", text: "Capability map" };
  // A map of one column says no more than its numbers: their intervals do.
  if (index.methods.length === 1) {
    return (
      <IntervalFigure
        title={`Share ${word}, by category`} says={`${spans(rows)}; lines are 95 % intervals over tasks.`}
        table={table} rows={rows} label={({ row }) => String(row.category)} form="percent" axis={`share ${word} →`}
        href={({ row }) => withQuery("#/tasks", { category: String(row.category), ...gpuQuery(index, gpu) })}
        choice={choice} more={more}
      />
    );
  }
  const href = (category: string, method: string) => withQuery("#/tasks", { category, method, ...gpuQuery(index, gpu) });
  return (
    <MatrixFigure
      title={`Share ${word}, category by method`}
      says={`n = ${counted(rows.length, "cell")}; each has its own n and interval, shown at the pointer and in the table.`}
      table={table} rows={rows} down="category" across="method" word={word}
      {...(index.published ? {} : { href })}
      choice={choice} more={more}
    />
  );
}
