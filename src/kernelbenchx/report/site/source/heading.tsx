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

export function Legend({ entries }: { entries: { label: string; colour: string }[] }) {
  return (
    <ul class="legend">
      {entries.map(({ label, colour }) => (
        <li>
          <i style={{ background: colour }} aria-hidden="true" />
          {label}
        </li>
      ))}
    </ul>
  );
}
