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

/** A side for each name where it hides the fewest dots; null where it would hide another name. */
export function placeNames(named: Named[], dots: { x: number; y: number }[], frame: Box): (Placed | null)[] {
  const taken: Box[] = [];
  return named.map(({ name, x, y }) => {
    const choices = SIDES.flatMap((side) => {
      const box = boxOf(x, y, name.length, side);
      const inside = box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
      if (!inside || taken.some((other) => overlap(box, other))) return [];
      const hidden = dots.filter((dot) => dot.x > box.left - 3 && dot.x < box.right + 3 && dot.y > box.top - 2 && dot.y < box.bottom + 2).length;
      return [{ side, box, hidden }];
    });
    const best = choices.sort((a, b) => a.hidden - b.hidden)[0];
    if (!best) return null;
    taken.push(best.box);
    return best.side;
  });
}
