/** What was shown of a task, in words: the grades of `core/grades.py`. */

const MEANING: Record<string, string> = {
  certified: "a kernel of this project passes, and kernels with known mistakes fail.",
  witnessed: "a kernel of this project passes, torch's own float32 passes, and wrong answers fail.",
  discriminating: "torch's own float32 passes, and wrong answers fail; no kernel of this project solves it.",
  imported: "nothing shows that it can be solved and that wrong kernels fail.",
  "unsound as published": "a wrong kernel may pass, so no rate counts it.",
};

/** One sentence on the grade of a task; an unknown one of a newer run is named as it is. */
export function gradeWords(grade: string): string {
  const meaning = MEANING[grade];
  return meaning ? `Grade ${grade}: ${meaning}` : `Grade ${grade}.`;
}
