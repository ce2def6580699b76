/** The first line of a view: takes the focus when the view opens. */
import type { ComponentChildren } from "preact";
import { outcomeColour } from "./colours";

export function Heading({ children }: { children: ComponentChildren }) {
  return <h1 tabIndex={-1}>{children}</h1>;
}

export function Badge({ outcome }: { outcome: string }) {
  return (
    <span class="badge" style={{ color: outcomeColour(outcome) }}>
      {outcome}
    </span>
  );
}

export interface LegendEntry {
  label: string;
  colour: string;
  /** In place of a patch of colour: the shape of the marks. */
  sign?: string;
}

export function Legend({ entries }: { entries: LegendEntry[] }) {
  return (
    <ul class="legend">
      {entries.map(({ label, colour, sign }) => (
        <li>
          {sign ? <span class="sign" style={{ color: colour }} aria-hidden="true">{sign}</span> : <i style={{ background: colour }} aria-hidden="true" />}
          {label}
        </li>
      ))}
    </ul>
  );
}
