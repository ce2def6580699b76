/** Names beside and above a picture: where there is no room for one line, in several. */

const LETTER = 7;
const NARROW = 7.2;
const MARGIN = 16;
const LINE = 14;
const MOST = 4;
const SIGNS = [..."-,;_/"];
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
    height: LINE * deepest + 14,
    axis: { tickSize: 0, fontSize: 12.5, tickFormat: (name) => broken(name, letters).join("\n") },
  };
}

export interface Above {
  /** The height that the deepest of them needs. */
  top: number;
  axis: { tickSize: 0; fontSize: number; tickFormat: (name: string) => string };
}

/** Names above columns that are so wide. */
export function above(names: string[], column: number): Above {
  const letters = Math.max(4, Math.floor((column - 2) / NARROW));
  const deepest = Math.max(...names.map((name) => broken(name, letters).length));
  const tickFormat = (name: string) => broken(name, letters).join("\n");
  return { top: LINE * (deepest - 1), axis: { tickSize: 0, fontSize: 12, tickFormat } };
}

/** How wide a column has to be for the longest part of a name that is not broken gladly. */
export function columnFor(names: string[]): number {
  const parts = names.flatMap((name) => name.split(/[-,;_/\s]+/));
  return 2 + NARROW * Math.max(...parts.map((part) => part.length + 1));
}

/** In lines of at most so many letters, between words where that is possible; the rest is cut. */
function broken(name: string, letters: number): string[] {
  const lines: string[] = [];
  let rest = name;
  while (rest.length > letters && lines.length < MOST - 1) {
    const fits = rest.slice(0, letters + 1);
    const end = Math.max(fits.lastIndexOf(" "), ...SIGNS.map((sign) => fits.slice(0, letters).lastIndexOf(sign) + 1));
    const at = end > 0 ? end : letters;
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return [...lines, rest.length > letters ? `${rest.slice(0, letters - 1)}…` : rest];
}
