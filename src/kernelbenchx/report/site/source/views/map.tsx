/** The capability map: category by method, each cell leads to its tasks. */
import { useState } from "preact/hooks";
import { CardChoice, cardOf } from "../card";
import { Choice } from "../choice";
import type { Page } from "../data";
import { counted, withQuery } from "../formats";
import { Heading } from "../heading";
import { Loaded } from "../loaded";
import { MatrixFigure } from "../matrix";
import { known, only, tableNamed } from "../rows";
import type { ViewProps } from "./all";

const MEASURES = ["correct", "core", "called", "timed"];

export function MapView(props: ViewProps) {
  return (
    <>
      <Heading>Capability map</Heading>
      <Loaded name="pages/rates">{(page: Page) => <Body page={page} {...props} />}</Loaded>
    </>
  );
}

function Body({ index, route, page }: ViewProps & { page: Page }) {
  const [measure, setMeasure] = useState("correct");
  const card = cardOf(index, route);
  const table = tableNamed(page, "by_category");
  if (!table) return <p class="quiet">No attempt counts: there is nothing to map.</p>;
  const own = only(table, { card });
  const measures = MEASURES.filter((one) => known(own, one).length);
  const rows = known(own, measure).filter(({ row }) => index.methods.includes(String(row.method)));
  const attempts = rows.reduce((sum, { row }) => sum + Number(row.attempts), 0);
  const more: Record<string, string> = index.cards.length > 1 ? { card } : {};
  return (
    <>
      <p>
        A cell leads to its tasks. Tab enters the picture, arrow keys walk through it, Enter opens; the line
        below it says what the pointer or the focus is on.
      </p>
      <div class="choices">
        <Choice name="Share that is" options={measures} value={measure} change={setMeasure} />
        <CardChoice index={index} route={route} />
      </div>
      <MatrixFigure
        title={`Share ${measure}, category by method`}
        says={`n = ${counted(attempts, "attempt")} in ${counted(rows.length, "cell")}; each cell has its own n and interval, in the line below and in the table.`}
        table={own}
        rows={rows}
        down="category"
        across="method"
        word={measure}
        href={(category, method) => withQuery("#/tasks", { category, method, ...more })}
      />
    </>
  );
}
