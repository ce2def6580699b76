/** One evaluation as the store keeps it; what a view does not name is left alone. */

export interface Finding {
  rule: string;
  line: number;
  why: string;
  fatal: boolean;
}

export interface Worst {
  output: string;
  index: number[];
  expected: string;
  got: string;
  error: number | string;
  bad: number;
  total: number;
}

/** Errors of a whole output, see `levels.ts`. */
export interface ErrorMap {
  shape: number[];
  lines: [number, number];
  steps: [number, number];
  cells: string;
  wrong: string;
}

/** Name, what became of it, the largest error, how it failed, what it asks for beyond core. */
export type CaseResult = [string, string, number | string | null, string, (string[] | null)?];

export interface Outcome {
  kind: string;
  findings?: Finding[];
  stage?: string;
  reason?: string;
  detail?: string;
  case?: string;
  line?: number;
  worst?: Worst | number | string | null;
  pattern?: string;
  error_map?: ErrorMap | null;
  cases?: number;
}

export interface Comparison {
  baseline: string;
  clock: string;
  tier: string;
  candidate_us: number;
  baseline_us: number;
  speedup: number;
  low: number;
  high: number;
  speed_class: string;
}

export interface TimedCase {
  case: string;
  overhead_bound: boolean;
  comparisons: Comparison[];
  efficiency: { gb_per_s: number; tflops: number; iou: number; mfu: number; score: number; roofline_us: number };
  judged_outputs: number;
  flags: string[];
  kernel_shares?: { name: string; launches: number; share: number }[];
}

export interface Observation {
  sm_mhz?: number | null;
  temperature_c?: number | null;
  power_w?: number | null;
  throttled?: string[];
  other_processes?: number | null;
}

export interface Performance {
  kind: string;
  tier?: string;
  cases?: TimedCase[];
  gpu?: { name: string };
  before?: Observation;
  after?: Observation;
  not_replayed?: string;
  flags?: string[];
  case?: string;
  reason?: string;
  detail?: string;
  trick?: string;
}

export interface Kernel {
  name: string;
  ok: boolean;
  target: string;
  registers: number;
  spills: number;
  shared_bytes: number;
  error: string;
  line: number;
}

export interface Evaluation {
  submission: string;
  task: string;
  digest: string;
  origin: { file: string; model: string; method: string; round: string; parent: string };
  outcome: Outcome;
  composition: string;
  stage: string;
  provisional: boolean;
  device: string;
  isolation: { level: string; missing: string[] };
  checks: boolean;
  seconds: number;
  environment: { harness: string; python: string; torch: string; triton: string; machine: string; gpu: string };
  performance: Performance | null;
  findings: Finding[];
  flags: string[];
  kernels: Kernel[];
  cases?: CaseResult[];
  /** Which cases fail, and what they share. */
  pattern?: string;
}

/** Raw samples of one comparison: pair, block, candidate and baseline in tenths of a nanosecond. */
export interface Samples {
  case: string;
  baseline: string;
  clock: string;
  tier: string;
  rows: [number, number, number | null, number | null][];
}

export interface Entry {
  run: string;
  key: string;
  created: string;
  evaluation: Evaluation;
  samples: Samples[];
}

export interface Chunk {
  entries: Record<string, Entry>;
  sources: Record<string, string>;
}

export function worstOf(outcome: Outcome): Worst | null {
  return outcome.worst !== null && typeof outcome.worst === "object" ? outcome.worst : null;
}

/** Infinities are spelled in the store: JSON has no word for them. */
export function spelled(value: number | string): number {
  return typeof value === "number" ? value : value === "inf" ? Infinity : NaN;
}

export const FAILED_AT_SCALE = "failed at scale";

/** The outcome in a word, where a failure at a timed size is not called correct. */
export function verdict(one: Evaluation): string {
  return one.outcome.kind === "correct" && one.performance?.kind === "failed" ? FAILED_AT_SCALE : one.outcome.kind;
}

/** The case that decided against it: of the checks, or a timed one. */
export function failingCase(one: Evaluation): string {
  return (verdict(one) === FAILED_AT_SCALE ? one.performance?.case : one.outcome.case) ?? "";
}

/** Why it is not correct, in a sentence. */
export function why({ outcome, performance }: Evaluation): string {
  if (outcome.kind === "correct" && performance?.kind === "failed") {
    const said = [performance.reason?.replaceAll("_", " "), performance.detail].filter(Boolean).join(": ");
    return `right in ${outcome.cases ?? 0} check cases, not at a timed size: ${said}`;
  }
  if (outcome.kind === "correct") {
    return `${outcome.cases ?? 0} cases, worst error ${Number(outcome.worst ?? 0).toPrecision(3)} of what is allowed`;
  }
  if (outcome.kind === "rejected") {
    return (outcome.findings ?? []).map((one) => `${one.rule}: ${one.why}`).join("; ");
  }
  if (outcome.kind === "reached") return `went as far as was asked for: ${outcome.stage ?? ""}`;
  return [outcome.reason?.replaceAll("_", " "), outcome.detail].filter(Boolean).join(": ");
}
