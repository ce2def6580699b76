/** What the report holds, and how a piece of it is fetched when a view needs it. */

export type Value = string | number | boolean | null;

export interface Column {
  key: string;
  title: string;
  form: "text" | "count" | "number" | "percent" | "ratio" | "seconds";
}

export interface Table {
  name: string;
  title: string;
  about: string;
  columns: Column[];
  rows: Value[][];
  notes: string[];
}

export interface TaskFacts {
  task: string;
  category: string;
  difficulty: number;
  dtypes: string[];
  certified: boolean;
  /** What was shown of the task; in a problem of KernelBench it says more than `certified`. */
  grade: string;
}

/** One task by one method on one GPU, and the fastest of any round. */
export interface Cell {
  task: number;
  method: number;
  gpu: number;
  /** Of all rounds; what follows is about those of the last one that count. */
  attempts: number;
  n: number;
  called: number;
  correct: number;
  /** Correct in any round or sample. */
  solved: boolean;
  faster: number;
  speedup: number | null;
  low: number | null;
  high: number | null;
  speed_class: string;
  best: string;
}

export interface Index {
  version: string;
  made: string;
  /** The results of the paper, which names no tasks. */
  published: boolean;
  /** Several runs, or a paper: what is asked of it comes first. */
  study: boolean;
  /** Where the numbers come from: runs, machines, isolation. */
  about: Table[];
  outcomes: Record<string, number>;
  methods: string[];
  gpus: string[];
  categories: string[];
  tasks: TaskFacts[];
  cells: Cell[];
  pages: string[];
  /** A sentence for each GPU; none where no scope was judged. */
  scopes: string[];
  /** What `correct` means, where it is not the strictest standard. */
  standard?: string;
}

export interface Page {
  tables: Table[];
}

/** One attempt in the list of its task. */
export interface Attempt {
  id: string;
  chunk: number;
  submission: string;
  method: number;
  round: number;
  sample: number;
  outcome: string;
  reason: string;
  composition: string;
  provisional: boolean;
  gpu: string;
  performance: string;
  tier: string;
  speedup: number | null;
  low: number | null;
  high: number | null;
  speed_class: string;
  score: number | null;
  digest: string;
  /** Whether every core case passed; null where it was not judged. */
  core: boolean | null;
  scopes: ScopeCount[];
}

/** Scope, cases that passed, all cases. */
export type ScopeCount = [string, number, number];

export interface Statement {
  entry: string;
  form: string;
  signature: string;
  description: string;
  dtypes: string[];
  contract: string;
  writes: string[];
  inert: string[];
  seed: string;
  /** Why an imported problem says nothing of a kernel; most statements have none. */
  unsound?: string;
}

export interface TaskDocument {
  task: string;
  statement: Statement | null;
  attempts: Attempt[];
}

/** As it lies on disk: attempts as rows, which repeat no names. */
interface TaskFile {
  task: string;
  statement: Statement | null;
  columns: (keyof Attempt)[];
  rows: Value[][];
}

function unrolled({ task, statement, columns, rows }: TaskFile): TaskDocument {
  const attempts = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])));
  return { task, statement, attempts: attempts as unknown as Attempt[] };
}

type Receiver = { resolve: (value: unknown) => void; reject: (error: Error) => void };

const kept = new Map<string, Promise<unknown>>();
const waiting = new Map<string, Receiver>();

function isTaskFile(document: unknown): document is TaskFile {
  return typeof document === "object" && document !== null && "rows" in document && "statement" in document;
}

async function unpacked(packed: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const document: unknown = await new Response(plain).json();
  return isTaskFile(document) ? unrolled(document) : document;
}

function expected(name: string): Promise<unknown> {
  const promise = new Promise<unknown>((resolve, reject) => waiting.set(name, { resolve, reject }));
  kept.set(name, promise);
  return promise;
}

/** Data files call this: a script runs from disk where a request would be refused. */
export function put(name: string, packed: string): void {
  if (!kept.has(name)) void expected(name);
  const receiver = waiting.get(name);
  waiting.delete(name);
  receiver?.resolve(unpacked(packed));
}

/** The document of that name; the second call finds what the first one fetched. */
export function load<T>(name: string): Promise<T> {
  const known = kept.get(name);
  if (known) return known as Promise<T>;
  const promise = expected(name);
  if (name !== "index") fetchScript(name);
  return promise as Promise<T>;
}

function fetchScript(name: string): void {
  const script = document.createElement("script");
  script.src = `data/${name}.js`;
  script.onload = () => script.remove();
  script.onerror = () => {
    const receiver = waiting.get(name);
    waiting.delete(name);
    kept.delete(name);
    receiver?.reject(new Error(`data/${name}.js is missing: was the whole folder copied?`));
  };
  document.head.append(script);
}

/** Rows by the keys of their columns. */
export function records(table: Table): Record<string, Value>[] {
  return table.rows.map((row) =>
    Object.fromEntries(table.columns.map((column, at) => [column.key, row[at] ?? null])),
  );
}
