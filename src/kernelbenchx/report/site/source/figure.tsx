/** A picture with its numbers: drawn to the width there is, walked by keyboard, with a table behind. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Column, Table, Value } from "./data";
import { Legend } from "./heading";
import { DataTable } from "./table";
import { rove } from "./roving";

type Drawing = SVGSVGElement | HTMLElement;

interface Props {
  title: string;
  /** How many things are in it and what its intervals are: every picture says so. */
  says: string;
  draw: (width: number) => Drawing;
  legend?: { label: string; colour: string }[];
  /** Draws again when one of these changes. */
  depends?: unknown[];
  table: Table;
  link?: (row: Value[], column: Column) => string | undefined;
  /** Below this width the picture scrolls instead of shrinking. */
  least?: number;
  level?: 2 | 3;
}

export function Figure(props: Props) {
  const { title, says, draw, legend, depends = [], table, link, least = 280, level = 2 } = props;
  const [open, setOpen] = useState(false);
  const [said, setSaid] = useState("");
  const holder = useRef<HTMLDivElement>(null);
  const width = useWidth(holder);
  useEffect(() => {
    const place = holder.current;
    if (!place || !width) return;
    const drawing = draw(Math.max(least, width));
    drawing.setAttribute("role", "group");
    drawing.setAttribute("aria-label", `${title}. ${says}`);
    place.replaceChildren(drawing);
    const leave = rove(place, setSaid);
    return leave;
  }, [width, title, says, ...depends]);
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <figure>
      <Heading>{title}</Heading>
      <p class="says">{says}</p>
      {legend && <Legend entries={legend} />}
      <div class="plot scroll" ref={holder} />
      <p class="readout" aria-live="polite">{said}</p>
      <figcaption>
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Hide the table" : "Show the table"}
        </button>
      </figcaption>
      {open && <DataTable table={table} link={link} />}
    </figure>
  );
}

/** In place of a picture of nothing. */
export function Empty({ title, level = 2 }: { title: string; level?: 2 | 3 }) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <section>
      <Heading>{title}</Heading>
      <p class="quiet">Nothing is known of this here.</p>
    </section>
  );
}

function useWidth(holder: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const place = holder.current;
    if (!place) return;
    const watcher = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.floor(entry.contentRect.width));
    });
    watcher.observe(place);
    return () => watcher.disconnect();
  }, [holder]);
  return width;
}
