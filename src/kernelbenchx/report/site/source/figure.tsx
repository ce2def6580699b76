/** A picture with its numbers: drawn to the width there is, walked by keyboard, with a table behind. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Column, Table, Value } from "./data";
import type { LegendEntry } from "./heading";
import { Legend } from "./heading";
import { rove } from "./roving";
import { svgOf } from "./exports";
import { Save } from "./save";
import { MoreHint, useMore } from "./scroll";
import { DataTable } from "./table";
import { NOTHING, saidAt, Tooltip } from "./tooltip";

type Drawing = SVGSVGElement | HTMLElement;

interface Props {
  title: string;
  /** How many things are in it and what its intervals are: every picture says so. */
  says: string;
  draw: (width: number) => Drawing;
  legend?: LegendEntry[];
  /** Draws again when one of these changes. */
  depends?: unknown[];
  table: Table;
  link?: (row: Value[], column: Column) => string | undefined;
  /** Below this width the picture scrolls instead of shrinking. */
  least?: number;
  level?: 2 | 3;
  /** A link to the view that says more. */
  more?: { href: string; text: string };
  /** What can be chosen about this picture alone. */
  choice?: ComponentChildren;
}

export function Figure(props: Props) {
  const { title, says, draw, legend, depends = [], table, link, least = 280, level = 2, more, choice } = props;
  const [open, setOpen] = useState(false);
  const [said, setSaid] = useState(NOTHING);
  const holder = useRef<HTMLDivElement>(null);
  const width = useWidth(holder);
  const { wide, sides } = useMore(holder, [width, ...depends]);
  useEffect(() => {
    const place = holder.current;
    if (!place || !width) return;
    const drawing = draw(Math.max(least, width));
    drawing.setAttribute("role", "group");
    drawing.setAttribute("aria-label", `${title}. ${says}`);
    place.replaceChildren(drawing);
    setSaid(NOTHING);
    return rove(place, (text, mark) => setSaid(mark && text ? saidAt(text, mark, place) : NOTHING));
  }, [width, title, says, ...depends]);
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <figure>
      <div class="head">
        <Heading>{title}</Heading>
        {choice}
      </div>
      <p class="says">{unbroken(says)}</p>
      {legend && <Legend entries={legend} />}
      <div class="scroller" data-more={sides}>
        <MoreHint wide={wide} what="of the picture" />
        <div class="edges">
          <div class="plot scroll" ref={holder} />
          <Tooltip said={said} />
        </div>
      </div>
      <figcaption>
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Hide the table" : "Show the table"}
        </button>
        {more && <a href={more.href}>{more.text}</a>}
        <Save table={table} picture={{ name: title, text: () => savedFrom(holder.current, title, legend ?? []) }} />
      </figcaption>
      {open && <DataTable table={table} link={link} saved={null} />}
    </figure>
  );
}

function savedFrom(place: HTMLElement | null, title: string, legend: LegendEntry[]): string {
  const drawing = place?.querySelector("svg");
  return drawing ? svgOf(drawing, title, legend) : "";
}

/** A number stays with its sign at the end of a line. */
function unbroken(text: string): string {
  return text.replace(/(\d) %/g, "$1\u00a0%");
}

/** In place of a picture of nothing. */
export function Empty({ title, level = 2 }: { title: string; level?: 2 | 3 }) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <section>
      <Heading>{title}</Heading>
      <p class="quiet">No data here.</p>
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
