/** Axes of logarithmic scales: every tick that was chosen has its label. */
import * as Plot from "@observablehq/plot";

// Given as a tick format, the words of most ticks would be dropped: D3 expects many more ticks of such scales.
export function logX(ticks: number[], text: (value: number) => string, label: string) {
  return Plot.axisX(ticks, { text, label, labelOffset: 38 });
}

export function logY(ticks: number[], text: (value: number) => string, label: string) {
  return Plot.axisY(ticks, { text, label });
}

/** With some room at both ends, also where they are the same. */
export function roomy(low: number, high: number): [number, number] {
  const room = Math.max(1.02, (high / low) ** 0.02);
  return [low / room, high * room];
}

/** A factor: 0.5×. */
export function times(value: number): string {
  return `${Number(value.toPrecision(4))}×`;
}
