/** The capability map: category by method, each cell leads to its tasks. */
import { useState } from "preact/hooks";
import { GpuChoice, gpuOf, gpuQuery } from "../gpu_choice";
import { Choice } from "../choice";
import type { Page } from "../data";
import { counted, withQuery } from "../formats";
import { Heading } from "../heading";
import { Loaded } from "../loaded";
import { MatrixFigure } from "../matrix";
import { measureNamed, measuresOf } from "../measures";
import { known, only, tableNamed } from "../rows";
import type { ViewProps } from "./all";

export function MapView(props: ViewProps) {
  return (
    <>
      <Heading>Capability map</Heading>
      <Loaded name="pages/rates">{(page: Page) => <Body page={page} {...props} />}</Loaded>
    </>
  );
}

function Body({ index, route, page }: ViewProps & { page: Page }) {
  const [measure, setMeasure] = useState("");
  const gpu = gpuOf(index, route);
  const table = tableNamed(page, "by_category");
  if (!table) return <p class="quiet">Every evaluation is void: there is nothing to show.</p>;
  const own = only(table, { gpu });
  const measures = measuresOf(own);
  const { key, word } = measureNamed(measures, measure);
  const rows = known(own, key).filter(({ row }) => index.methods.includes(String(row.method)));
  const attempts = rows.reduce((sum, { row }) => sum + Number(row.attempts), 0);
  const href = (category: string, method: string) => withQuery("#/tasks", { category, method, ...gpuQuery(index, gpu) });
  return (
    <>
      <p>
        {index.published ? "" : "A cell leads to its tasks. "}
        With the keyboard: Tab enters the picture, arrow keys move between cells, Enter follows a link.
      </p>
      <div class="choices">
        <Choice name="Share" options={measures.map((one) => one.word)} value={word} change={setMeasure} />
        <GpuChoice index={index} route={route} />
      </div>
      <MatrixFigure
        title={`Share ${word}, category by method`}
        says={`n = ${counted(attempts, "attempt")} in ${counted(rows.length, "cell")}; each cell has its own n and interval, shown at the pointer and in the table.`}
        table={own}
        rows={rows}
        down="category"
        across="method"
        word={word}
        {...(index.published ? {} : { href })}
      />
    </>
  );
}
