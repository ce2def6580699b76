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
  return `${value >= 100 ? value.toFixed(0) : value.toFixed(2)}×`;
}

export function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

export function number(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return value.toLocaleString("en");
  return Number(value.toPrecision(4)).toString();
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
