/** Why attempts fail: causes by stage, method and category, and how tasks and kernels are written. */
import { useState } from "preact/hooks";
import { Choice } from "../choice";
import type { Page } from "../data";
import { counted } from "../formats";
import { Heading } from "../heading";
import { IntervalFigure } from "../intervals";
import { MatrixFigure } from "../matrix";
import { PageBody } from "../page";
import { known, only, spans, tableNamed, wordsOf } from "../rows";

const DRAWN = ["failures", "failures_by_method", "failures_by_category", "unsolved", "structure", "quality_by_method", "quality_by_outcome"];
const SOURCES = { kernels: "sources", tasks: "tasks" };

export function FailuresView() {
  return (
    <>
      <Heading>Failures</Heading>
      <PageBody name="failures" wanted={{}} drawn={DRAWN}>
        {(page) => <Pictures page={page} />}
      </PageBody>
    </>
  );
}

function Pictures({ page }: { page: Page }) {
  const causes = tableNamed(page, "failures");
  const rows = causes ? known(causes, "share") : [];
  const many = rows.reduce((sum, { row }) => sum + Number(row.failures), 0);
  return (
    <>
      {!causes && <p>No attempt failed.</p>}
      {causes && (
        <IntervalFigure
          title={causes.title}
          says={`n = ${counted(many, "failure")}; shares of all attempts that count, lines are 95 % intervals over tasks.`}
          table={causes}
          rows={rows}
          label={({ row }) => `${row.cause} (${row.stage})`}
          form="percent"
          axis="share of attempts, mean over tasks →"
        />
      )}
      <By page={page} name="failures_by_method" word="method" />
      <By page={page} name="failures_by_category" word="category" />
      <Unsolved page={page} />
      <Structure page={page} />
      <Quality page={page} />
    </>
  );
}

/** Tasks without a correct kernel by any method, sample or round, one picture for each GPU. */
function Unsolved({ page }: { page: Page }) {
  const table = tableNamed(page, "unsolved");
  if (!table) return null;
  return (
    <>
      {wordsOf([table], "gpu").map((gpu) => {
        const own = only(table, { gpu });
        const rows = known(own, "share");
        return (
          <IntervalFigure
            title={`${table.title}, ${gpu}`}
            says={`${spans(rows)}; share of tasks without a correct kernel by any method, sample or round, lines are 95 % intervals. The table has what chance would give.`}
            table={own} rows={rows} label={({ row }) => String(row.category)}
            form="percent" axis="share of tasks →"
          />
        );
      })}
    </>
  );
}

function By({ page, name, word }: { page: Page; name: string; word: string }) {
  const table = tableNamed(page, name);
  if (!table) return null;
  const rows = known(table, "share");
  return (
    <MatrixFigure
      title={`Causes by ${word}`}
      says={`n = ${counted(rows.length, "cell")}, each with its own n and interval, shown at the pointer and in the table.`}
      table={table}
      rows={rows}
      top={Math.max(...rows.map((one) => one.value))}
      down={word === "method" ? "cause" : "category"}
      across={word === "method" ? "method" : "cause"}
      word="of attempts"
    />
  );
}

/** Does failing go with how long and how branched the reference is? */
function Structure({ page }: { page: Page }) {
  const table = tableNamed(page, "structure");
  const ways = table ? wordsOf([table], "failure") : [];
  const [way, choose] = useState(ways[0] ?? "");
  if (!table || !known(table, "by_task").length) return null;
  const own = only(table, { failure: way });
  return (
    <>
      <div class="choices">
        <Choice name="Failing is" options={ways} value={way} change={choose} />
      </div>
      <IntervalFigure
        title={table.title}
        says={`${spans(known(own, "by_task"))}; correlations over tasks with 95 % intervals from resampling tasks. Many counts are tried at once: one interval beside 0 is no finding.`}
        table={own}
        rows={known(own, "by_task")}
        label={({ row }) => String(row.count)}
        form="number"
        axis="correlation with failing →"
        border={0}
      />
    </>
  );
}

function Quality({ page }: { page: Page }) {
  const tables = ["method", "outcome"].map((by) => tableNamed(page, `quality_by_${by}`));
  const measures = wordsOf(tables.filter((table) => table !== undefined), "measure");
  const [measure, choose] = useState(measures[0] ?? "");
  if (!measures.length) return null;
  return (
    <>
      <div class="choices">
        <Choice name="Code quality by" options={measures} value={measure} change={choose} />
      </div>
      {tables.map((table, at) => {
        if (!table) return null;
        const own = only(table, { measure });
        const rows = known(own, "mean");
        return (
          <IntervalFigure
            title={table.title}
            says={`${spans(rows, SOURCES)}; means over tasks with 95 % intervals over tasks, as radon counts. The table defines the terms.`}
            table={own}
            rows={rows}
            label={({ row }) => String(row[at ? "outcome" : "method"])}
            form="number"
            counts={SOURCES}
            axis={`${measure.replaceAll("_", " ")} →`}
          />
        );
      })}
    </>
  );
}
