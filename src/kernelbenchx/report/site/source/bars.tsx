/** Cells of a table that show their number as a bar, with a line for its interval. */
import type { Ends } from "./rows";

interface Props {
  ends: Ends;
  text: string;
  colour: string;
  /** Where a value lies in the cell, from 0 to 1. */
  at: (value: number) => number;
  /** Where the bar begins: 0 for shares, 1 for factors. */
  from?: number;
}

function within(share: number): number {
  return 100 * Math.min(1, Math.max(0, share));
}

export function Bar({ ends, text, colour, at, from = 0 }: Props) {
  const [start, end] = [at(from), at(ends.value)].sort((a, b) => a - b) as [number, number];
  const known = ends.low !== null && ends.high !== null;
  return (
    <span class="bar">
      <span class="track" aria-hidden="true">
        <span class="fill" style={{ left: `${within(start)}%`, width: `${within(end) - within(start)}%`, background: colour }} />
        {from > 0 && <span class="origin" style={{ left: `${within(start === at(from) ? start : end)}%` }} />}
        {known && (
          <span class="ends" style={{ left: `${within(at(ends.low ?? 0))}%`, width: `${within(at(ends.high ?? 0)) - within(at(ends.low ?? 0))}%` }} />
        )}
      </span>
      <span class="value">{text}</span>
    </span>
  );
}

/** Places of factors on a logarithmic scale that has 1 and all of these in it. */
export function factorScale(values: number[]): (value: number) => number {
  const all = [1, ...values.filter((value) => value > 0)].map(Math.log);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const room = 0.06 * (high - low) || 0.1;
  return (value) => (Math.log(Math.max(value, 1e-9)) - low + room) / (high - low + 2 * room);
}
