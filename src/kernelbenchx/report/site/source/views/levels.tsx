/** KernelBench problems by level. */
import { GpuChoice, gpuOf } from "../gpu_choice";
import { hue } from "../colours";
import type { Index, Page } from "../data";
import { Heading } from "../heading";
import { IntervalFigure } from "../intervals";
import { PageBody } from "../page";
import type { Known } from "../rows";
import { known, methodAt, only, spans, tableNamed } from "../rows";
import type { ViewProps } from "./all";

const DRAWN = ["levels"];
const COUNTS = { problems: "problems", attempts: "attempts" };

export function LevelsView(props: ViewProps) {
  const gpu = gpuOf(props.index, props.route);
  return (
    <>
      <Heading>Levels</Heading>
      <p>
        KernelBench problems by level and method. Precisions are never pooled. Problems that are unsound as published
        are in no rate; a table of their own counts them.
      </p>
      <div class="choices"><GpuChoice {...props} /></div>
      <PageBody name="levels" wanted={{ gpu }} drawn={DRAWN}>
        {(page) => <Correct index={props.index} page={page} gpu={gpu} />}
      </PageBody>
    </>
  );
}

function Correct({ index, page, gpu }: { index: Index; page: Page; gpu: string }) {
  const table = tableNamed(page, "levels");
  if (!table) return null;
  const own = only(table, { gpu });
  const rows = known(own, "correct");
  if (!rows.length) return null;
  return (
    <IntervalFigure
      title="Share of correct attempts by level"
      says={`${spans(rows, COUNTS)}; lines are 95 % intervals over problems. The kernel kept at the end counts.`}
      table={own} rows={rows} label={named} colour={({ row }) => hue(methodAt(index, row.method))}
      form="percent" counts={COUNTS} axis="share correct →"
    />
  );
}

function named({ row }: Known): string {
  return `level ${row.level}, ${row.precision}, ${row.method}`;
}
