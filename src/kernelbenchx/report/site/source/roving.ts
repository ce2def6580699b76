/** A picture is one stop of the Tab key; arrows walk between its marks, and the pointer finds the nearest. */

type Mark = SVGElement & HTMLElement;
type Step = [number, number];

const STEPS: Record<string, Step> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** Marks are small: the pointer need not hit one, only come so near, in pixels. */
const NEAR = 12;

function centre(mark: Element): Step {
  const box = mark.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** The nearest mark in that direction; being off the line counts more than being far. */
function next(marks: Mark[], from: Mark, [dx, dy]: Step): Mark | undefined {
  const [x, y] = centre(from);
  let best: Mark | undefined;
  let least = Infinity;
  for (const mark of marks) {
    const [at, above] = centre(mark);
    const along = (at - x) * dx + (above - y) * dy;
    const aside = Math.abs((at - x) * dy) + Math.abs((above - y) * dx);
    const far = along + 3 * aside;
    if (mark !== from && along > 0.5 && far < least) [best, least] = [mark, far];
  }
  return best;
}

/** The mark that an event is about; groups have labels too, but those only name kinds of marks. */
function markAt(target: EventTarget | null): Element | null {
  const mark = target instanceof Element ? target.closest("a[aria-label], [aria-label]:not(g, svg, a)") : null;
  return mark?.closest("svg") ? mark : null;
}

/** Links where marks lead somewhere, else all that say something. */
function marksOf(place: HTMLElement): Mark[] {
  const links = [...place.querySelectorAll<Mark>("svg a")];
  for (const link of links) {
    const inner = link.querySelector("[aria-label]");
    if (inner) link.setAttribute("aria-label", inner.getAttribute("aria-label") ?? "");
  }
  if (links.length) return links;
  const marks = [...place.querySelectorAll<Mark>("svg [aria-label]:not(g, svg)")];
  for (const mark of marks) mark.setAttribute("role", "img");
  return marks;
}

function nearest(marks: Mark[], centres: Step[], x: number, y: number): Mark | null {
  let best: Mark | null = null;
  let least = NEAR;
  centres.forEach(([at, above], place) => {
    const far = Math.hypot(at - x, above - y);
    if (far < least) [best, least] = [marks[place] ?? null, far];
  });
  return best;
}

/** Starts it for one drawing; `say` hears which mark the pointer or the focus is on. */
export function rove(place: HTMLElement, say: (text: string, mark: Element | null) => void): () => void {
  const marks = marksOf(place);
  marks.forEach((mark, at) => mark.setAttribute("tabindex", at ? "-1" : "0"));
  let centres: Step[] | undefined;
  const tell = (mark: Element | null) => say(mark?.getAttribute("aria-label") ?? "", mark);
  const pressed = (event: KeyboardEvent) => {
    const from = marks.find((mark) => mark === document.activeElement);
    const step = STEPS[event.key];
    if (!from || !step) return;
    event.preventDefault();
    const to = next(marks, from, step);
    if (!to) return;
    from.setAttribute("tabindex", "-1");
    to.setAttribute("tabindex", "0");
    to.focus();
  };
  const focused = (event: Event) => tell(markAt(event.target));
  const moved = (event: PointerEvent) => {
    centres ??= marks.map(centre);
    tell(markAt(event.target) ?? nearest(marks, centres, event.clientX, event.clientY));
  };
  const left = () => tell(null);
  const shifted = () => {
    centres = undefined;
  };
  const listeners: [EventTarget, string, EventListener][] = [
    [place, "keydown", pressed as EventListener],
    [place, "focusin", focused],
    [place, "focusout", left],
    [place, "pointermove", moved as EventListener],
    [place, "pointerleave", left],
    [place, "scroll", shifted],
    [window, "scroll", shifted],
  ];
  for (const [target, name, heard] of listeners) target.addEventListener(name, heard, { passive: name !== "keydown" });
  return () => {
    for (const [target, name, heard] of listeners) target.removeEventListener(name, heard);
  };
}
