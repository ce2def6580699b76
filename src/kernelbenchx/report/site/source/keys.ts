/** Words that other packages of kernelbenchx put into fields: read here and nowhere else. */
/** In place of a GPU: judged without one. */
export const INTERPRETER = "interpreter";

/** All other tiers take the time on the host, around the submission's process. */
export function isReplay(tier: string | undefined): boolean {
  return tier === "replay";
}

export function tierName(tier: string | undefined): string {
  return isReplay(tier) ? "replay" : "host-timed";
}

