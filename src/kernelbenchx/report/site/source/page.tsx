/** A page of the analysis: pictures of some tables first, every table after them. */
import type { ComponentChildren } from "preact";
import type { Page } from "./data";
import { Loaded } from "./loaded";
import { ofCard } from "./rows";
import { TableSection } from "./table";

interface Props {
  name: string;
  card: string;
  /** Tables that lie behind a picture already, or belong to another view. */
  drawn: string[];
  children: (page: Page) => ComponentChildren;
}

export function PageBody({ name, card, drawn, children }: Props) {
  return (
    <Loaded name={`pages/${name}`}>
      {(page: Page) => (
        <>
          {children(page)}
          {page.tables
            .filter((table) => table.rows.length && !drawn.includes(table.name))
            .map((table) => (
              <TableSection table={ofCard(table, card)} />
            ))}
        </>
      )}
    </Loaded>
  );
}
