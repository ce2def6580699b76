/** What the paper prints, against what follows from its counts. */
import { Heading } from "../heading";
import { PageBody } from "../page";

export function PublishedView() {
  return (
    <>
      <Heading>Tables of the paper</Heading>
      <p>Numbers that the paper prints, beside numbers that follow from its counts by category and method.</p>
      <PageBody name="published" wanted={{}} drawn={[]}>{() => null}</PageBody>
    </>
  );
}
