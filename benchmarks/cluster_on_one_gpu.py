"""The same submissions timed with `--engine ray` and without: verdicts and speedups.

    python benchmarks/cluster_on_one_gpu.py [--only NAME ...] [--address HOST:PORT] [--run FOLDER]

Witnesses and wrong samples are evaluated without Ray, with Ray, and without it again. Verdicts must
be equal, and speedups of the first two must agree within 1 % in the median. The third run shows how
far runs differ that both do without Ray. kbx starts Ray on this machine unless an address is given.
Exit code 2: Ray or a GPU is missing.
"""

import importlib.util
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from _gpu_runs import TASKS, must_agree, say_differences, say_kernels, say_untimed, start
from _reports import Report, parser_of, setting
from _runs import Run, read_run
from card_throughput import ALONE, write_witnesses

from kernelbenchx import task, tasks
from kernelbenchx.runner.gpus import gpu_count

SAMPLES = Path(__file__).parents[1] / "examples" / "submissions"
WRONG = ("gelu__always_tanh", "relu__torch_only", "relu__does_not_compile", "argmax__wrong_shape")
LOCAL, RAY, AGAIN = "without Ray", "with Ray", "without Ray again"


def why_impossible() -> str:
    """One line where this cannot be measured here, or nothing."""
    if importlib.util.find_spec("ray") is None:
        return "Ray is not installed: nothing was measured"
    return "" if gpu_count() else "this needs a CUDA GPU: nothing was measured"


def evaluate(report: Report, label: str, sources: Path, out: Path, words: Sequence[str]) -> float:
    """One command; how long it took."""
    began = time.monotonic()
    code = start(sources, out, *words).wait()
    took = time.monotonic() - began
    report.say(f"{label}: {took:.1f} s, exit code {code}")
    return took


def verdicts(run: Run) -> dict[str, str]:
    """Of each submission, with the reason where there is one."""
    return {
        one.submission: " ".join(filter(None, (one.verdict, getattr(one.outcome, "reason", ""))))
        for one in run.evaluations
    }


def say_verdicts(report: Report, runs: Mapping[str, Run]) -> None:
    """Those that differ, and the promise."""
    found = {label: verdicts(run) for label, run in runs.items()}
    names = sorted({name for one in found.values() for name in one})
    rows = [(name, *(one.get(name, "-") for one in found.values())) for name in names]
    differ = [row for row in rows if len(set(row[1:])) > 1]
    if differ:
        report.table(("verdicts that differ", *found), differ)
    counts = len({len(one) for one in found.values()})
    report.must(f"{len(names) - len(differ)} of {len(names)} verdicts are equal", not differ)
    report.must("every run judged all submissions", counts == 1 and bool(names))


def say_nodes(report: Report, run: Run) -> None:
    """Whether the cluster judged at all: on this machine there is no placement."""
    nodes = sorted({one.placement.node for one in run.evaluations if one.placement is not None})
    placed = sum(one.placement is not None for one in run.evaluations)
    report.say(f"nodes: {', '.join(nodes) or 'none'}")
    report.must(
        f"{placed} of {len(run.evaluations)} were judged by Ray's actors",
        placed == len(run.evaluations),
    )


def main() -> int:
    """Measure, print, say whether it holds."""
    parser = parser_of(__doc__)
    parser.add_argument("--only", nargs="*", default=TASKS, help="witnesses, by name or pattern")
    parser.add_argument("--address", help="a Ray cluster that runs on this machine")
    parser.add_argument("--jobs", type=int, help="as many as kbx eval takes unless given")
    parser.add_argument("--run", type=Path, help="keep the runs in this folder")
    options = parser.parse_args()
    if said := why_impossible():
        print(said, file=sys.stderr)
        return 2
    report = Report()
    words = ["--jobs", str(options.jobs)] if options.jobs else []
    ray = ["--engine", "ray", *(["--address", options.address] if options.address else [])]
    with tempfile.TemporaryDirectory(prefix="kbx-ray-") as name:
        folder = Path(name)
        place = options.run or folder
        sources = write_witnesses(folder / "kernels", tasks(*options.only))
        for sample in WRONG:
            shutil.copy(SAMPLES / f"{sample}.py", sources)
        one = write_witnesses(folder / "one", [task(ALONE)])
        evaluate(report, f"first, {ALONE} alone", one, folder / "ready", words)
        spent, runs = {}, {}
        for label, more in ((LOCAL, []), (RAY, ray), (AGAIN, [])):
            out = place / label.lower().replace(" ", "_")
            spent[label] = round(evaluate(report, label, sources, out, [*words, *more]), 2)
            runs[label] = read_run(out)
        first = runs[LOCAL]
        report.say(setting(first.evaluations[0].environment, seed=first.seed) + "\n")
        say_kernels(report, runs)
        medians = say_differences(report, first, {label: runs[label] for label in (RAY, AGAIN)})
        say_untimed(report, runs)
        say_nodes(report, runs[RAY])
        say_verdicts(report, runs)
        must_agree(report, {RAY: medians[RAY]})
    return report.end({"seconds_of": spent, "medians": medians}, options.out)


if __name__ == "__main__":
    sys.exit(main())
