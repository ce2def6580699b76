/** What the picture of the roofline draws: dots, peaks, colours of number formats. */
import { hue } from "../colours";
import type { Page } from "../data";
import { records } from "../data";
import { interval, number, ratio } from "../formats";
import { only, tableNamed } from "../rows";

export interface Dot {
  task: string;
  method: string;
  id: string;
  format: string;
  intensity: number;
  tflops: number;
  score: number;
  bound: boolean;
  said: string;
}

export interface Peak {
  rate: string;
  value: number;
}

const FORMATS = ["fp32", "fp16", "tf32", "bf16", "fp64", "tf32x3", "int8", "fp8"];

export function formatColour(format: string): string {
  const at = FORMATS.indexOf(format);
  return at < 0 ? "var(--void)" : hue(at);
}

/** Formats that occur, in one order for all reports. */
export function formatsOf(dots: Dot[]): string[] {
  const found = new Set(dots.map((dot) => dot.format));
  return [...FORMATS.filter((format) => found.has(format)), ...[...found].filter((format) => !FORMATS.includes(format))];
}

export function dotsOf(page: Page, gpu: string): Dot[] {
  const table = tableNamed(page, "roofline");
  if (!table) return [];
  return records(only(table, { gpu }))
    .filter((row) => Number(row.intensity) > 0 && Number(row.tflops) > 0)
    .map((row) => ({
      task: String(row.task),
      method: String(row.method),
      id: String(row.id),
      format: String(row.format ?? ""),
      intensity: Number(row.intensity),
      tflops: Number(row.tflops),
      score: Number(row.score),
      bound: row.overhead_bound === true,
      said: `${row.task}, ${row.method}, ${row.case}: ${number(Number(row.tflops))} TFLOP/s${row.format ? ` (${row.format})` : ""}, ${number(Number(row.gb_per_s))} GB/s, ${ratio(Number(row.speedup))} over eager, ${interval(row.low as number, row.high as number, "ratio")}${row.overhead_bound ? ", overhead-bound" : ""}`,
    }));
}

export function peaksOf(page: Page, gpu: string): Peak[] {
  const table = tableNamed(page, "roofs");
  if (!table) return [];
  const found = records(only(table, { gpu })).map((row) => ({ rate: String(row.rate), value: Number(row.value) }));
  return found.filter((peak) => peak.value > 0);
}

/** One dot each of the tasks that come nearest to a peak and of those that stay furthest from it. */
export function extremes(dots: Dot[], each: number): Dot[] {
  const ordered = [...dots].sort((a, b) => b.score - a.score);
  const first = (from: Dot[], many: number) => {
    const seen = new Map<string, Dot>();
    for (const dot of from) if (!seen.has(dot.task) && seen.size < many) seen.set(dot.task, dot);
    return [...seen.values()];
  };
  const fastest = [...dots].sort((a, b) => b.tflops - a.tflops);
  const found = [...first(ordered, each), ...first(fastest, 2), ...first(ordered.reverse(), each)];
  return found.filter((dot, at) => found.findIndex((other) => other.task === dot.task) === at);
}
