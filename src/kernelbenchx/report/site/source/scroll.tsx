/** What is wider than the screen scrolls, and shows that there is more: shaded edges and a line of words. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Where there is more: `left`, `right`, both, or an empty text where all is in view. */
export function useMore(box: { current: HTMLElement | null }, changed: unknown[] = []): { wide: boolean; sides: string } {
  const [found, setFound] = useState({ wide: false, sides: "" });
  useEffect(() => {
    const place = box.current;
    if (!place) return;
    const look = () => {
      const { scrollLeft, scrollWidth, clientWidth } = place;
      const left = scrollLeft > 1 ? "left" : "";
      const right = scrollLeft + clientWidth < scrollWidth - 1 ? "right" : "";
      const next = { wide: scrollWidth > clientWidth + 1, sides: `${left} ${right}`.trim() };
      setFound((last) => (last.wide === next.wide && last.sides === next.sides ? last : next));
    };
    const watcher = new ResizeObserver(look);
    watcher.observe(place);
    if (place.firstElementChild) watcher.observe(place.firstElementChild);
    place.addEventListener("scroll", look, { passive: true });
    return () => {
      watcher.disconnect();
      place.removeEventListener("scroll", look);
    };
  }, [box, ...changed]);
  return found;
}

export function MoreHint({ wide, what }: { wide: boolean; what: string }) {
  return wide ? <p class="hint" aria-hidden="true">↔ Scroll sideways for more {what}</p> : null;
}

export function Scroll({ label, children }: { label: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const { wide, sides } = useMore(box);
  return (
    <div class="scroller" data-more={sides}>
      <MoreHint wide={wide} what="columns" />
      <div class="edges">
        <div class="scroll" ref={box} tabIndex={0} role="region" aria-label={label}>
          {children}
        </div>
      </div>
    </div>
  );
}
