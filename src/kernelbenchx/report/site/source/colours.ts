/** Colours by name of the style sheet, so that light and dark need no second drawing.

Never a name out of the data: a chart would take `red` or `url(...)` for a colour. */

import { FAILED_AT_SCALE } from "./evaluation";

export const HUES = 10;

export function hue(at: number): string {
  return `var(--hue-${at % HUES})`;
}

const WHOLE = [5, 20, 40, 60, 80, 95, 100];
const ROUND = [1, 2, 3, 5, 10];
const SHADES = WHOLE.length;

interface Paint {
  fill: string;
  ink: string;
}

function paint(step: number): Paint {
  return { fill: `var(--heat-${step})`, ink: `var(--heat-ink-${step})` };
}

/** Where colours end, in percent: round numbers, the last one at least `top`. */
function ends(top: number): number[] {
  if (top >= 1 || top <= 0) return WHOLE;
  const least = (100 * top) / SHADES;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * (ROUND.find((one) => one * power >= least) ?? 10);
  const many = Math.ceil((100 * top) / step - 1e-9);
  return Array.from({ length: many }, (_, at) => Number(((at + 1) * step).toPrecision(3)));
}

/** Shares from nothing to `top`, and what the colours mean. */
export function heat(top: number): { paint: (share: number) => Paint; legend: { label: string; colour: string }[] } {
  const borders = ends(top);
  const last = borders.length - 1;
  const shade = (at: number) => paint(Math.round((Math.min(at, last) * (SHADES - 1)) / Math.max(1, last)));
  return {
    paint: (share) => shade(borders.filter((border) => 100 * share >= border).length),
    legend: borders.map((to, at) => ({ label: `${borders[at - 1] ?? 0}–${to} %`, colour: shade(at).fill })),
  };
}

export function outcomeColour(outcome: string): string {
  if (outcome === FAILED_AT_SCALE) return "var(--wrong)";
  if (outcome === "not reached") return "var(--void)";
  const known = ["correct", "reached", "wrong", "broken", "rejected", "void", "passed"];
  return known.includes(outcome) ? `var(--${outcome})` : "var(--ink)";
}
