/** Values along a scale, one line per name, with a band or bars for their intervals. */
import * as Plot from "@observablehq/plot";
import type { Column, Table } from "./data";
import { Empty, Figure } from "./figure";
import { interval, logTicks, shown } from "./formats";
import { logX } from "./log_axis";
import type { Known } from "./rows";
import { sizes } from "./rows";

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
  /** A continuous scale gets bands, a few steps get bars. */
  continuous?: boolean;
  alongLog?: boolean;
  /** How a place on a logarithmic scale is written, where not each has a mark. */
  alongText?: (value: number) => string;
  border?: number;
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

export function LinesFigure(props: Props) {
  const { title, says, table, rows, along, name, colour, form, continuous, alongLog, alongText, border } = props;
  const points: Point[] = rows.map((one) => {
    const [at, line] = [Number(one.row[along]), String(one.row[name])];
    const told = `${shown(one.value, form)}, ${interval(one.low, one.high, form)}, ${sizes(one.row)}`;
    const part = props.joined ? `${line} ${one.row[props.joined]}` : line;
    return { ...one, at, line, part, said: `${line}, ${props.alongLabel} ${alongText ? alongText(at) : at}: ${told}` };
  });
  if (!points.length) return <Empty title={title} />;
  const lines = [...new Set(points.map((point) => point.line))];
  // Bars of several lines at one place would hide each other.
  const aside = (point: Point) => (continuous ? 0 : (lines.indexOf(point.line) - (lines.length - 1) / 2) * 5);
  const bounded = points.filter((point) => point.low !== null && point.high !== null);
  const steps = [...new Set(points.map((point) => point.at))];
  const most = Math.max(...points.map((point) => point.high ?? point.value));
  const alone = (point: Point) => points.filter((other) => other.part === point.part).length === 1;
  const stroke = (point: Point) => colour(point.line);
  // A curve that has come down to nothing need not be followed further.
  const end = Math.max(...points.filter((point) => point.value > 0.005).map((point) => point.at));
  const draw = (width: number) =>
    Plot.plot({
      width,
      height: Math.min(380, Math.max(260, width * 0.5)),
      marginLeft: 52,
      marginTop: 34,
      marginBottom: 42,
      x: {
        label: `${props.alongLabel} →`, labelOffset: 38, inset: continuous && !props.joined ? 0 : 24, ...(continuous && !alongLog ? { domain: [0, end] } : {}),
        ...(alongLog ? { type: "log", ticks: steps, tickFormat: (value: number) => `${value}` } : {}),
        ...(continuous ? {} : { ticks: steps, tickFormat: "d" }),
      },
      r: { type: "identity" },
      y: {
        label: `↑ ${props.label}`, grid: true, nice: true,
        ...(form === "percent" ? { domain: [0, most < 0.8 ? 1.02 * most : 1], tickFormat: (value: number) => `${Math.round(100 * value)} %` } : {}),
        ...(form === "ratio" ? { tickFormat: (value: number) => `${value}×` } : {}),
      },
      marks: [
        alongText ? logX(logTicks(Math.min(...steps), Math.max(...steps), (width - 52) / 62), alongText, `${props.alongLabel} →`) : null,
        border === undefined ? null : Plot.ruleY([border], { stroke: "var(--quiet)", strokeDasharray: "4 3" }),
        ...lines.flatMap((line) => {
          const own = points.filter((point) => point.line === line);
          const known = bounded.filter((point) => point.line === line);
          const [dx] = own.map(aside);
          const bars = continuous ? known.filter(alone) : known;
          return [
            continuous ? Plot.areaY(known, { x: "at", y1: "low", y2: "high", z: "part", fill: colour(line), fillOpacity: 0.14, clip: true }) : null,
            Plot.ruleX(bars, { x: "at", y1: "low", y2: "high", stroke: colour(line), strokeWidth: 2, strokeOpacity: 0.55, dx }),
            Plot.line(own, { x: "at", y: "value", z: "part", stroke: colour(line), strokeWidth: 2, dx, strokeOpacity: continuous ? 1 : 0.5, clip: continuous }),
            Plot.dot(continuous ? own.filter((point) => alongLog || point.at <= end) : own, {
              x: "at", y: "value", fill: stroke, r: (point: Point) => (continuous && !alone(point) ? 2.5 : 4.5), dx, ariaLabel: "said",
            }),
          ];
        }),
      ],
    });
  const legend = lines.map((line) => ({ label: line, colour: colour(line) }));
  return <Figure {...{ title, says, legend, draw, table }} depends={[rows]} />;
}
