/** Source text line by line, coloured by its syntax, with remarks under the lines they are about. */
import { classHighlighter, highlightCode } from "@lezer/highlight";
import { parser } from "@lezer/python";
import type { Finding } from "./evaluation";

interface Piece {
  text: string;
  classes: string;
}

/** The highlighter hands out texts and class names of its own; no markup is ever made of a source. */
function highlighted(source: string): Piece[][] {
  const lines: Piece[][] = [[]];
  highlightCode(
    source,
    parser.parse(source),
    classHighlighter,
    (text, classes) => lines.at(-1)?.push({ text, classes }),
    () => lines.push([]),
  );
  return lines;
}

function plain(source: string): Piece[][] {
  return source.split("\n").map((text) => [{ text, classes: "" }]);
}

interface Props {
  source: string;
  label: string;
  python?: boolean;
  findings?: Finding[];
}

export function Code({ source, label, python = true, findings = [] }: Props) {
  const text = source.replace(/\n$/, "");
  const lines = python ? highlighted(text) : plain(text);
  const known = (line: number) => line > 0 && line <= lines.length;
  const elsewhere = findings.filter((one) => !known(one.line));
  return (
    <>
      {elsewhere.map((one) => (
        <p>
          <Remark finding={one} />
        </p>
      ))}
      <div class="code" tabIndex={0} role="region" aria-label={label}>
        <ol>
          {lines.map((pieces, at) => {
            const here = findings.filter((one) => one.line === at + 1);
            return (
              <li class={here.length ? "marked" : undefined}>
                <span aria-hidden="true">{at + 1}</span>
                <pre>{pieces.map(({ text, classes }) => (classes ? <span class={classes}>{text}</span> : text))}{"\n"}</pre>
                {here.map((one) => (
                  <div class={one.fatal ? "finding fatal" : "finding"}>
                    <Remark finding={one} />
                  </div>
                ))}
              </li>
            );
          })}
        </ol>
      </div>
    </>
  );
}

function Remark({ finding }: { finding: Finding }) {
  return (
    <>
      <strong>{finding.rule}</strong>
      {finding.line > 0 && ` (line ${finding.line})`}: {finding.why}
    </>
  );
}
