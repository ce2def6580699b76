/** On which kinds of calls submissions fail. */
import { useState } from "preact/hooks";
import { GpuChoice, gpuOf } from "../gpu_choice";
import { Choice } from "../choice";
import { hue } from "../colours";
import type { Index, Page, Table } from "../data";
import { counted } from "../formats";
import { Heading } from "../heading";
import { IntervalFigure } from "../intervals";
import { MatrixFigure } from "../matrix";
import { PageBody } from "../page";
import type { Known } from "../rows";
import { known, methodAt, only, spans, tableNamed, wordsOf } from "../rows";
import { SCOPES } from "../scopes";
import type { ViewProps } from "./all";

const DRAWN = ["scopes_by_method", "scopes_by_category"];
const COUNTS = { tasks: "tasks", judged: "submissions" };
const CELLS = "each with its own n and interval, shown at the pointer and in the table.";

export function ScopesView(props: ViewProps) {
  const gpu = gpuOf(props.index, props.route);
  return (
    <>
      <Heading>Scopes</Heading>
      <p>
        A scope is a kind of call: ordinary ones (core), other layouts, other dtypes, special values, degenerate
        shapes, or the timed sizes. Shares are of submissions that fail none of the cases that need that scope alone.
      </p>
      <ScopeLines index={props.index} gpu={gpu} />
      <div class="choices"><GpuChoice {...props} /></div>
      <PageBody name="scopes" wanted={{ gpu }} drawn={DRAWN}>
        {(page) => <Pictures index={props.index} page={page} gpu={gpu} />}
      </PageBody>
    </>
  );
}

/** What the analysis says of scopes in a sentence, of one GPU or of each. */
export function ScopeLines({ index, gpu }: { index: Index; gpu?: string }) {
  const said = index.scopes.filter((line) => !gpu || line.startsWith(`On ${gpu}, `));
  return <>{said.map((line) => <p>{line}</p>)}</>;
}

function Pictures({ index, page, gpu }: { index: Index; page: Page; gpu: string }) {
  const methods = tableNamed(page, "scopes_by_method");
  const categories = tableNamed(page, "scopes_by_category");
  return (
    <>
      {methods && <ByMethod index={index} table={only(methods, { gpu })} />}
      {categories && <ByCategory table={only(categories, { gpu })} />}
    </>
  );
}

function ByMethod({ index, table }: { index: Index; table: Table }) {
  const rows = known(table, "rate");
  const names = wordsOf([table], "method");
  const [method, choose] = useState(names[0] ?? "");
  const own = only(table, { method });
  const at = methodAt(index, method);
  return (
    <>
      {names.length > 1 && (
        <MatrixFigure
          title="Share that fails no case of a scope, by method"
          says={`n = ${counted(rows.length, "cell")}, ${CELLS}`}
          table={table} rows={rows} down="method" across="scope" word="fail none"
        />
      )}
      {names.length > 1 && (
        <div class="choices"><Choice name="Method" options={names} value={method} change={choose} /></div>
      )}
      <IntervalFigure
        title={`Share that fails no case of a scope: ${method}`}
        says={`${spans(known(own, "rate"), COUNTS)}; lines are 95 % intervals over tasks. The kernel kept at the end counts.`}
        table={own} rows={known(own, "rate")} label={({ row }) => String(row.scope)}
        colour={() => hue(at)} form="percent" counts={COUNTS} axis="share that fails none →"
      />
    </>
  );
}

function ByCategory({ table }: { table: Table }) {
  const names = wordsOf([table], "method");
  const [method, choose] = useState(names[0] ?? "");
  const own = only(table, { method });
  const place = (one: Known) => (SCOPES.indexOf(String(one.row.scope)) + SCOPES.length + 1) % (SCOPES.length + 1);
  const rows = known(own, "rate").sort((a, b) => place(a) - place(b));
  return (
    <>
      {names.length > 1 && (
        <div class="choices"><Choice name="Categories of" options={names} value={method} change={choose} /></div>
      )}
      <MatrixFigure
        title="Share that fails no case of a scope, by category"
        says={`n = ${counted(rows.length, "cell")}, ${CELLS}`}
        table={own} rows={rows} down="category" across="scope" word="fail none"
      />
    </>
  );
}
