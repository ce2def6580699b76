/** The same kernels on several GPUs. */
import type { Page } from "../data";
import { Heading } from "../heading";
import { IntervalFigure } from "../intervals";
import { PageBody } from "../page";
import { known, spans, tableNamed } from "../rows";

const DRAWN = ["hardware_slower", "hardware_ratio", "hardware_pairs"];

export function HardwareView() {
  return (
    <>
      <Heading>Hardware</Heading>
      <PageBody name="hardware" wanted={{}} drawn={DRAWN}>
        {(page) => <Pictures page={page} />}
      </PageBody>
    </>
  );
}

function Pictures({ page }: { page: Page }) {
  const slower = tableNamed(page, "hardware_slower");
  const ratios = tableNamed(page, "hardware_ratio");
  const pairs = tableNamed(page, "hardware_pairs");
  return (
    <>
      {slower && (
        <IntervalFigure
          title={slower.title}
          says={`${spans(known(slower, "slower"))}; lines are 95 % intervals over tasks.`}
          table={slower} rows={known(slower, "slower")} label={({ row }) => `${row.gpu} (${row.kernels})`}
          form="percent" axis="share slower than eager →"
        />
      )}
      {ratios && (
        <IntervalFigure
          title={ratios.title}
          says={`${spans(known(ratios, "median"))}; medians with 95 % intervals from resampling tasks. 1 means that the GPU makes no difference.`}
          table={ratios} rows={known(ratios, "median")} label={({ row }) => String(row.over)}
          form="ratio" axis="largest over smallest speedup →" border={1}
        />
      )}
      {pairs && (
        <IntervalFigure
          title={pairs.title}
          says={`${spans(known(pairs, "ratio"))}, timed on both; lines are 95 % intervals over tasks.`}
          table={pairs} rows={known(pairs, "ratio")} label={({ row }) => `${row.first} over ${row.second}`}
          form="ratio" axis="ratio of speedups →" border={1}
        />
      )}
    </>
  );
}
