/** Addresses that lead nowhere: of nothing at all, and of a page that these runs do not fill. */
import { Heading } from "../heading";

export function Unknown() {
  return (
    <>
      <Heading>Not found</Heading>
      <p>
        There is nothing at this address. <a href="#/">Go to the overview.</a>
      </p>
    </>
  );
}

export function Absent({ title }: { title: string }) {
  return (
    <>
      <Heading>{title}</Heading>
      <p>
        The runs of this report hold nothing for this page. <a href="#/">Go to the overview.</a>
      </p>
    </>
  );
}
