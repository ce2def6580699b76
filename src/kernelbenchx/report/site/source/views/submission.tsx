/** One submission: its verdict, its source, its times, and what changed since the one before. */
import { submissionAddress } from "../attempts";
import { CheckCases } from "../cases";
import { Code } from "../code";
import type { Attempt, Index, Table, TaskDocument } from "../data";
import { Difference } from "../difference";
import { ErrorPicture } from "../error_picture";
import type { Chunk, Entry, Evaluation, Finding } from "../evaluation";
import { failingCase, verdict, why } from "../evaluation";
import { address, words } from "../formats";
import { Badge, Heading } from "../heading";
import { Loaded } from "../loaded";
import { before } from "../previous";
import { Scopes } from "../scopes";
import { DataTable } from "../table";
import { Times } from "../times";
import { Transcript } from "../transcript";
import type { ViewProps } from "./all";
import { Unknown } from "./unknown";

export function SubmissionView({ index, route }: ViewProps) {
  const task = route.parts.slice(1, -1).join("/");
  const id = route.parts.at(-1) ?? "";
  const at = index.tasks.findIndex((one) => one.task === task);
  if (at < 0) return <Unknown />;
  return (
    <Loaded name={`tasks/${at}`} key={task}>
      {(document: TaskDocument) => {
        const attempt = document.attempts.find((one) => one.id === id);
        if (!attempt) return <Unknown />;
        return (
          <Loaded name={`submissions/${attempt.chunk}`} key={id}>
            {(chunk: Chunk) => {
              const entry = chunk.entries[id];
              if (!entry) return <Unknown />;
              const source = chunk.sources[attempt.digest] ?? "";
              return <Body {...{ index, task, document, attempt, entry, source }} />;
            }}
          </Loaded>
        );
      }}
    </Loaded>
  );
}

interface Props {
  index: Index;
  task: string;
  document: TaskDocument;
  attempt: Attempt;
  entry: Entry;
  source: string;
}

function Body({ index, task, document, attempt, entry, source }: Props) {
  const one = entry.evaluation;
  return (
    <>
      <p class="crumbs">
        <a href="#/tasks">Tasks</a> › <a href={address("task", task)}>{task}</a>
      </p>
      <Heading>{one.submission}</Heading>
      <p>
        <Badge outcome={verdict(one)} /> {why(one)}
        {failingCase(one) && <> <span class="quiet">[{failingCase(one)}]</span></>}
      </p>
      <Facts index={index} attempt={attempt} entry={entry} />
      <Scopes attempt={attempt} pattern={one.pattern} />
      <ErrorPicture outcome={one.outcome} />
      <CheckCases cases={one.cases} />
      {one.performance && <Times performance={one.performance} samples={entry.samples} />}
      <section>
        <h2>Source</h2>
        <Code source={source} label="Source of the submission" findings={remarks(one)} python={!one.origin.file.endsWith(".cu")} />
      </section>
      <Kernels evaluation={one} />
      {index.pages.includes("cost") && <Transcript chunk={attempt.chunk} id={attempt.id} />}
      <Change task={task} document={document} attempt={attempt} parent={one.origin.parent} source={source} />
    </>
  );
}

/** Findings and every message that names a line, at that line. */
function remarks(one: Evaluation): Finding[] {
  const { outcome } = one;
  const found = [...(outcome.findings ?? []), ...one.findings];
  if (outcome.line && outcome.kind === "broken") {
    found.push({ rule: words(outcome.reason ?? ""), line: outcome.line, why: outcome.detail ?? "", fatal: true });
  }
  for (const kernel of one.kernels) {
    if (kernel.ok || !kernel.line) continue;
    const said = { rule: `${kernel.name} for ${kernel.target}`, line: kernel.line, why: kernel.error, fatal: true };
    if (!found.some((other) => other.line === said.line && other.why.includes(said.why))) found.push(said);
  }
  return found;
}

/** A parent may be named by its digest. */
function shortened(name: string): string {
  return /^[0-9a-f]{40,}$/.test(name) ? name.slice(0, 12) : name;
}

/** Where the number of a round is not as it was written. */
function numbered(one: Evaluation, attempt: Attempt): string {
  const { round } = one.origin;
  if (!round) return " (none recorded)";
  return round === String(attempt.round) ? "" : ` (written ${round})`;
}

function Facts({ index, attempt, entry }: { index: Index; attempt: Attempt; entry: Entry }) {
  const one = entry.evaluation;
  const here = one.environment;
  const missing = one.isolation.missing.length ? ` (missing: ${one.isolation.missing.join(", ")})` : "";
  const facts: [string, string][] = [
    ["method", index.methods[attempt.method] ?? ""],
    ["round", `${attempt.round}${numbered(one, attempt)}${one.origin.parent ? `, after ${shortened(one.origin.parent)}` : ""}`],
    ["composition", words(one.composition)],
    ["isolation", `${one.isolation.level}${missing}${one.checks ? "" : "; source checks switched off"}`],
    ["judged on", one.provisional ? "the interpreter: provisional until a GPU confirms it" : here.gpu || one.device],
    ["with", `torch ${here.torch}, triton ${here.triton}, Python ${here.python}, ${here.machine}, kernelbenchx ${here.harness}`],
    ["stage", `${one.stage}, ${one.seconds.toFixed(1)} s`],
    ["flags", one.flags.join("; ")],
    ["origin", [one.origin.file, one.origin.model].filter(Boolean).join(", ")],
    ["stored in", `${entry.run}, key ${entry.key.slice(0, 10)}, ${entry.created}`],
  ];
  return (
    <dl class="facts">
      {facts.filter(([, said]) => said).map(([name, said]) => (
        <>
          <dt>{name}</dt>
          <dd>{said}</dd>
        </>
      ))}
    </dl>
  );
}

function kernelTable({ kernels }: Evaluation): Table {
  return {
    name: "kernels",
    title: "Compiled kernels",
    about: "",
    columns: [
      { key: "kernel", title: "Kernel", form: "text" },
      { key: "target", title: "For", form: "text" },
      { key: "registers", title: "Registers", form: "count" },
      { key: "spills", title: "Spills", form: "count" },
      { key: "shared_bytes", title: "Shared memory (bytes)", form: "count" },
      { key: "error", title: "Error", form: "text" },
    ],
    rows: kernels.map((one) => (one.ok
      ? [one.name, one.target, one.registers, one.spills, one.shared_bytes, null]
      : [one.name, one.target, null, null, null, one.error])),
    notes: [],
  };
}

function Kernels({ evaluation }: { evaluation: Evaluation }) {
  if (!evaluation.kernels.length) return null;
  return (
    <section>
      <h2>Compiled kernels</h2>
      <DataTable table={kernelTable(evaluation)} />
    </section>
  );
}

interface ChangeProps {
  task: string;
  document: TaskDocument;
  attempt: Attempt;
  parent: string;
  source: string;
}

function Change({ task, document, attempt, parent, source }: ChangeProps) {
  const earlier = before(document.attempts, attempt, parent);
  if (!earlier) return null;
  const link = <a href={submissionAddress(task, earlier.id)}>{earlier.submission}</a>;
  return (
    <section>
      <h2>Since round {earlier.round}</h2>
      <p>
        Compared with {link} (<Badge outcome={earlier.outcome} />).
      </p>
      <Loaded name={`submissions/${earlier.chunk}`} key={earlier.id}>
        {(chunk: Chunk) => (
          <Difference before={chunk.sources[earlier.digest] ?? ""} after={source} label="What changed" />
        )}
      </Loaded>
    </section>
  );
}
