/** Do the papers' claims hold? */
import { Heading } from "../heading";
import { PageBody } from "../page";
import { Verdicts } from "../verdicts";

export function ClaimsView() {
  return (
    <>
      <Heading>Do the papers' claims hold?</Heading>
      <PageBody name="claims" wanted={{}} drawn={["claims"]}>
        {(page) => <Verdicts page={page} />}
      </PageBody>
    </>
  );
}
