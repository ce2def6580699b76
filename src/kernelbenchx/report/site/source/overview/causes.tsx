/** Why attempts fail, by the scope of the cases that fail. */
import * as Plot from "@observablehq/plot";
import { beside } from "../beside";
import { hue } from "../colours";
import type { Index, Table } from "../data";
import { records } from "../data";
import { Figure } from "../figure";
import { count, counted } from "../formats";
import { moreIn } from "./more";

interface Part {
  scope: string;
  cause: string;
  many: number;
  said: string;
}

const MOST_CAUSES = 8;
const REST = "other causes";
const ROW = 34;
const MEANING: Record<string, string> = { policy: "rejected by a rule", nan: "NaN or infinity", tail: "wrong after the last full block", bounds: "out of bounds" };

function partsOf(table: Table): { parts: Part[]; causes: string[]; scopes: Map<string, number> } {
  const rows = records(table).map((row) => ({ scope: String(row.scope), cause: String(row.cause), many: Number(row.attempts) }));
  const totals = new Map<string, number>();
  const scopes = new Map<string, number>();
  for (const { scope, cause, many } of rows) {
    totals.set(cause, (totals.get(cause) ?? 0) + many);
    scopes.set(scope, (scopes.get(scope) ?? 0) + many);
  }
  const ordered = [...totals].filter(([cause]) => cause !== "other").sort((a, b) => b[1] - a[1]).map(([cause]) => cause);
  // The most frequent cause of a scope always has its name: rows of a scope come in that order.
  const leading = [...scopes.keys()].map((scope) => rows.find((row) => row.scope === scope)?.cause ?? "");
  const wanted = [...new Set([...leading, ...ordered])].filter((cause) => cause !== "other");
  const named = new Set(wanted.slice(0, wanted.length > MOST_CAUSES ? MOST_CAUSES - 1 : MOST_CAUSES));
  const causes = ordered.filter((cause) => named.has(cause));
  const merged = new Map<string, { scope: string; cause: string; many: number }>();
  for (const row of rows) {
    const cause = causes.includes(row.cause) ? row.cause : REST;
    const kept = merged.get(`${row.scope} ${cause}`) ?? { scope: row.scope, cause, many: 0 };
    merged.set(`${row.scope} ${cause}`, { ...kept, many: kept.many + row.many });
  }
  const parts = [...merged.values()].map(({ scope, cause, many }) => {
    const meaning = MEANING[cause] ? ` (${MEANING[cause]})` : "";
    return { scope, cause, many, said: `${scope}, ${cause}${meaning}: ${counted(many, "attempt")}` };
  });
  const used = parts.some((part) => part.cause === REST) ? [...causes, REST] : causes;
  return { parts, causes: used, scopes };
}

export function CausesFigure({ index, table }: { index: Index; table: Table }) {
  const { parts, causes, scopes } = partsOf(table);
  const colour = (cause: string) => (cause === REST ? "var(--void)" : hue(causes.indexOf(cause)));
  const names = [...scopes.keys()];
  const most = Math.max(...scopes.values());
  const draw = (width: number) => {
    const { left, axis } = beside(names, width);
    return Plot.plot({
      width,
      height: ROW * names.length + 48,
      marginLeft: left,
      marginTop: 4,
      marginRight: 46,
      marginBottom: 42,
      x: { domain: [0, most], label: "attempts that fail →", labelOffset: 38, grid: true, ticks: Math.min(most, (width - left) / 90), tickFormat: "d" },
      y: { type: "band", domain: names, label: null, padding: 0.3 },
      marks: [
        Plot.axisY(axis),
        Plot.barX(parts, {
          x: "many", y: "scope", order: causes, z: "cause", fill: (part: Part) => colour(part.cause), ariaLabel: "said", insetRight: 1,
        }),
        Plot.text([...scopes], { x: (pair: [string, number]) => pair[1], y: (pair: [string, number]) => pair[0], text: (pair: [string, number]) => count(pair[1]), textAnchor: "start", dx: 6, fontSize: 12.5 }),
      ],
    });
  };
  const many = [...scopes.values()].reduce((sum, one) => sum + one, 0);
  return (
    <Figure
      title="Why and where attempts fail"
      says={`n = ${count(many)}: an attempt counts once in each scope in which a case fails, with the cause of its first failure. These are counts, so there is no interval.`}
      legend={causes.map((cause) => ({ label: cause, colour: colour(cause) }))}
      draw={draw} depends={[table]} table={table}
      more={moreIn(index, "scopes", "Scopes")}
    />
  );
}
