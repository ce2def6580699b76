/** What success depends on: the category of the task, or the method. */
import type { Page } from "../data";
import { counted } from "../formats";
import { Heading } from "../heading";
import { IntervalFigure } from "../intervals";
import { PageBody } from "../page";
import { known, only, spans, tableNamed, wordsOf } from "../rows";

export function VarianceView() {
  return (
    <>
      <Heading>What success depends on</Heading>
      <PageBody name="variance" wanted={{}} drawn={["variance_intervals", "variance_facts"]}>
        {(page) => <Pictures page={page} />}
      </PageBody>
    </>
  );
}

function Pictures({ page }: { page: Page }) {
  const table = tableNamed(page, "variance_intervals");
  if (!table) return <Facts page={page} />;
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
      <Facts page={page} />
    </>
  );
}

/** How programs must cooperate, passes over memory and the like, beside category and proxies of structure. */
function Facts({ page }: { page: Page }) {
  const table = tableNamed(page, "variance_facts");
  if (!table) return null;
  return (
    <>
      {wordsOf([table], "outcome").map((outcome) => {
        const own = only(table, { outcome });
        const rows = known(own, "explained");
        return (
          <IntervalFigure
            title={`Facts of the task: explained deviance of ${outcome}`}
            says={`${spans(rows)} with known facts; each alone, corrected for bias, lines are 95 % intervals from resampling tasks. The table has what each adds within category.`}
            table={own} rows={rows} label={({ row }) => `${row.factor}${row.kind === "proxy" ? " (proxy)" : ""}`}
            form="percent" axis="share of deviance →"
          />
        );
      })}
    </>
  );
}
