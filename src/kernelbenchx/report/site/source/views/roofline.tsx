/** The fastest kernels against the peaks of their GPU. */
import * as Plot from "@observablehq/plot";
import { submissionAddress } from "../attempts";
import type { Page } from "../data";
import { Figure } from "../figure";
import { counted, logTicks, number } from "../formats";
import { GpuChoice, gpuOf } from "../gpu_choice";
import { Heading } from "../heading";
import { logX, logY } from "../log_axis";
import { PageBody } from "../page";
import type { Box, Busy, Named } from "../roofline/labels";
import { along, nameLine, placeNames, spread } from "../roofline/labels";
import type { Dot, Peak } from "../roofline/points";
import { dotsOf, extremes, formatColour, formatsOf, peaksOf } from "../roofline/points";
import { only, tableNamed } from "../rows";
import type { ViewProps } from "./all";

const LINE = 13;
/** Below this width only the names of peaks have room. */
const ROOMY = 600;
const SHAPES = ["circle", "square", "triangle", "diamond", "star", "hexagon", "cross", "wye"] as const;
const SIGNS = ["●", "■", "▲", "◆", "★", "⬢", "✚", "Y"];
const MARGIN = { left: 56, top: 20, bottom: 42 };

export function RooflineView(props: ViewProps) {
  const gpu = gpuOf(props.index, props.route);
  return (
    <>
      <Heading>Roofline</Heading>
      <div class="choices"><GpuChoice {...props} /></div>
      <PageBody name="roofline" wanted={{ gpu }} drawn={["roofline"]}>
        {(page) => <Scatter page={page} gpu={gpu} />}
      </PageBody>
    </>
  );
}

interface Scene {
  dots: Dot[];
  methods: string[];
  bandwidth: number;
  peaks: Peak[];
  /** Ends of both axes. */
  across: [number, number];
  upright: [number, number];
}

function sceneOf(page: Page, gpu: string): Scene {
  const dots = dotsOf(page, gpu);
  const all = peaksOf(page, gpu);
  const bandwidth = all.find((peak) => peak.rate === "bandwidth")?.value ?? 0;
  const peaks = all.filter((peak) => peak.rate !== "bandwidth").sort((a, b) => b.value - a.value);
  const top = Math.max(...peaks.map((peak) => peak.value), ...dots.map((dot) => dot.tflops));
  const low = Math.min(...dots.map((dot) => dot.intensity)) / 2;
  const high = Math.max(...dots.map((dot) => 1.3 * dot.intensity), bandwidth ? (2 * top * 1000) / bandwidth : 10);
  const least = Math.min(...dots.map((dot) => dot.tflops)) / 2;
  const methods = [...new Set(dots.map((dot) => dot.method))].sort();
  return { dots, methods, bandwidth, peaks, across: [low, high], upright: [least, 1.6 * top] };
}

interface Pixel {
  x: number;
  y: number;
}

/** The lower end of a rising line, moved up to where the picture begins. */
function inside([from, to]: [Pixel, Pixel], floor: number): Pixel {
  if (from.y <= floor) return from;
  const part = (from.y - floor) / (from.y - to.y);
  return { x: from.x + part * (to.x - from.x), y: floor };
}

/** Pixels of a place on a logarithmic axis. */
function pixels([low, high]: [number, number], from: number, to: number): (value: number) => number {
  return (value) => from + ((to - from) * Math.log(value / low)) / Math.log(high / low);
}

function drawing(scene: Scene, width: number) {
  const { dots, methods, bandwidth, peaks, across, upright } = scene;
  const height = Math.min(580, Math.max(430, width * 0.5));
  const roomy = width >= ROOMY;
  const right = roomy ? 112 : 58;
  const x = pixels(across, MARGIN.left, width - right);
  const y = pixels(upright, height - MARGIN.bottom, MARGIN.top);
  const knee = (peak: number) => Math.max(across[0], (peak * 1000) / (bandwidth || 1));
  const [over, up] = [logTicks(...across, width / 60), logTicks(...upright, 9)];
  const places = spread(peaks.map((peak) => y(peak.value)), LINE);
  const placed = dots.map((dot) => ({ x: x(dot.intensity), y: y(dot.tflops) }));
  const top = knee(peaks[0]?.value ?? upright[1]);
  const roof = ([across[0], top] as const).map((at) => ({ x: x(at), y: y((at * bandwidth) / 1000) })) as [Pixel, Pixel];
  const words = `bandwidth ${number(bandwidth)} GB/s`;
  const beside = bandwidth ? nameLine([inside(roof, height - MARGIN.bottom), roof[1]], words.length, placed) : null;
  const flat = peaks.flatMap((peak) => along([{ x: x(knee(peak.value)), y: y(peak.value) }, { x: width - right, y: y(peak.value) }]));
  const busy = { dots: placed, lines: [...(bandwidth ? along(roof) : []), ...flat], words: beside?.covered ?? [] };
  const shape = (dot: Dot) => SHAPES[methods.indexOf(dot.method) % SHAPES.length] ?? "circle";
  return Plot.plot({
    width,
    height,
    marginLeft: MARGIN.left,
    marginTop: MARGIN.top,
    marginBottom: MARGIN.bottom,
    marginRight: right,
    grid: true,
    x: { type: "log", domain: across, ticks: over },
    y: { type: "log", domain: upright, ticks: up },
    r: { type: "identity" },
    marks: [
      logX(over, number, "operations per byte that the task needs →"),
      logY(up, number, "↑ TFLOP/s reached"),
      bandwidth
        ? Plot.line([across[0], top].map((at) => [at, (at * bandwidth) / 1000]), { stroke: "var(--ink)", strokeWidth: 1.5, clip: true })
        : null,
      ...peaks.map((peak) =>
        Plot.line([knee(peak.value), across[1]].map((at) => [at, peak.value]), { stroke: formatColour(peak.rate), strokeWidth: 1.5 }),
      ),
      () => leaders(peaks.map((peak) => y(peak.value)), places, width - right, peaks),
      ...peaks.map((peak, at) =>
        Plot.text([peak], {
          x: () => across[1], y: "value", textAnchor: "start", dx: 16, dy: (places[at] ?? 0) - y(peak.value), fontSize: 11.5, fill: formatColour(peak.rate),
          text: () => (roomy ? `${peak.rate} ${number(peak.value)}` : peak.rate),
        }),
      ),
      Plot.dot(dots, {
        x: "intensity", y: "tflops", r: 4, symbol: shape,
        fill: (dot: Dot) => (dot.bound ? "none" : formatColour(dot.format)),
        stroke: (dot: Dot) => formatColour(dot.format),
        fillOpacity: 0.55,
        href: (dot: Dot) => submissionAddress(dot.task, dot.id),
        ariaLabel: "said",
      }),
      beside
        ? Plot.text([words], {
            frameAnchor: "top-left", dx: beside.x - MARGIN.left, dy: beside.y - MARGIN.top, textAnchor: "middle", lineAnchor: "middle", rotate: beside.rotate, fontSize: 11.5, fill: "var(--ink)", stroke: "var(--page)", strokeWidth: 4, pointerEvents: "none",
          })
        : null,
      ...names(dots, x, y, busy, { left: MARGIN.left, right: width - right + 8, top: 4, bottom: height - MARGIN.bottom }, roomy ? 5 : 3),
    ],
  });
}

/** Short strokes from the ends of lines to their names, which had to be moved apart. */
function leaders(lines: number[], labels: number[], from: number, peaks: Peak[]): SVGGElement {
  const space = "http://www.w3.org/2000/svg";
  const group = document.createElementNS(space, "g");
  lines.forEach((line, at) => {
    const path = document.createElementNS(space, "path");
    path.setAttribute("d", `M${from},${line}L${from + 12},${labels[at] ?? line}`);
    path.setAttribute("stroke", formatColour(peaks[at]?.rate ?? ""));
    path.setAttribute("fill", "none");
    group.append(path);
  });
  return group;
}

function names(dots: Dot[], x: (value: number) => number, y: (value: number) => number, busy: Busy, frame: Box, most: number) {
  const chosen = extremes(dots, most);
  const named: Named[] = chosen.map((dot) => ({ name: dot.task.split("/").at(-1) ?? dot.task, x: x(dot.intensity), y: y(dot.tflops) }));
  const places = placeNames(named, busy, frame);
  return chosen.flatMap((dot, at) => {
    const place = places[at];
    if (!place) return [];
    return Plot.text([dot], {
      x: "intensity", y: "tflops", text: () => named[at]?.name ?? "", dx: place.dx, dy: place.dy, textAnchor: place.anchor,
      fontSize: 11.5, fill: "var(--ink)", stroke: "var(--page)", strokeWidth: 4, pointerEvents: "none",
    });
  });
}

function Scatter({ page, gpu }: { page: Page; gpu: string }) {
  const table = tableNamed(page, "roofline");
  const scene = sceneOf(page, gpu);
  if (!scene.dots.length || !table) return <p class="quiet">Nothing was timed on this GPU.</p>;
  const { dots, methods } = scene;
  const formats = formatsOf(dots).map((format) => ({ label: format || "not known", colour: formatColour(format) }));
  const shapes = methods.map((label, at) => ({ label, colour: "var(--ink)", sign: SIGNS[at % SIGNS.length] ?? "●" }));
  return (
    <Figure
      title={table.title}
      says={`n = ${counted(dots.length, "timing case")} of the fastest attempt of each task and method on ${gpu}. Colours are the number formats of the arithmetic; hollow: overhead-bound. Lines are measured peaks. Of the tasks nearest to a peak and furthest from it, those with room are named; at the pointer, each dot has its name and its interval over eager.`}
      legend={methods.length > 1 ? [...formats, ...shapes] : formats}
      draw={(width) => drawing(scene, width)}
      depends={[gpu, page]}
      table={only(table, { gpu })}
      link={(row, column) => (column.key === "id" ? submissionAddress(String(row[0]), String(row.at(-1))) : undefined)}
      least={320}
    />
  );
}
