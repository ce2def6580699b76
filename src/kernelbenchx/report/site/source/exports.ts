/** Tables as CSV and LaTeX, pictures as SVG: text that stands on its own outside the report. */
import type { Column, Table, Value } from "./data";
import { shown } from "./formats";
import type { LegendEntry } from "./heading";

/** As `kbx analyze --csv` writes it: keys above values in full precision. */
export function csvOf(table: Table): string {
  const lines = [table.columns.map((column) => column.key), ...table.rows.map((row) => row.map(plain))];
  return lines.map((cells) => `${cells.map(quoted).join(",")}\n`).join("");
}

function plain(value: Value): string {
  if (value === null) return "";
  return typeof value === "boolean" ? (value ? "True" : "False") : String(value);
}

const QUOTE = "\u0022";

function quoted(cell: string): string {
  return /[\u0022,\r\n]/.test(cell) ? `${QUOTE}${cell.replaceAll(QUOTE, QUOTE + QUOTE)}${QUOTE}` : cell;
}

const SIGNS: Record<string, string> = {
  "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}",
  "<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}", "×": "$\\times$", "–": "--", "—": "---", "µ": "\\textmu{}",
  "≥": "$\\geq$", "≤": "$\\leq$", "→": "$\\rightarrow$", "±": "$\\pm$",
};

function escaped(text: string): string {
  return text.replace(/[&%$#_{}]/g, "\\$&").replace(/\\(?![&%$#_{}])|[~^<>|×–—µ≥≤→±]/g, (sign) => SIGNS[sign] ?? sign).replace(/\s+/g, " ");
}

/** A tabular with the rules of the package booktabs; numbers as the report shows them. */
export function latexOf(table: Table): string {
  const heads = table.columns.map((column) => escaped(column.title));
  const places = table.columns.map((column) => (column.form === "text" ? "l" : "r")).join("");
  const rows = table.rows.map((row) => table.columns.map((column, at) => cellOf(row[at] ?? null, column)));
  const line = (cells: string[]) => `${cells.join(" & ")} \\\\`;
  return [
    `% ${table.title.replace(/\s+/g, " ")}. Needs \\usepackage{booktabs}.`,
    `\\begin{tabular}{${places}}`, "\\toprule", line(heads), "\\midrule", ...rows.map(line), "\\bottomrule", "\\end{tabular}", "",
  ].join("\n");
}

function cellOf(value: Value, column: Column): string {
  return escaped(shown(value, column.form));
}

const SPACE = "http://www.w3.org/2000/svg";
const PADDING = 10;
const LINE = 20;
const LETTER = 6.9;
const FONT = "system-ui, 'DejaVu Sans', Helvetica, Arial, sans-serif";

/** The picture with its legend, in the colours of the light theme: it is meant for paper. */
export function svgOf(drawing: SVGSVGElement, title: string, legend: LegendEntry[]): string {
  const [wide, high] = [Number(drawing.getAttribute("width")), Number(drawing.getAttribute("height"))];
  const { group, height: above } = legendOf(legend, wide);
  const picture = drawing.cloneNode(true) as SVGSVGElement;
  for (const link of [...picture.querySelectorAll("a")]) link.replaceWith(...link.childNodes);
  for (const mark of [picture, ...picture.querySelectorAll("*")]) {
    for (const name of ["tabindex", "role", "aria-label", "aria-description", "aria-hidden"]) mark.removeAttribute(name);
  }
  for (const [name, value] of Object.entries({ y: above, overflow: "visible", "font-size": 12, "font-family": FONT })) {
    picture.setAttribute(name, String(value));
  }
  const whole = document.createElementNS(SPACE, "svg");
  const size = [wide + 2 * PADDING, high + above + 2 * PADDING];
  const places = { xmlns: SPACE, width: size[0], height: size[1], viewBox: [-PADDING, -PADDING, ...size].join(" ") };
  for (const [name, value] of Object.entries(places)) whole.setAttribute(name, String(value));
  const name = document.createElementNS(SPACE, "title");
  name.textContent = title;
  whole.append(name, group, picture);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${coloured(new XMLSerializer().serializeToString(whole))}\n`;
}

/** Patches of colour with their words, in lines above a picture. */
function legendOf(entries: LegendEntry[], wide: number): { group: SVGGElement; height: number } {
  const group = document.createElementNS(SPACE, "g");
  group.setAttribute("font-family", FONT);
  group.setAttribute("font-size", "12");
  let [x, line] = [0, 0];
  for (const { label, colour, sign } of entries) {
    const room = 16 + LETTER * label.length + 14;
    if (x && x + room > wide) [x, line] = [0, line + 1];
    group.append(sign ? words(sign, x, line, colour) : patch(x, line, colour), words(label, x + 16, line, "var(--ink)"));
    x += room;
  }
  return { group, height: entries.length ? LINE * (line + 1) + 6 : 0 };
}

function patch(x: number, line: number, colour: string): SVGElement {
  return element("rect", { x, y: LINE * line + 1, width: 11, height: 11, rx: 2, fill: colour });
}

function words(text: string, x: number, line: number, colour: string): SVGElement {
  const made = element("text", { x, y: LINE * line + 11, fill: colour });
  made.textContent = text;
  return made;
}

function element(name: string, given: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(given)) made.setAttribute(key, String(value));
  return made;
}

/** Names of the style sheet mean nothing elsewhere: each becomes its colour. */
function coloured(text: string): string {
  const probe = document.createElement("span");
  probe.style.colorScheme = "light";
  document.body.append(probe);
  const known = new Map<string, string>();
  const colourOf = (name: string) => {
    probe.style.color = `var(${name}, transparent)`;
    return getComputedStyle(probe).color;
  };
  const found = text.replace(/currentColor/g, "var(--ink)").replace(/var\((--[\w-]+)\)/g, (_, name: string) => {
    const colour = known.get(name) ?? colourOf(name);
    known.set(name, colour);
    return colour;
  });
  probe.remove();
  return found;
}
