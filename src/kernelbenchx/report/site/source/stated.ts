/** What a task asks for besides its description, in the words of `catalog/statement.py`. */
import type { Statement } from "./data";

function listed(words: string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export function headingOf({ form, entry, signature }: Statement): string {
  if (form === "function") return `def ${signature}: ...`;
  return `class ${entry}(torch.nn.Module):\n    def ${signature}: ...`;
}

const FORMS: Record<string, string> = {
  function:
    "This signature is recommended. Another one is taken, too: its arguments are given by name where the name is known, " +
    "by position where it is not.",
  module:
    "Other names are taken, too: arguments are given by position, or by name where yours are in another order or " +
    "keyword-only.",
};

export function rulesOf({ form, dtypes, contract, writes, inert, seed, entry }: Statement): string[] {
  return [
    FORMS[form] ?? "",
    `Inputs come in ${listed(dtypes)}.`,
    contract,
    writes.length
      ? `May write into ${listed(writes)}, as described; every other argument must stay as it is.`
      : "Every argument must stay as it is.",
    inert.length ? `Accepted without effect on values, not tested: ${listed(inert)}.` : "",
    seed,
    `Write ${entry} in Python with Triton kernels that do the work: torch may allocate, fill, view, copy and cast, ` +
      "not compute. Inputs may be non-contiguous where nothing above says otherwise. Tensors may have more than 2**31 elements.",
  ].filter(Boolean);
}
