/** Numbers and addresses as people read them. */
import type { Column, Value } from "./data";

export function shown(value: Value, form: Column["form"] = "text"): string {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string" || form === "text") return String(value);
  if (form === "percent") return percent(value);
  if (form === "ratio") return ratio(value);
  if (form === "seconds") return `${value.toFixed(2)} s`;
  return form === "count" ? count(value) : number(value);
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

export function ratio(value: number): string {
  return `${value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 3)}×`;
}

export function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

export function number(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return value.toLocaleString("en");
  const short = Number(value.toPrecision(4));
  return Math.abs(short) >= 1e4 && Math.abs(short) < 1e12 ? short.toLocaleString("en") : short.toString();
}

const LARGE: [number, string][] = [[1e9, " G"], [1e6, " M"], [1e3, " k"]];

/** Short enough for an axis: 200 k, 0.05. */
export function short(value: number): string {
  const [size, unit] = LARGE.find(([one]) => value >= one) ?? [1, ""];
  return `${Number((value / size).toPrecision(3))}${unit}`;
}

export function microseconds(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  if (value >= 1000) return `${(value / 1000).toPrecision(4)} ms`;
  return `${Number(value.toPrecision(4))} µs`;
}

export function counted(many: number, one: string, several = `${one}s`): string {
  return `${count(many)} ${many === 1 ? one : several}`;
}

/** `low to high` in the form of a column. */
export function interval(low: number | null, high: number | null, form: Column["form"]): string {
  if (low === null || high === null) return "no interval";
  return `${shown(low, form)} to ${shown(high, form)}`;
}

function within(low: number, high: number, steps: number[]): number[] {
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += 1) {
    found.push(...steps.map((step) => Number((step * 10 ** power).toPrecision(3))));
  }
  return found.filter((tick) => tick >= low && tick <= high);
}

function evenly(low: number, high: number, most: number): number[] {
  const wanted = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = power * ([1, 2, 5, 10].find((one) => one * power >= wanted) ?? 10);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.max(0, Math.floor(high / step) - first + 1) }, (_, at) =>
    Number(((first + at) * step).toPrecision(6)),
  );
}

/** Round factors within the ends of a logarithmic scale, few enough to be read; even steps where it is short. */
export function logTicks(low: number, high: number, wanted: number): number[] {
  const most = Math.max(4, wanted);
  const choices = [[1, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]].map((steps) => within(low, high, steps));
  const fine = choices[0] ?? [];
  if (fine.length < 4) return evenly(low, high, most);
  const fits = choices.find((found) => found.length <= most);
  const powers = choices.at(-1) ?? [];
  return fits ?? powers.filter((_, at) => at % Math.ceil(powers.length / most) === 0);
}

/** `not_a_kernel` as words. */
export function words(name: string): string {
  return name.replaceAll("_", " ");
}

/** Addresses are always within the page, whatever a name holds. */
export function address(...parts: string[]): string {
  return `#/${parts.map((part) => part.split("/").map(encodeURIComponent).join("/")).join("/")}`;
}

export function withQuery(path: string, query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString();
  return text ? `${path}?${text}` : path;
}
