/** One task: what it asks for, every attempt at it, and the best kernel. */
import { AttemptSpeeds, AttemptTable, submissionAddress } from "../attempts";
import { Code } from "../code";
import type { Attempt, Index, Statement, TaskDocument } from "../data";
import type { Chunk } from "../evaluation";
import { counted, ratio, withQuery } from "../formats";
import { gradeWords } from "../grades";
import { Heading } from "../heading";
import { Loaded } from "../loaded";
import { headingOf, rulesOf } from "../stated";
import { Choice } from "../choice";
import { Unknown } from "./unknown";
import type { ViewProps } from "./all";

export function TaskView({ index, route }: ViewProps) {
  const task = route.parts.slice(1).join("/");
  const at = index.tasks.findIndex((one) => one.task === task);
  const facts = index.tasks[at];
  if (!facts) return <Unknown />;
  return (
    <>
      <p class="crumbs">
        <a href="#/tasks">Tasks</a> ›{" "}
        <a href={withQuery("#/tasks", { category: facts.category })}>{facts.category}</a>
      </p>
      <Heading>{task}</Heading>
      <p class="quiet">
        {facts.difficulty ? `Difficulty ${facts.difficulty}. ` : ""}
        {gradeWords(facts.grade)}
      </p>
      <Loaded name={`tasks/${at}`} key={task}>
        {(document: TaskDocument) => (
          <Body index={index} document={document} wanted={route.query.get("method") ?? ""} />
        )}
      </Loaded>
    </>
  );
}

interface BodyProps {
  index: Index;
  document: TaskDocument;
  wanted: string;
}

function Body({ index, document, wanted }: BodyProps) {
  const { task, statement, attempts } = document;
  const method = index.methods.indexOf(wanted);
  const chosen = method < 0 ? attempts : attempts.filter((one) => one.method === method);
  const there = index.methods.filter((_, at) => attempts.some((one) => one.method === at));
  const go = (value: string) => {
    location.hash = withQuery(`#/task/${encodeURI(task)}`, value ? { method: value } : {});
  };
  return (
    <>
      {statement && <Stated statement={statement} />}
      <div class="choices">
        <Choice name="Method" all="all methods" options={there} value={wanted} change={go} />
      </div>
      <section>
        <h2>{counted(chosen.length, "attempt")}</h2>
        <AttemptTable index={index} task={task} attempts={chosen} />
      </section>
      <AttemptSpeeds index={index} task={task} attempts={chosen} />
      <Best task={task} attempts={chosen} />
    </>
  );
}

function Stated({ statement }: { statement: Statement }) {
  return (
    <section>
      <h2>Statement</h2>
      <p class="description">{statement.description}</p>
      {statement.unsound && <p>Its audit: {statement.unsound}.</p>}
      <Code source={headingOf(statement)} label="Signature" />
      <p />
      {rulesOf(statement).map((rule) => <p>{rule}</p>)}
    </section>
  );
}

function bestOf(attempts: Attempt[]): Attempt | undefined {
  const correct = attempts.filter((one) => one.outcome === "correct");
  const pure = correct.filter((one) => one.composition === "pure");
  const from = pure.length ? pure : correct;
  return [...from].sort((a, b) => (b.speedup ?? -1) - (a.speedup ?? -1))[0];
}

function Best({ task, attempts }: { task: string; attempts: Attempt[] }) {
  const best = bestOf(attempts);
  if (!best) return <p class="quiet">No correct kernel here.</p>;
  return (
    <section>
      <h2>The best kernel</h2>
      <p>
        <a href={submissionAddress(task, best.id)}>{best.submission}</a>
        {best.speedup === null ? ", not timed" : `, ${ratio(best.speedup)} over eager`}
        {best.composition !== "pure" && `, ${best.composition} with torch`}
      </p>
      <Loaded name={`submissions/${best.chunk}`}>
        {(chunk: Chunk) => <Code source={chunk.sources[best.digest] ?? ""} label="Source of the best kernel" />}
      </Loaded>
    </section>
  );
}
