/** Curves with a choice of p: fast_p after each round, and at least one of several turns or samples. */
import { useState } from "preact/hooks";
import { Choice } from "../choice";
import type { Table } from "../data";
import { LinesFigure } from "../lines";
import type { Filter } from "../rows";
import { known, only, spans, wordsOf } from "../rows";

interface PartProps {
  table: Table;
  colour: (name: string) => string;
}

const COUNTS = { tasks: "tasks", lines: "lineages", samples: "samples" };

/** The p that papers report most: faster than the baseline. */
const EAGER_SPEED = "1";

/** Baseline, composition and p of a table, each chosen among what is left by those before. */
function useChosen(table: Table) {
  const [wanted, want] = useState<Filter>({});
  const pick = (words: string[], key: string, first = words[0] ?? "") => (words.includes(wanted[key] ?? "") ? wanted[key] ?? "" : first);
  const baselines = wordsOf([table], "baseline");
  const baseline = pick(baselines, "baseline");
  const over = only(table, { baseline });
  const compositions = wordsOf([over], "composition");
  const composition = pick(compositions, "composition");
  const own = only(over, { composition });
  const thresholds = [...new Set(known(own, "p").map(({ value }) => String(value)))];
  const p = pick(thresholds, "p", thresholds.includes(EAGER_SPEED) ? EAGER_SPEED : thresholds[0]);
  const change = (key: string) => (word: string) => want({ ...wanted, [key]: word });
  const choices = (
    <div class="choices">
      <Choice name="Over" options={baselines} value={baseline} change={change("baseline")} />
      <Choice name="Composition" options={compositions} value={composition} change={change("composition")} />
      <Choice name="p" options={thresholds} value={p} change={change("p")} />
    </div>
  );
  return { choices, table: own, p, rows: known(own, "share").filter(({ row }) => String(row.p) === p) };
}

export function RoundFast({ table, colour }: PartProps) {
  const chosen = useChosen(table);
  return (
    <>
      {chosen.choices}
      <LinesFigure
        title={`fast_p of the kept kernel after each round, p = ${chosen.p}`}
        says={`${spans(chosen.rows, COUNTS)}; upright lines are 95 % intervals over tasks. Correct and more than p times as fast, of all.`}
        table={chosen.table} rows={chosen.rows} along="round" name="method" colour={colour}
        form="percent" alongLabel="round" label="fast_p"
      />
    </>
  );
}

interface RepeatedProps extends PartProps {
  along: "turns" | "k";
  title: string;
}

export function Repeated({ table, colour, along, title }: RepeatedProps) {
  const chosen = useChosen(table);
  const what = chosen.p === "0" ? "correct at any speed" : `correct and more than ${chosen.p} times as fast`;
  return (
    <>
      {chosen.choices}
      <LinesFigure
        title={`${title}: ${what}`}
        says={`${spans(chosen.rows, COUNTS)}; upright lines are 95 % intervals over tasks. Kernels without a trusted time count as not faster; the table has the bound where they count as faster.`}
        table={chosen.table} rows={chosen.rows} along={along} name="method" colour={colour}
        form="percent" alongLabel={along === "k" ? "k" : "turns"} label="share of tasks"
        alongLog={along === "k" && chosen.rows.some(({ row }) => Number(row.k) > 20)}
      />
    </>
  );
}
