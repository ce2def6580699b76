/** Colours by name of the style sheet, so that light and dark need no second drawing.

Never a name out of the data: a chart would take `red` or `url(...)` for a colour. */

export const HUES = 10;

export function hue(at: number): string {
  return `var(--hue-${at % HUES})`;
}

const STEPS = [0.05, 0.2, 0.4, 0.6, 0.8, 0.95];

interface Paint {
  fill: string;
  ink: string;
}

function paint(step: number): Paint {
  return { fill: `var(--heat-${step})`, ink: `var(--heat-ink-${step})` };
}

/** Shares from nothing to `top`, and what the colours mean. */
export function heat(top: number): { paint: (share: number) => Paint; legend: { label: string; colour: string }[] } {
  const borders = STEPS.map((step) => step * top);
  const said = (share: number) => Number((100 * share).toPrecision(2));
  return {
    paint: (share) => paint(borders.filter((border) => share >= border).length),
    legend: [0, ...borders].map((from, at) => ({
      label: `${said(from)}–${said(borders[at] ?? top)} %`,
      colour: paint(at).fill,
    })),
  };
}

export function outcomeColour(outcome: string): string {
  const known = ["correct", "reached", "wrong", "broken", "rejected", "void"];
  return known.includes(outcome) ? `var(--${outcome})` : "var(--ink)";
}
