/** An address that leads nowhere. */
import { Heading } from "../heading";

export function Unknown() {
  return (
    <>
      <Heading>Not found</Heading>
      <p>
        There is nothing at this address. <a href="#/">Begin at the overview.</a>
      </p>
    </>
  );
}
