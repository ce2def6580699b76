/** What a mark of a picture says, beside the mark. */

export interface Said {
  text: string;
  /** The middle of the mark and its upper and lower end, in pixels of the picture. */
  x: number;
  top: number;
  bottom: number;
  width: number;
  height: number;
}

export const NOTHING: Said = { text: "", x: 0, top: 0, bottom: 0, width: 1, height: 1 };

/** Above a mark there has to be so much room, else the words go below it. */
const ROOM = 76;
const GAP = 8;

export function saidAt(text: string, mark: Element, place: HTMLElement): Said {
  const [inner, outer] = [mark.getBoundingClientRect(), place.getBoundingClientRect()];
  return {
    text,
    x: Math.min(outer.width, Math.max(0, inner.x + inner.width / 2 - outer.x)),
    top: inner.y - outer.y,
    bottom: inner.y + inner.height - outer.y,
    width: outer.width,
    height: outer.height,
  };
}

export function Tooltip({ said }: { said: Said }) {
  const share = (100 * said.x) / said.width;
  const upright = said.top > ROOM ? { bottom: `${said.height - said.top + GAP}px` } : { top: `${said.bottom + GAP}px` };
  // Moved left by the share of the width that the mark is at: so it never leaves the picture.
  const style = { left: `${said.x}px`, transform: `translateX(-${share}%)`, ...upright };
  return (
    <p class="readout" aria-live="polite" style={said.text ? style : undefined}>
      {said.text}
    </p>
  );
}
