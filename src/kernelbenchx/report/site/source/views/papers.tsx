/** The papers' tables for this run, beside what they print. */
import { Heading } from "../heading";
import { PageBody } from "../page";

export function PapersView() {
  return (
    <>
      <Heading>Beside the papers</Heading>
      <p>
        The tables of both papers for this run, by the paper's rule where it was applied and by each standard, and speed
        by the papers' formulas.
      </p>
      <PageBody name="papers" wanted={{}} drawn={[]}>{() => null}</PageBody>
    </>
  );
}
