/** Methods in order, each with its share of correct and of core correct attempts. */
import * as Plot from "@observablehq/plot";
import { beside } from "../beside";
import { hue } from "../colours";
import type { Index, Table } from "../data";
import { Empty, Figure } from "../figure";
import { interval, percent, withQuery } from "../formats";
import type { Ends } from "../rows";
import { ends, known, methodAt, sizes, spans } from "../rows";

interface Line extends Ends {
  method: string;
  core: boolean;
  said: string;
}

const ROW = [34, 50] as const;
/** Few methods get more room, up to so many pixels together. */
const ROOMY = 250;
/** Pixels that the two values of a method are moved apart. */
const ASIDE = 6;
const CORE = "core correct: every ordinary call";
const WHOLE = "correct: every call";

function linesOf(table: Table): Line[] {
  return known(table, "correct").flatMap(({ row, value, low, high }) => {
    const method = String(row.method);
    const told = (word: string, one: Ends) =>
      `${method}, ${word}: ${percent(one.value)}, ${interval(one.low, one.high, "percent")}, ${sizes(row)}`;
    const whole = { value, low, high };
    const core = ends(row, "core");
    const lines = [{ ...whole, method, core: false, said: told(WHOLE, whole) }];
    return core ? [...lines, { ...core, method, core: true, said: told(CORE, core) }] : lines;
  });
}

export function RankingFigure({ index, table }: { index: Index; table: Table }) {
  const lines = linesOf(table);
  if (!lines.length) return <Empty title="Ranking of methods" />;
  const methods = lines.filter((line) => !line.core).sort((a, b) => b.value - a.value).map((line) => line.method);
  const colour = (line: Line) => hue(methodAt(index, line.method));
  const [whole, core] = [false, true].map((wanted) => lines.filter((line) => line.core === wanted)) as [Line[], Line[]];
  const draw = (width: number) => {
    const { left, height, axis } = beside(methods, width);
    const right = core.length ? 132 : 74;
    const column = (from: Line[], at: number, word: string) => [
      Plot.text(from, { y: "method", frameAnchor: "right", dx: at, textAnchor: "end", fontSize: 12.5, text: (line: Line) => percent(line.value) }),
      Plot.text([word], { frameAnchor: "top-right", dx: at, dy: -16, textAnchor: "end", fontSize: 11, fill: "var(--quiet)" }),
    ];
    const marks = (from: Line[], dy: number, hollow: boolean) => [
      Plot.ruleY(from.filter((line) => line.low !== null && line.high !== null), {
        x1: "low", x2: "high", y: "method", dy, stroke: colour, strokeWidth: hollow ? 1.5 : 4, strokeOpacity: hollow ? 0.9 : 0.45,
      }),
      Plot.dot(from, {
        x: "value", y: "method", dy, r: hollow ? 4 : 5, fill: hollow ? "var(--page)" : colour, stroke: colour, strokeWidth: 1.5,
        ariaLabel: "said",
        ...(index.published ? {} : { href: (line: Line) => withQuery("#/tasks", { method: line.method }) }),
      }),
    ];
    return Plot.plot({
      width,
      height: Math.max(ROW[0], height, Math.min(ROW[1], ROOMY / methods.length)) * methods.length + 68,
      marginLeft: left,
      marginTop: 26,
      marginRight: right,
      marginBottom: 42,
      x: { domain: [0, 1], label: "share of attempts →", labelOffset: 38, grid: true, ticks: (width - left - right) / 60, tickFormat: (value: number) => `${Math.round(100 * value)} %` },
      y: { type: "point", domain: methods, label: null, padding: 0.6 },
      marks: [
        Plot.axisY(axis),
        ...marks(core, ASIDE, true),
        ...marks(whole, core.length ? -ASIDE : 0, false),
        ...column(whole, core.length ? 66 : right, "correct"),
        ...(core.length ? column(core, right, "core") : []),
      ],
    });
  };
  const about = index.published ? "Correct as the tests of the paper judge." : core.length ? "Filled: correct in every call. Hollow: core correct, in every ordinary call." : "Correct in every call.";
  return (
    <Figure
      title={methods.length > 1 ? "Ranking of methods" : "Share correct"}
      says={`${spans(known(table, "correct"))}. ${about} Lines are 95 % intervals over tasks.`}
      draw={draw} depends={[table]} table={table} least={300}
      more={{ href: "#/leaderboard", text: "Leaderboard" }}
    />
  );
}
