/** Why attempts fail: causes by stage, by method and by category. */
import type { Page } from "../data";
import { counted } from "../formats";
import { Heading } from "../heading";
import { IntervalFigure } from "../intervals";
import { MatrixFigure } from "../matrix";
import { PageBody } from "../page";
import { known, tableNamed } from "../rows";

const DRAWN = ["failures", "failures_by_method", "failures_by_category"];

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
      {causes && (
        <IntervalFigure
          title={causes.title}
          says={`n = ${counted(many, "failure")}; shares of all attempts that count, lines are 95 % intervals with tasks for draws.`}
          table={causes}
          rows={rows}
          label={({ row }) => `${row.cause} (${row.stage})`}
          form="percent"
          axis="share of attempts →"
        />
      )}
      <By page={page} name="failures_by_method" word="method" />
      <By page={page} name="failures_by_category" word="category" />
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
      says={`n = ${counted(rows.length, "cell")}, each with its own n and interval, in the line below and in the table.`}
      table={table}
      rows={rows}
      top={Math.max(...rows.map((one) => one.value))}
      down={word === "method" ? "cause" : "category"}
      across={word === "method" ? "method" : "cause"}
      word="of attempts"
    />
  );
}

