/** What success depends on: the category of the task, or the method. */
import type { Page } from "../data";
import { counted } from "../formats";
import { Heading } from "../heading";
import { IntervalFigure } from "../intervals";
import { PageBody } from "../page";
import { known, only, tableNamed, wordsOf } from "../rows";

export function VarianceView() {
  return (
    <>
      <Heading>What success depends on</Heading>
      <PageBody name="variance" wanted={{}} drawn={["variance_intervals"]}>
        {(page) => <Pictures page={page} />}
      </PageBody>
    </>
  );
}

function Pictures({ page }: { page: Page }) {
  const table = tableNamed(page, "variance_intervals");
  if (!table) return null;
  return (
    <>
      {wordsOf([table], "outcome").map((outcome) => {
        const own = only(table, { outcome });
        const rows = known(own, "corrected");
        return (
          <IntervalFigure
            title={`Explained deviance of ${outcome}`}
            says={`n = ${counted(Number(rows[0]?.row.n ?? 0), "attempt")}; corrected for bias${rows.some(({ low }) => low !== null) ? ", lines are 95 % intervals from resampling tasks" : ""}.`}
            table={own} rows={rows} label={({ row }) => String(row.term)}
            form="percent" axis="share of deviance →"
          />
        );
      })}
    </>
  );
}
