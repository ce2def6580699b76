/** A picture is one stop of the Tab key; arrows walk between its marks. */

type Mark = SVGElement & HTMLElement;
type Step = [number, number];

const STEPS: Record<string, Step> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

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

/** What a mark says; groups have labels too, but those only name kinds of marks. */
function label(target: EventTarget | null): string {
  const mark = target instanceof Element ? target.closest("a[aria-label], [aria-label]:not(g, svg, a)") : null;
  return mark?.closest("svg") ? (mark.getAttribute("aria-label") ?? "") : "";
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

/** Starts it for one drawing; `say` hears what the pointer or the focus is on. */
export function rove(place: HTMLElement, say: (text: string) => void): () => void {
  const marks = marksOf(place);
  marks.forEach((mark, at) => mark.setAttribute("tabindex", at ? "-1" : "0"));
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
  const heard = (event: Event) => say(label(event.target));
  place.addEventListener("keydown", pressed);
  place.addEventListener("focusin", heard);
  place.addEventListener("pointerover", heard);
  return () => {
    place.removeEventListener("keydown", pressed);
    place.removeEventListener("focusin", heard);
    place.removeEventListener("pointerover", heard);
  };
}
