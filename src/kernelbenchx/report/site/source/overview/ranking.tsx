/** Methods in order, each with its share of correct and of core correct attempts. */
import * as Plot from "@observablehq/plot";
import { beside } from "../beside";
import { hue } from "../colours";
import type { Index, Table } from "../data";
import { Empty, Figure } from "../figure";
import { interval, percent, withQuery } from "../formats";
import type { Ends } from "../rows";
import { ends, known, methodAt, sizes, spans } from "../rows";

/** What counts as correct: shares by the key of their column, the strictest first. */
interface Standard {
  key: string;
  /** Above its column of numbers. */
  short: string;
  word: string;
}

/** Of the table of standards, and of the rates where nothing else is known. */
const STANDARDS: Standard[] = [
  { key: "strict", short: "strict", word: "strict: every call" },
  { key: "correct", short: "correct", word: "correct: every call" },
  { key: "core", short: "core", word: "core: every ordinary call" },
  { key: "basic", short: "basic", word: "basic: every ordinary call in the first dtype" },
  { key: "paper_correct", short: "paper", word: "by the paper's own rule" },
];

interface Line extends Ends {
  method: string;
  /** Which of the standards that the table has. */
  at: number;
  said: string;
}

const ROW = [34, 50] as const;
/** Few methods get more room, up to so many pixels together. */
const ROOMY = 250;
/** Pixels between the lines of two standards. */
const APART = 11;
const FIRST_COLUMN = 74;
const COLUMN = [51, 62] as const;
/** Below this width columns are narrow. */
const WIDE = 480;

function linesOf(table: Table, standards: Standard[]): Line[] {
  return known(table, standards[0]?.key ?? "correct").flatMap(({ row }) => {
    const method = String(row.method);
    return standards.flatMap(({ key, word }, at) => {
      const one = ends(row, key);
      return one ? [{ ...one, method, at, said: `${method}, ${word}: ${percent(one.value)}, ${interval(one.low, one.high, "percent")}, ${sizes(row)}` }] : [];
    });
  });
}

export function RankingFigure({ index, table }: { index: Index; table: Table }) {
  const standards = STANDARDS.filter(({ key }) => known(table, key).length);
  const lines = linesOf(table, standards);
  if (!lines.length) return <Empty title="Ranking of methods" />;
  const of = (at: number) => lines.filter((line) => line.at === at);
  const methods = of(0).sort((a, b) => b.value - a.value).map((line) => line.method);
  const colour = (line: Line) => hue(methodAt(index, line.method));
  const draw = (width: number) => {
    const { left, height, axis } = beside(methods, width);
    const apart = COLUMN[width < WIDE ? 0 : 1];
    const right = FIRST_COLUMN + apart * (standards.length - 1);
    const column = ({ short }: Standard, at: number) => [
      Plot.text(of(at), { y: "method", frameAnchor: "right", dx: FIRST_COLUMN - 8 + apart * at, textAnchor: "end", fontSize: 12.5, text: (line: Line) => percent(line.value) }),
      Plot.text([short], { frameAnchor: "top-right", dx: FIRST_COLUMN - 8 + apart * at, dy: -16, textAnchor: "end", fontSize: 11, fill: "var(--quiet)" }),
    ];
    const marks = (at: number) => {
      const dy = APART * (at - (standards.length - 1) / 2);
      const own = of(at);
      return [
        Plot.ruleY(own.filter((line) => line.low !== null && line.high !== null), {
          x1: "low", x2: "high", y: "method", dy, stroke: colour, strokeWidth: at ? 1.5 : 4, strokeOpacity: at ? 0.9 : 0.45,
        }),
        Plot.dot(own, {
          x: "value", y: "method", dy, r: at ? 4 : 5, fill: at ? "var(--page)" : colour, stroke: colour, strokeWidth: 1.5,
          ariaLabel: "said",
          ...(index.published ? {} : { href: (line: Line) => withQuery("#/tasks", { method: line.method }) }),
        }),
      ];
    };
    const row = Math.max(ROW[0], height, APART * standards.length + 12, Math.min(ROW[1], ROOMY / methods.length));
    return Plot.plot({
      width,
      height: row * methods.length + 68,
      marginLeft: left,
      marginTop: 26,
      marginRight: right,
      marginBottom: 42,
      x: { domain: [0, 1], label: "share correct, mean over tasks →", labelOffset: 38, grid: true, ticks: (width - left - right) / 60, tickFormat: (value: number) => `${Math.round(100 * value)} %` },
      y: { type: "point", domain: methods, label: null, padding: 0.6 },
      marks: [
        Plot.axisY(axis),
        // The strictest lies on top.
        ...standards.map((_, at) => marks(at)).reverse().flat(),
        ...standards.flatMap(column),
      ],
    });
  };
  const hollow = standards.slice(1).map(({ word }) => word).join("; ");
  const about = index.published ? "Correct as the tests of the paper judge." : `Filled: ${standards[0]?.word}.${hollow ? ` Hollow, from above: ${hollow}.` : ""}`;
  return (
    <Figure
      title={methods.length > 1 ? "Ranking of methods" : "Share correct"}
      says={`${spans(known(table, standards[0]?.key ?? "correct"))}. Means over tasks. ${about} Lines are 95 % intervals over tasks.`}
      draw={draw} depends={[table]} table={table} least={300}
      more={{ href: "#/leaderboard", text: "Leaderboard" }}
    />
  );
}
