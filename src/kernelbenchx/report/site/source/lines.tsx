/** Values along a scale, one line per name, with bands or upright lines for their intervals. */
import * as Plot from "@observablehq/plot";
import type { Column, Table } from "./data";
import { Empty, Figure } from "./figure";
import { interval, logTicks, shown } from "./formats";
import { logX } from "./log_axis";
import type { Known } from "./rows";
import { sizes } from "./rows";

const MOST_BANDS = 2;
const NOTHING = 0.005;
/** From this factor on between the largest and the smallest, values stand on a logarithmic scale. */
export const MANY = 20;

interface Props {
  title: string;
  says: string;
  table: Table;
  rows: Known[];
  /** Keys of the scale and of the name of a line. */
  along: string;
  name: string;
  colour: (name: string) => string;
  form: Column["form"];
  alongLabel: string;
  label: string;
  /** On a continuous scale one or two lines get bands; more of them, and steps, get upright lines. */
  continuous?: boolean;
  alongLog?: boolean;
  /** How a place on a logarithmic scale is written, where not each has a mark. */
  alongText?: (value: number) => string;
  border?: number;
  /** A curve that comes down to nothing, where it ends. */
  falls?: boolean;
  /** Only points of equal value are about the same things, and joined; without it, all of a line are. */
  joined?: string;
}

interface Point extends Known {
  at: number;
  line: string;
  /** Points that are joined. */
  part: string;
  said: string;
}

/** A curve that has come down to nothing is not followed further. */
function followed(points: Point[]): Point[] {
  const end = Math.max(...points.filter((point) => point.value > NOTHING).map((point) => point.at));
  return Number.isFinite(end) ? points.filter((point) => point.at <= end) : points;
}

export function LinesFigure(props: Props) {
  const { title, says, table, rows, along, name, colour, form, continuous = false, alongLog, alongText, border } = props;
  const all: Point[] = rows.map((one) => {
    const [at, line] = [Number(one.row[along]), String(one.row[name])];
    const told = `${shown(one.value, form)}, ${interval(one.low, one.high, form)}, ${sizes(one.row)}`;
    const part = props.joined ? `${line} ${one.row[props.joined]}` : line;
    return { ...one, at, line, part, said: `${line}, ${props.alongLabel} ${alongText ? alongText(at) : at}: ${told}` };
  });
  if (!all.length) return <Empty title={title} />;
  const points = props.falls ? followed(all) : all;
  const lines = [...new Set(points.map((point) => point.line))];
  const steps = [...new Set(points.map((point) => point.at))].sort((a, b) => a - b);
  const [first, last] = [steps[0] ?? 1, steps.at(-1) ?? 1];
  const alone = (point: Point) => points.filter((other) => other.part === point.part).length === 1;
  // More than two bands over each other cannot be told apart. Upright lines can: each name has its
  // own places where there are many, else the names are moved aside.
  const banded = continuous && lines.length <= MOST_BANDS;
  const inTurn = continuous && steps.length >= 3 * lines.length;
  const aside = (line: string, width: number) => {
    const step = Math.min(14, Math.max(4, (0.5 * width) / (steps.length * lines.length)));
    return banded || inTurn ? 0 : (lines.indexOf(line) - (lines.length - 1) / 2) * step;
  };
  const turn = (point: Point) => steps.indexOf(point.at) % lines.length === lines.indexOf(point.line);
  const barred = (point: Point) => alone(point) || (!banded && (!inTurn || turn(point)));
  const bounded = points.filter((point) => point.low !== null && point.high !== null);
  const most = Math.max(...points.map((point) => point.high ?? point.value));
  const least = Math.min(...points.map((point) => point.low ?? point.value));
  const decades = form !== "percent" && least > 0 && most / least >= MANY;
  const draw = (width: number) =>
    Plot.plot({
      width,
      height: Math.min(380, Math.max(260, width * 0.5)),
      marginLeft: 52,
      marginTop: 34,
      marginBottom: 42,
      x: {
        label: `${props.alongLabel} →`, labelOffset: 38, inset: banded || inTurn ? 8 : Math.min(60, Math.max(24, 7 * lines.length)), ticks: steps,
        ...(alongLog ? { type: "log", tickFormat: (value: number) => `${value}` } : { tickFormat: "d" }),
      },
      r: { type: "identity" },
      y: {
        label: `↑ ${props.label}`, grid: true, nice: !decades, ...(decades ? { type: "log", ticks: logTicks(least, most, 7) } : {}),
        ...(form === "percent" ? { domain: [0, most < 0.8 ? 1.02 * most : 1], tickFormat: (value: number) => `${Math.round(100 * value)} %` } : {}),
        ...(form === "ratio" ? { tickFormat: (value: number) => `${value}×` } : {}),
      },
      marks: [
        alongText ? logX(logTicks(first, last, (width - 52) / 62), alongText, `${props.alongLabel} →`) : null,
        border === undefined ? null : Plot.ruleY([border], { stroke: "var(--quiet)", strokeDasharray: "4 3" }),
        ...lines.flatMap((line) => {
          const own = points.filter((point) => point.line === line);
          const known = bounded.filter((point) => point.line === line);
          const dx = aside(line, width);
          return [
            banded ? Plot.areaY(known, { x: "at", y1: "low", y2: "high", z: "part", fill: colour(line), fillOpacity: 0.14 }) : null,
            Plot.ruleX(known.filter(barred), { x: "at", y1: "low", y2: "high", stroke: colour(line), strokeWidth: 2, strokeOpacity: 0.55, dx }),
            Plot.line(own, { x: "at", y: "value", z: "part", stroke: colour(line), strokeWidth: 2, dx, strokeOpacity: continuous ? 1 : 0.5 }),
            Plot.dot(own, {
              x: "at", y: "value", fill: colour(line), r: (point: Point) => (continuous && !alone(point) ? 2.5 : 4.5), dx, ariaLabel: "said",
            }),
          ];
        }),
      ],
    });
  const legend = lines.map((line) => ({ label: line, colour: colour(line) }));
  return <Figure {...{ title, says, legend, draw, table }} depends={[rows]} />;
}
