/** Links from the overview to the pages that say more, where these runs fill them. */
import type { Index } from "../data";

interface Link {
  href: string;
  text: string;
}

export function moreIn(index: Index, page: string, text: string): Link | undefined {
  return index.pages.includes(page) ? { href: `#/${page}`, text } : undefined;
}
