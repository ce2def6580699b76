"""Seconds per kernel on a card, all stages and times included: the whole command by the clock.

    python benchmarks/card_throughput.py [--real FILE.jsonl] [--run FOLDER] [--jobs N]
    python benchmarks/card_throughput.py --compile [--against FOLDER] ...
    python benchmarks/card_throughput.py --only 'level1/*'

Every witness of the function tasks, and with `--real` every kernel of a data set whose task exists,
go through one `kbx eval --stage perf` in a process of its own, with eager as the baseline. The
clock starts before that process does and stops when it is gone. It must take at most 2 s per
kernel, and 5 s where all of them are KernelBench problems, which are timed at published sizes.

One kernel is evaluated before, and printed apart: the first command on a machine reads every file
for the first time and measures what the card can do, which is kept.

`--compile` then does it again with torch.compile as a second baseline and prints what that costs;
with `--against`, the folder of an earlier run stands for the first. Run folders are kept where
`--run` says (the second beside it, with `-compile` at the end), for card_table.py and
card_agreement.py.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from _reports import Report, parser_of, percent, setting
from _runs import Run, became, read_run

from kernelbenchx import Correct, Evaluation, TaskInfo, catalog, task, tasks
from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.performance import Timed
from kernelbenchx.runner import bytecode

MOST_S, MOST_PROBLEM_S = 2.0, 5.0
ALONE = "activation/relu"
"""Evaluated first."""
STAGES = ("checking", "compiling", "calling", "judging", "preparing", "waiting", "timing")
KEPT, NOTES = "throughput.json", "notes.json"
ON_A_CARD = ("--device", "cuda", "--stage", "perf")
REAL = (
    "a data set of kernels that models wrote: in every line a JSON object with `predict` (the "
    "source or a whole reply) and `file` (category/task.py), if you like with `id` (its name)"
)
WATCHED = Path(__file__).with_name("_watched.py")
Notes = Sequence[tuple[float, str, str]]


@dataclass(frozen=True, kw_only=True)
class Took:
    """One whole command."""

    wall_s: float
    kernels: int
    start_s: float
    """Until the first submission was looked at."""
    end_s: float
    """After the last was stored."""
    stages: dict[str, float]
    """Seconds of all submissions together: they overlap."""

    @property
    def each_s(self) -> float:
        """Wall clock per kernel."""
        return self.wall_s / self.kernels


def write_witnesses(folder: Path, chosen: Sequence[TaskInfo]) -> Path:
    """One file per task, named so that its task is known."""
    folder.mkdir(parents=True)
    for one in chosen:
        known = facts(one.name).problem
        name = one.name.partition("/")[2]
        if known is not None:
            name = f"level_{known.level}_problem_{known.number}_sample_0_kernel"
        file = folder / f"{name}.py"
        file.write_text(one.witness, encoding="utf-8")
    return folder


def evaluate(sources: Sequence[Path], run: Path, words: Sequence[str]) -> Took:
    """One `kbx eval`, from before its process starts until after it has ended."""
    with tempfile.TemporaryDirectory(prefix="kbx-notes-") as folder:
        path = Path(folder) / "notes"
        path.touch()
        command = [sys.executable, str(WATCHED), str(path), "eval", *map(str, sources)]
        started = time.monotonic()
        subprocess.run(
            [*command, "--out", str(run), "--json", *words],
            check=True,
            stdout=subprocess.DEVNULL,
            # As if all packages were installed with bytecode, which most installers take care of.
            env=bytecode.environment(bytecode.folder(), os.environ),
        )
        ended = time.monotonic()
        lines = path.read_text(encoding="utf-8").splitlines()
    notes = [(float(at), name, stage) for at, name, stage in (ln.split("\t") for ln in lines)]
    found = Took(
        wall_s=ended - started,
        kernels=len(read_run(run).evaluations),
        start_s=min((at for at, _, _ in notes), default=ended) - started,
        end_s=ended - max((at for at, _, _ in notes), default=started),
        stages=totals(notes),
    )
    (run / KEPT).write_text(json.dumps(asdict(found)), encoding="utf-8")
    (run / NOTES).write_text(json.dumps([(at - started, *rest) for at, *rest in notes]))
    return found


def make_ready(report: Report, folder: Path, words: Sequence[str]) -> float:
    """What only the first command on a machine has to do; how long it took."""
    took = evaluate([write_witnesses(folder / "alone", [task(ALONE)])], folder / "ready", words)
    report.say(f"first, {ALONE} alone: {took.wall_s:.1f} s, after which the machine is ready\n")
    return round(took.wall_s, 2)


def totals(notes: Notes) -> dict[str, float]:
    """Seconds that submissions were in each stage: from its note to their next one."""
    found: dict[str, float] = {}
    last: dict[str, tuple[float, str]] = {}
    for at, name, stage in sorted(notes):
        if name in last:
            since, before = last[name]
            found[before] = found.get(before, 0.0) + at - since
        last[name] = (at, stage)
    return {stage: found[stage] for stage in (*STAGES, *sorted(found)) if stage in found}


def earlier(run: Path) -> Took:
    """What an earlier run took."""
    return Took(**json.loads((run / KEPT).read_text(encoding="utf-8")))


def say_took(report: Report, took: Took) -> None:
    """Where the time went."""
    report.say(
        f"{took.kernels} kernels in {took.wall_s:.1f} s; until the first was looked at "
        f"{took.start_s:.1f} s, after the last was stored {took.end_s:.1f} s"
    )
    report.table(
        ("stage", "s, all together", "s per kernel", "of the wall clock"),
        [
            (stage, f"{spent:.1f}", f"{spent / took.kernels:.2f}", percent(spent / took.wall_s, 0))
            for stage, spent in took.stages.items()
        ],
    )


def say_kernels(report: Report, run: Run) -> None:
    """Every kernel, the slowest to time first."""

    def timing_s(one: Evaluation) -> float:
        return one.performance.seconds if isinstance(one.performance, Timed) else 0.0

    rows = []
    for one in sorted(run.evaluations, key=timing_s, reverse=True):
        word, why = became(one)
        over = one.performance.find_speedup() if isinstance(one.performance, Timed) else None
        said = "-" if over is None else f"{over.speedup:.3f} [{over.low:.3f}, {over.high:.3f}]"
        rows.append((one.submission, one.task, word, said, f"{timing_s(one):.2f}", why))
    report.table(("kernel", "task", "became", "over eager", "timing s", "why"), rows)


def say_group(report: Report, label: str, group: Sequence[Evaluation]) -> dict[str, object]:
    """What became of the witnesses, or of the real kernels."""
    words = Counter(became(one)[0] for one in group)
    timed = words["replay"] + words["host_timed"]
    share = words["replay"] / timed if timed else None
    counts = ", ".join(f"{count} {word}" for word, count in words.most_common())
    report.say(f"{label}: {len(group)}: {counts or 'none'}")
    if share is not None:
        report.say(f"{label}: {words['replay']} of {timed} timed were replayed ({percent(share)})")
    elif any(isinstance(one.outcome, Correct) for one in group):
        report.say(f"{label}: none was timed, so none was replayed")
    else:
        report.say(f"{label}: none is correct, so none was timed or replayed")
    reasons = Counter(why for word, why in map(became, group) if word == "host_timed")
    for why, count in reasons.most_common():
        report.say(f"    not replayed, {count}: {why or 'no reason given'}")
    replayed = None if share is None else round(share, 4)
    return {"count": len(group), "became": dict(words), "replayed": replayed}


def say_compiled(report: Report, plain: Took, compiled: Took) -> None:
    """What the second baseline costs."""
    more = compiled.wall_s - plain.wall_s
    report.say(
        f"torch.compile as a second baseline: {compiled.wall_s:.1f} s instead of "
        f"{plain.wall_s:.1f} s, {more:+.1f} s, {more / compiled.kernels:+.2f} s per kernel"
    )
    report.table(
        ("stage", "eager only, s", "with torch.compile, s"),
        [
            (stage, f"{plain.stages.get(stage, 0.0):.1f}", f"{compiled.stages[stage]:.1f}")
            for stage in compiled.stages
        ],
    )


def tell(report: Report, run: Run, took: Took) -> dict[str, object]:
    """Everything about one command, and the promise."""
    say_kernels(report, run)
    groups = {
        label: say_group(report, label, group)
        for label, group in (("witnesses", run.witnesses), ("real kernels", run.real))
        if group
    }
    timed = [one.performance for one in run.evaluations if isinstance(one.performance, Timed)]
    seconds = [one.seconds for one in timed]
    if seconds:
        report.say(
            f"the card was timing {sum(seconds):.1f} s, a kernel {statistics.median(seconds):.2f} "
            f"s in the median and {max(seconds):.2f} s at most; the stage timing below lasts "
            "longer, from getting the card until the result is stored, vain tries included\n"
        )
    say_took(report, took)
    shared_s = took.wall_s / len(timed) if timed else None
    if shared_s is not None:
        report.say(f"shared among the {len(timed)} that were timed: {shared_s:.2f} s each")
    return {
        "wall_s": round(took.wall_s, 2),
        "each_s": round(took.each_s, 3),
        "timed": len(timed),
        "each_timed_s": None if shared_s is None else round(shared_s, 3),
        **groups,
    }


def main() -> int:
    """Measure, print, say whether it holds."""
    parser = parser_of(__doc__)
    parser.add_argument("--real", type=Path, metavar="FILE.jsonl", help=REAL)
    parser.add_argument("--only", nargs="*", default=[], help="witnesses, by name or pattern")
    parser.add_argument("--run", type=Path, help="keep the run in this folder")
    parser.add_argument("--jobs", type=int, help="as many as kbx eval takes unless given")
    parser.add_argument("--compile", action="store_true", help="also with torch.compile")
    parser.add_argument("--against", type=Path, help="an earlier run without torch.compile")
    options = parser.parse_args()
    if options.real and not options.real.is_file():
        parser.error(f"--real: no file is at {options.real}")
    report, document = Report(), {}
    with tempfile.TemporaryDirectory(prefix="kbx-throughput-") as folder:
        chosen = tasks(*(options.only or catalog.function_names()))
        chosen = [one for one in chosen if catalog.witness_path(one.name).is_file()]
        problems = all(facts(one.name).problem is not None for one in chosen)
        most_s = MOST_PROBLEM_S if problems else MOST_S
        sources = [write_witnesses(Path(folder) / "w", chosen)]
        sources += [options.real] if options.real else []
        place = options.run or Path(folder) / "run"
        words = [*ON_A_CARD, *(("--jobs", str(options.jobs)) if options.jobs else ())]
        if options.against:
            plain = earlier(options.against)
        else:
            ready_s = make_ready(report, Path(folder), words)
            plain = evaluate(sources, place, words)
            run = read_run(place)
            report.say(setting(run.evaluations[0].environment, seed=run.seed))
            document = {"ready_s": ready_s, **tell(report, run, plain)}
            report.must(
                f"{plain.each_s:.2f} s per kernel (at most {most_s:.0f} s)", plain.each_s <= most_s
            )
        if options.compile:
            place = place.with_name(place.name + "-compile")
            compiled = evaluate(sources, place, [*words, "--baseline", "compile"])
            run = read_run(place)
            report.say("\n" + setting(run.evaluations[0].environment, seed=run.seed))
            document["with_compile"] = tell(report, run, compiled)
            say_compiled(report, plain, compiled)
    return report.end(document, options.out)


if __name__ == "__main__":
    sys.exit(main())
