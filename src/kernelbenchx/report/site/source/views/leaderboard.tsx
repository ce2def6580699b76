/** Methods in order, each rate with its interval. */
import { CardChoice, cardOf } from "../card";
import { hue } from "../colours";
import type { Index, Page, Table } from "../data";
import { withQuery } from "../formats";
import { Heading } from "../heading";
import { IntervalFigure } from "../intervals";
import { LinesFigure } from "../lines";
import { PageBody } from "../page";
import { known, methodAt, only, spans, tableNamed } from "../rows";
import type { ViewProps } from "./all";

const MEASURES: [string, string][] = [
  ["correct", "Correct: every answer right"],
  ["core", "Core correct: right in every ordinary call"],
  ["corners", "Corners: right in the calls that every run makes"],
  ["called", "Called: loads, compiles, runs and ends"],
  ["timed", "Timed: correct, with times that can be trusted"],
];
const SAYS = "Lines are 95 % intervals with tasks for draws; the last round of each task counts.";

export function LeaderboardView(props: ViewProps) {
  const card = cardOf(props.index, props.route);
  return (
    <>
      <Heading>Leaderboard</Heading>
      <div class="choices"><CardChoice {...props} /></div>
      <PageBody name="rates" wanted={{ card }} drawn={["by_method", "pass_at_k", "by_category", "by_round"]}>
        {(page) => <Pictures index={props.index} page={page} card={card} />}
      </PageBody>
    </>
  );
}

function Pictures({ index, page, card }: { index: Index; page: Page; card: string }) {
  const table = tableNamed(page, "by_method");
  if (!table) return null;
  const own = only(table, { card });
  return (
    <>
      {MEASURES.map(([key, title]) => {
        const rows = known(own, key).sort((a, b) => b.value - a.value);
        return rows.length ? (
          <IntervalFigure
            title={title}
            says={`${spans(rows)}. ${SAYS}`}
            table={own}
            rows={rows}
            label={({ row }) => String(row.method)}
            colour={({ row }) => hue(methodAt(index, row.method))}
            href={({ row }) => withQuery("#/tasks", { method: String(row.method) })}
            form="percent"
            axis={`share ${key} →`}
          />
        ) : null;
      })}
      <PassAtK index={index} table={tableNamed(page, "pass_at_k")} card={card} />
    </>
  );
}

function PassAtK({ index, table, card }: { index: Index; table: Table | undefined; card: string }) {
  if (!table) return null;
  const own = only(table, { card });
  return (
    <LinesFigure
      title="pass@k"
      says={`${spans(known(own, "pass"))}: those tasks with at least k attempts. Points over the same tasks are joined, others are not to be compared; bands and bars are 95 % intervals with tasks for draws.`}
      table={own}
      rows={known(own, "pass")}
      along="k"
      name="method"
      colour={(name) => hue(methodAt(index, name))}
      form="percent"
      alongLabel="k"
      label="chance that one of k is correct"
      continuous
      alongLog
      joined="tasks"
    />
  );
}
