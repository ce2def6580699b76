/** Where the numbers come from: runs, machines, isolation, how verdicts and times were obtained. */
import type { Table } from "../data";
import { Heading } from "../heading";
import { TableSection } from "../table";
import { OutcomesFigure } from "../outcomes";
import type { ViewProps } from "./all";

export function AboutView({ index }: ViewProps) {
  return (
    <>
      <Heading>{index.published ? "About these results" : "About this run"}</Heading>
      {!index.published && <OutcomesFigure index={index} />}
      {index.about.filter(wide).map((table) => (
        <TableSection table={table} />
      ))}
      <div class="pair">
        {index.about.filter((table) => !wide(table)).map((table) => (
          <TableSection table={table} />
        ))}
      </div>
    </>
  );
}

function wide(table: Table): boolean {
  return table.columns.length > 5;
}
