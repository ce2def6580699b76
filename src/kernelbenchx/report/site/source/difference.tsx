/** Two sources, what left and what came; long stretches without a change are folded. */
import { diffLines } from "diff";
import { counted } from "./formats";

const AROUND = 3;

interface Line {
  kind: "kept" | "added" | "removed";
  text: string;
  old: number | null;
  now: number | null;
}

function lines(before: string, after: string): Line[] {
  const found: Line[] = [];
  let old = 0;
  let now = 0;
  for (const part of diffLines(before, after)) {
    const kind = part.added ? "added" : part.removed ? "removed" : "kept";
    for (const text of part.value.replace(/\n$/, "").split("\n")) {
      if (kind !== "added") old += 1;
      if (kind !== "removed") now += 1;
      found.push({ kind, text, old: kind === "added" ? null : old, now: kind === "removed" ? null : now });
    }
  }
  return found;
}

type Row = Line | { folded: number };

function folded(all: Line[]): Row[] {
  const near = new Set<number>();
  all.forEach((line, at) => {
    if (line.kind === "kept") return;
    for (let step = -AROUND; step <= AROUND; step += 1) near.add(at + step);
  });
  const rows: Row[] = [];
  all.forEach((line, at) => {
    const last = rows.at(-1);
    if (near.has(at)) rows.push(line);
    else if (last && "folded" in last) last.folded += 1;
    else rows.push({ folded: 1 });
  });
  return rows;
}

const SIGNS = { kept: " ", added: "+", removed: "−" };

export function Difference({ before, after, label }: { before: string; after: string; label: string }) {
  if (before === after) return <p>The source is identical.</p>;
  const all = lines(before, after);
  const many = (kind: Line["kind"]) => all.filter((line) => line.kind === kind).length;
  return (
    <>
      <p class="quiet">
        {counted(many("added"), "line")} added, {counted(many("removed"), "line")} removed.
      </p>
      <div class="code diff" tabIndex={0} role="region" aria-label={label}>
        <ol>
          {folded(all).map((row) =>
            "folded" in row ? (
              <li class="gap">… {counted(row.folded, "line")} without a change</li>
            ) : (
              <li class={row.kind === "kept" ? undefined : row.kind}>
                <span aria-hidden="true">{row.old ?? ""}</span>
                <span aria-hidden="true">{row.now ?? ""}</span>
                <span>{SIGNS[row.kind]}</span>
                <pre>{row.text}{"\n"}</pre>
              </li>
            ),
          )}
        </ol>
      </div>
    </>
  );
}
