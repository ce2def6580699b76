"""Judge kernels by the published KernelBench-X harness and by `--paper-rules`, and compare.

    python scripts/compare_paper_rules.py KERNELS.jsonl --harness FOLDER --out FOLDER

FOLDER of `--harness` is a writable copy of the published repository (its EVAL and data folders). A
row of KERNELS.jsonl has `source`, or `predict` with a reply; and `task`, or `file` as published.
Each kernel has the harness to itself: call stage, then execution stage. What is known is kept in
`--out`, so the same command goes on where `--limit-s` ended it. Without a GPU only `--only ours`
works. The exit code is 1 if a verdict differs, 3 if some kernels are left.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from kernelbenchx import Evaluation, Evaluator, Submission, catalog

NOT_CALLED, NOT_CORRECT, CORRECT, UNKNOWN = (
    "not called",
    "called, not correct",
    "correct",
    "unknown",
)
_STAGE_S = 240.0
_WORDS = 160


@dataclass(frozen=True)
class Kernel:
    """One submission for both."""

    name: str
    task: str
    source: str

    @property
    def stem(self) -> str:
        """What the published file is called."""
        return self.task.rpartition("/")[2]


@dataclass(frozen=True)
class Verdict:
    """What one side says."""

    state: str
    reason: str = ""


def main() -> int:
    """Run both sides within the limit, then print the table."""
    options = _options()
    ends = time.monotonic() + options.limit_s
    kernels = list(read_kernels(options.kernels))
    options.out.mkdir(parents=True, exist_ok=True)
    theirs, ours = read_verdicts(options.out / "theirs.jsonl"), {}
    if options.only != "ours":
        theirs = by_the_harness(kernels, options, ends)
    if options.only != "theirs":
        ours = by_us(kernels, options, ends)
    text = "\n".join(table(kernels, theirs, ours))
    print(text)
    (options.out / "table.md").write_text(text + "\n")
    left = sum(one.name not in side for side in _sides(options, theirs, ours) for one in kernels)
    if left:
        print(f"{left} verdicts are left: run the same command again")
        return 3
    return int(any(differs(theirs, ours, one) for one in kernels))


def read_kernels(path: Path) -> Iterator[Kernel]:
    """Rows for tasks of the catalogue; others are named and left out."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        row = json.loads(line)
        stated = row.get("task") or row["file"].removesuffix(".py")
        task = catalog.find(stated.rpartition("/")[2])
        if task is None:
            print(f"line {number}: no task {stated}", file=sys.stderr)
            continue
        source = row["source"] if "source" in row else published_source(row["predict"])
        name = str(row.get("id") or row.get("name") or number)
        yield Kernel(name, task, source)


def published_source(reply: str) -> str:
    """What the published harness takes from a reply."""
    if "```python" in reply:
        reply = reply.partition("```python")[2]
    reply = reply.partition("```")[0]
    return reply.replace("<|im_end|>", "").replace("<|EOT|>", "").strip()


def by_the_harness(
    kernels: list[Kernel], options: argparse.Namespace, ends: float
) -> dict[str, Verdict]:
    """Several processes side by side, each with one kernel."""
    kept = options.out / "theirs.jsonl"
    found = read_verdicts(kept)
    missing = [one for one in kernels if one.name not in found]

    def judge(kernel: Kernel) -> tuple[Kernel, Verdict | None]:
        if time.monotonic() + options.kernel_s > ends:
            return kernel, None
        return kernel, harness_verdict(kernel, options)

    with ThreadPoolExecutor(options.jobs) as pool, kept.open("a") as file:
        for kernel, verdict in pool.map(judge, missing):
            if verdict is None:
                continue
            found[kernel.name] = verdict
            row = {"name": kernel.name, "state": verdict.state, "reason": verdict.reason}
            file.write(json.dumps(row) + "\n")
            file.flush()
    return found


def read_verdicts(path: Path) -> dict[str, Verdict]:
    """Of earlier commands."""
    if not path.exists():
        return {}
    rows = map(json.loads, path.read_text().splitlines())
    return {one["name"]: Verdict(one["state"], one["reason"]) for one in rows}


def harness_verdict(kernel: Kernel, options: argparse.Namespace) -> Verdict:
    """Call stage, then execution stage, as the published scripts run them."""
    name = hashlib.sha256(kernel.name.encode()).hexdigest()[:12]
    folder = (options.out / "work" / name).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    source, target = folder / f"{kernel.stem}.py", folder / "called"
    source.write_text(kernel.source)
    try:
        call = ["--source", str(source), "--target", str(target)]
        called = _stage("0_call_acc.py", call, folder / "call.jsonl", options)
        if called is None or not called["ok"]:
            return Verdict(NOT_CALLED, _shorten((called or {}).get("stderr", "no result")))
        right = _stage("1_exe_acc.py", ["--folder", str(target)], folder / "exe.jsonl", options)
    except subprocess.TimeoutExpired:
        return Verdict(UNKNOWN, f"a stage took more than {_STAGE_S:g} s")
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    if right is None:
        return Verdict(UNKNOWN, "the execution stage gave no result")
    return Verdict(CORRECT) if right["ok"] else Verdict(NOT_CORRECT, _shorten(right["stderr"]))


def _stage(
    script: str, words: list[str], result: Path, options: argparse.Namespace
) -> dict[str, object] | None:
    harness = options.harness.resolve()
    command = [sys.executable, str(harness / "EVAL" / script), *words]
    command += ["--GPUs", "0", "--result_jsonl", str(result)]
    environment = {**os.environ, "PYTHONPATH": _pythonpath(harness)}
    subprocess.run(
        command, cwd=harness, env=environment, timeout=_STAGE_S, capture_output=True, check=False
    )
    lines = result.read_text().splitlines() if result.exists() else []
    return json.loads(lines[0]) if lines else None


def _pythonpath(harness: Path) -> str:
    return os.pathsep.join(filter(None, (str(harness / "data"), os.environ.get("PYTHONPATH"))))


def _shorten(said: object) -> str:
    """The last line of a traceback, or the first of another message."""
    lines = [line.strip() for line in str(said).splitlines() if line.strip()]
    if not lines:
        return ""
    return (lines[-1] if lines[0].startswith("Traceback") else " ".join(lines))[:_WORDS]


def by_us(kernels: list[Kernel], options: argparse.Namespace, ends: float) -> dict[str, Verdict]:
    """What the run holds, and what can be judged until then."""
    left_s = ends - time.monotonic()
    if left_s <= 0:
        return {}
    submissions = [Submission(name=one.name, task=one.task, source=one.source) for one in kernels]
    settings = {"device": options.device, "jobs": options.jobs, "paper_rules": True}
    with Evaluator(out=options.out / "ours", stage=options.stage, **settings) as evaluator:
        found = list(evaluator.map(submissions, deadline_s=left_s))
    return {
        one.submission: _verdict(one) for one in found if one.rules is not None and one.rules.known
    }


def _verdict(one: Evaluation) -> Verdict:
    rule = one.rules.kernelbenchx if one.rules is not None else None
    if rule is None or rule.called is None or (rule.called and rule.correct is None):
        return Verdict(UNKNOWN, "" if rule is None else rule.detail[:_WORDS])
    if not rule.called:
        return Verdict(NOT_CALLED, f"{rule.key} {rule.detail}".strip()[:_WORDS])
    said = f"{rule.key}: {rule.detail} ({rule.tolerance})"[:_WORDS]
    return Verdict(CORRECT) if rule.correct else Verdict(NOT_CORRECT, said)


def differs(theirs: dict[str, Verdict], ours: dict[str, Verdict], kernel: Kernel) -> bool:
    """Where both have a verdict: whether one says correct and the other does not."""
    if kernel.name not in theirs or kernel.name not in ours:
        return False
    states = theirs[kernel.name].state, ours[kernel.name].state
    return UNKNOWN in states or (states[0] == CORRECT) != (states[1] == CORRECT)


def table(
    kernels: list[Kernel], theirs: dict[str, Verdict], ours: dict[str, Verdict]
) -> Iterator[str]:
    """A row for each kernel, differences first; then how often both agree."""
    yield "| task | kernel | published harness | --paper-rules | agree | theirs says | ours says |"
    yield "|---|---|---|---|---|---|---|"
    none = Verdict("")
    for one in sorted(kernels, key=lambda one: (not differs(theirs, ours, one), one.task)):
        their, our = theirs.get(one.name, none), ours.get(one.name, none)
        same = "" if not (their.state and our.state) else _agreement(their, our)
        cells = (one.task, one.name, their.state, our.state, same, their.reason, our.reason)
        yield f"| {' | '.join(' '.join(cell.replace('|', '/').split()) for cell in cells)} |"
    both = [one for one in kernels if one.name in theirs and one.name in ours]
    agree = sum(not differs(theirs, ours, one) for one in both)
    states = Counter(theirs[one.name].state for one in both)
    tasks = len({one.task for one in both})
    yield ""
    yield f"{len(both)} kernels over {tasks} tasks judged by both: the same correct or not {agree}"
    yield f"by the published harness: {', '.join(f'{n} {state}' for state, n in states.items())}"


def _agreement(their: Verdict, our: Verdict) -> str:
    if their.state == our.state:
        return "yes"
    return "no" if CORRECT in (their.state, our.state) else "yes, at another stage"


def _sides(
    options: argparse.Namespace, theirs: dict[str, Verdict], ours: dict[str, Verdict]
) -> list[dict[str, Verdict]]:
    sides = {"theirs": theirs, "ours": ours}
    return [side for name, side in sides.items() if options.only in ("both", name)]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kernels", type=Path)
    parser.add_argument("--harness", type=Path, help="writable copy of the published repository")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", choices=("both", "theirs", "ours"), default="both")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--stage", choices=("call", "exe"), default="exe")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    parser.add_argument("--limit-s", type=float, default=1e9)
    parser.add_argument("--kernel-s", type=float, default=60.0, help="kept free for one kernel")
    parser.add_argument("--keep", action="store_true", help="keep the harness's working folders")
    found = parser.parse_args()
    if found.harness is None and found.only != "ours":
        parser.error("--harness names a copy of the published repository")
    return found


if __name__ == "__main__":
    sys.exit(main())
