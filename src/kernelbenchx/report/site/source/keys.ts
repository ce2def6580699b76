/** Names that other packages of kernelbenchx give to fields and columns: read here and nowhere else. */
import type { Observation, Performance } from "./evaluation";

const COLUMNS: Record<string, string[]> = { gpu: ["gpu", "card"] };

/** In place of a GPU: judged without one. */
export const INTERPRETER = "interpreter";

/** The keys that a column of this meaning may have. */
export function columnKeys(meaning: string): string[] {
  return COLUMNS[meaning] ?? [meaning];
}

/** `faster`, `slower`, `tie` or `undecided`; runs of older versions call it `pace`. */
export function speedClass(made: { speed_class?: string; pace?: string }): string {
  return made.speed_class ?? made.pace ?? "";
}

/** All other tiers take the time on the host, around the submission's process. */
export function isReplay(tier: string | undefined): boolean {
  return tier === "replay";
}

export function tierName(tier: string | undefined): string {
  return isReplay(tier) ? "replay" : "host-timed";
}

export function gpuName({ gpu, card }: Performance): string {
  return (gpu ?? card)?.name ?? "";
}

export function otherProcesses({ other_processes, strangers }: Observation): number {
  return other_processes ?? strangers ?? 0;
}
