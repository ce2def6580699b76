/** Buttons that save a picture or a table as a file. */
import type { Table } from "./data";
import { csvOf, latexOf } from "./exports";

interface File {
  /** What the button says. */
  word: string;
  ending: string;
  kind: string;
  text: () => string;
}

/** A name of a file from words that may hold anything. */
function fileName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "").slice(0, 80) || "kbx";
}

function save(name: string, { ending, kind, text }: File): void {
  const address = URL.createObjectURL(new Blob([text()], { type: kind }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `${fileName(name)}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

interface Props {
  table: Table;
  /** A picture of the table, with the name of its file. */
  picture?: { name: string; text: () => string };
}

export function Save({ table, picture }: Props) {
  const files: [string, File][] = [
    [table.name, { word: "CSV", ending: "csv", kind: "text/csv", text: () => csvOf(table) }],
    [table.name, { word: "LaTeX", ending: "tex", kind: "text/x-tex", text: () => latexOf(table) }],
  ];
  if (picture) files.unshift([picture.name, { word: "SVG", ending: "svg", kind: "image/svg+xml", text: picture.text }]);
  return (
    <span class="save">
      Save
      {files.map(([name, file]) => (
        <button type="button" onClick={() => save(name, file)} aria-label={`Save ${file.word === "SVG" ? "the picture" : "the table"} as ${file.word}`}>
          {file.word}
        </button>
      ))}
    </span>
  );
}
