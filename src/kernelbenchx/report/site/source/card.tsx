/** Which card a view is about: numbers of several are never mixed. */
import type { Index } from "./data";
import { withQuery } from "./formats";
import type { Route } from "./route";
import { Choice } from "./choice";

export function cardOf(index: Index, route: Route): string {
  const wanted = route.query.get("card") ?? "";
  return index.cards.includes(wanted) ? wanted : (index.cards[0] ?? "");
}

export function CardChoice({ index, route }: { index: Index; route: Route }) {
  if (index.cards.length < 2) return null;
  const change = (card: string) => {
    const query = { ...Object.fromEntries(route.query), card };
    location.hash = withQuery(`#/${route.parts.map(encodeURIComponent).join("/")}`, query);
  };
  return <Choice name="Card" options={index.cards} value={cardOf(index, route)} change={change} />;
}
