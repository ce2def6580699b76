/** Names beside the lines of a picture: where there is no room for one line, in up to three. */

const LETTER = 7;
const MARGIN = 16;
const LINE = 14;
const MOST = 3;
/** How much of a picture names may take. */
const SHARE = 0.42;

export interface Beside {
  /** The room that names take. */
  left: number;
  /** The height that the deepest of them needs. */
  height: number;
  axis: { tickSize: 0; fontSize: number; tickFormat: (name: string) => string };
}

export function beside(names: string[], width: number): Beside {
  const whole = MARGIN + LETTER * Math.max(...names.map((name) => name.length));
  const left = Math.min(SHARE * width, whole);
  const letters = left < whole ? Math.max(4, Math.floor((left - MARGIN) / LETTER)) : Infinity;
  const deepest = Math.max(...names.map((name) => broken(name, letters).length));
  return {
    left,
    height: LINE * deepest + 10,
    axis: { tickSize: 0, fontSize: 12.5, tickFormat: (name) => broken(name, letters).join("\n") },
  };
}

/** In lines of at most so many letters, between words where that is possible; the rest is cut. */
function broken(name: string, letters: number): string[] {
  const lines: string[] = [];
  let rest = name;
  while (rest.length > letters && lines.length < MOST - 1) {
    const fits = rest.slice(0, letters + 1);
    const end = Math.max(fits.lastIndexOf(" "), fits.slice(0, letters).lastIndexOf("-") + 1);
    const at = end > 0 ? end : letters;
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return [...lines, rest.length > letters ? `${rest.slice(0, letters - 1)}…` : rest];
}
