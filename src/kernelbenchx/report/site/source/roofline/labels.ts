/** Words in a picture of dots: names of peaks beside their lines, names of the outermost dots. */

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Placed {
  /** Pixels from the dot to the middle of the near end of its name. */
  dx: number;
  dy: number;
  anchor: "start" | "middle" | "end";
}

const LETTER = 6.3;
const HEIGHT = 13;
const GAP = 7;

/** Places with at least `gap` between them, moved as little as possible; they come in order. */
export function spread(wanted: number[], gap: number): number[] {
  const blocks: { sum: number; many: number }[] = [];
  wanted.forEach((place, at) => {
    blocks.push({ sum: place - at * gap, many: 1 });
    for (let last = blocks.length - 1; last > 0; last -= 1) {
      const [before, after] = [blocks[last - 1], blocks[last]];
      if (!before || !after || before.sum / before.many <= after.sum / after.many) break;
      blocks.splice(last - 1, 2, { sum: before.sum + after.sum, many: before.many + after.many });
    }
  });
  return blocks.flatMap(({ sum, many }) => Array<number>(many).fill(sum / many)).map((place, at) => place + at * gap);
}

function boxOf(x: number, y: number, length: number, { dx, dy, anchor }: Placed): Box {
  const wide = LETTER * length;
  const left = x + dx - (anchor === "start" ? 0 : anchor === "end" ? wide : wide / 2);
  return { left, right: left + wide, top: y + dy - HEIGHT / 2, bottom: y + dy + HEIGHT / 2 };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

const SIDES: Placed[] = [
  { dx: GAP, dy: 0, anchor: "start" },
  { dx: -GAP, dy: 0, anchor: "end" },
  { dx: 0, dy: -GAP - 5, anchor: "middle" },
  { dx: 0, dy: GAP + 6, anchor: "middle" },
  { dx: GAP, dy: -GAP, anchor: "start" },
  { dx: GAP, dy: GAP, anchor: "start" },
  { dx: -GAP, dy: -GAP, anchor: "end" },
  { dx: -GAP, dy: GAP, anchor: "end" },
];

export interface Named {
  name: string;
  x: number;
  y: number;
}

interface Point {
  x: number;
  y: number;
}

/** Points along a line, so close that no word fits between two of them. */
export function along([from, to]: [Point, Point]): Point[] {
  const many = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / GAP));
  return Array.from({ length: many + 1 }, (_, at) => ({ x: from.x + ((to.x - from.x) * at) / many, y: from.y + ((to.y - from.y) * at) / many }));
}

export interface LineName extends Point {
  /** Degrees that the words are turned by. */
  rotate: number;
  /** Points that the words cover. */
  covered: Point[];
}

const STEPS = 24;

/** Above a line, where words of so many letters hide the fewest dots; the upper end counts when it is a tie. */
export function nameLine([from, to]: [Point, Point], letters: number, dots: Point[]): LineName | null {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const wide = LETTER * letters;
  if (wide > length) return null;
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const rise = HEIGHT / 2 + 4;
  const places = Array.from({ length: STEPS + 1 }, (_, at) => wide / 2 + ((length - wide) * at) / STEPS).reverse();
  const choices = places.map((at) => {
    const [x, y] = [from.x + ux * at + uy * rise, from.y + uy * at - ux * rise];
    const hidden = dots.filter((dot) => {
      const [dx, dy] = [dot.x - x, dot.y - y];
      return Math.abs(dx * ux + dy * uy) < wide / 2 + 3 && Math.abs(dy * ux - dx * uy) < HEIGHT / 2 + 3;
    }).length;
    return { x, y, hidden };
  });
  const best = choices.reduce((kept, one) => (one.hidden < kept.hidden ? one : kept));
  const ends = [-1, 1].map((side) => ({ x: best.x + (side * ux * wide) / 2, y: best.y + (side * uy * wide) / 2 })) as [Point, Point];
  return { x: best.x, y: best.y, rotate: (180 / Math.PI) * Math.atan2(uy, ux), covered: along(ends) };
}

export interface Busy {
  dots: Point[];
  /** Points of lines: words are better elsewhere. */
  lines: Point[];
  /** Points of other words, which must not be hidden. */
  words: Point[];
}

/** A name that would hide more dots than this is left out. */
const MOST_HIDDEN = 2;

/** A side for each name where it hides the fewest dots and lines; null where there is no room. */
export function placeNames(named: Named[], busy: Busy, frame: Box): (Placed | null)[] {
  const taken: Box[] = [];
  return named.map(({ name, x, y }) => {
    const choices = SIDES.flatMap((side) => {
      const box = boxOf(x, y, name.length, side);
      const inside = box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
      if (!inside || taken.some((other) => overlap(box, other)) || within(box, busy.words)) return [];
      const dots = within(box, busy.dots);
      return dots > MOST_HIDDEN ? [] : [{ side, box, hidden: dots + within(box, busy.lines) * LINE_COUNTS }];
    });
    const best = choices.sort((a, b) => a.hidden - b.hidden)[0];
    if (!best) return null;
    taken.push(best.box);
    return best.side;
  });
}

/** A line through a name is as bad as one dot. */
const LINE_COUNTS = 0.1;

function within(box: Box, points: Point[]): number {
  return points.filter(({ x, y }) => x > box.left - 3 && x < box.right + 3 && y > box.top - 2 && y < box.bottom + 2).length;
}
