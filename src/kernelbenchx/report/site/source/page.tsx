/** A page of the analysis: pictures of some tables first, every table after them. */
import type { ComponentChildren } from "preact";
import type { Page } from "./data";
import { Loaded } from "./loaded";
import type { Filter } from "./rows";
import { only } from "./rows";
import { TableSection } from "./table";

interface Props {
  name: string;
  /** Words that rows must have where a table has such a column. */
  wanted: Filter;
  /** Tables that lie behind a picture already, or belong to another view. */
  drawn: string[];
  children: (page: Page) => ComponentChildren;
}

export function PageBody({ name, wanted, drawn, children }: Props) {
  return (
    <Loaded name={`pages/${name}`}>
      {(page: Page) => (
        <>
          {children(page)}
          {page.tables
            .filter((table) => table.rows.length && !drawn.includes(table.name))
            .map((table) => (
              <TableSection table={only(table, wanted)} />
            ))}
        </>
      )}
    </Loaded>
  );
}
