/** Which attempt came before this one. */
import type { Attempt } from "./data";

function named(one: Attempt, parent: string): boolean {
  return one.submission === parent || one.digest === parent || (parent.length >= 8 && one.id.startsWith(parent));
}

/** The parent that it names; else the same method's attempt of the latest earlier round, on the same GPU. */
export function before(attempts: Attempt[], attempt: Attempt, parent: string): Attempt | undefined {
  const earlier = attempts
    .filter((one) => one.gpu === attempt.gpu && one.round < attempt.round)
    .sort((a, b) => b.round - a.round);
  const own = earlier.filter((one) => one.method === attempt.method && one.sample === attempt.sample);
  const isParent = (one: Attempt) => parent !== "" && named(one, parent);
  return own.find(isParent) ?? earlier.find(isParent) ?? own[0];
}
