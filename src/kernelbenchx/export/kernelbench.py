"""Results in KernelBench's own files, as its analysis reads them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from pathlib import Path
from typing import Any

from kernelbenchx import catalog
from kernelbenchx.analysis.kernel_selection import sample_of
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.kernelbench import LEVELS, problem_files
from kernelbenchx.catalog.precisions import split
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.kernelbench_names import read_kernel_name, read_problem_name
from kernelbenchx.core.outcome import Broken, Correct, Reason, Rejected, Void, Wrong
from kernelbenchx.core.performance import Clock, Comparison, Timed

NONE = -1.0
"""A time that there is not."""
_TOLERANCES = ("passes_1e_2", "passes_1e_4")
_NOT_COMPILED = frozenset({Reason.COMPILE_ERROR, Reason.LOAD_ERROR, Reason.NOT_COMPILED})


@dataclass
class LevelExport:
    """One level: what was written, and how far rates could move."""

    level: int
    problems: int
    """Of the level, in the data set."""
    judged: set[int] = field(default_factory=set)
    correct: set[int] = field(default_factory=set)
    """Sample 0 is correct: what upstream's analysis counts."""
    untimed: set[int] = field(default_factory=set)
    """Sample 0 is correct and has no time: upstream's fast_p takes it for slower than any p."""
    void: set[int] = field(default_factory=set)
    """Sample 0 could not be judged."""
    folder: Path | None = None

    @property
    def bounds(self) -> tuple[float, float]:
        """The rate with voids as failed, and as passed. What is missing counts as failed."""
        low = len(self.correct)
        return low / self.problems, (low + len(self.void)) / self.problems


def write_results(
    results: Iterable[Evaluation], out: Path, precision: str = "fp32"
) -> list[LevelExport]:
    """`<out>/level<n>/`: `eval_results.json`, `pass_at_k_results.json` and the baseline's times.

    A folder per level, because upstream keys results by the number of the problem alone. Results
    of other precisions are left out: they are never counted together. Upstream knows no turns and
    no candidates: `kept_results` says which kernel of a method counts.
    """
    found = {level: LevelExport(level, len(problem_files(level))) for level in LEVELS}
    rows: dict[int, dict[int, list[dict[str, Any]]]] = {level: {} for level in LEVELS}
    times: dict[int, dict[str, dict[str, Any]]] = {level: {} for level in LEVELS}
    for one in results:
        placed = _locate_sample(one, precision)
        if placed is None:
            continue
        level, number, sample = placed
        compared = _find_eager(one)
        _count(found[level], number, sample, one, timed=compared is not None)
        if not isinstance(one.outcome, Void):
            rows[level].setdefault(number, []).append(result_of(one, sample, compared))
        if compared is not None:
            times[level][problem_files(level)[number - 1]] = _statistics(compared.baseline_us, one)
    kept = [one for one in found.values() if one.judged]
    for each in kept:
        each.folder = out / f"level{each.level}"
        _write(each.folder / "eval_results.json", _sort_samples(rows[each.level]))
        _write(each.folder / "pass_at_k_results.json", pass_at_k(rows[each.level]))
        baseline = {f"level{each.level}": dict(sorted(times[each.level].items()))}
        _write(each.folder / "baseline_time_torch.json", baseline)
    return kept


def _locate_sample(one: Evaluation, precision: str) -> tuple[int, int, int] | None:
    """Level, number and sample: from the name, or as the method counted."""
    problem = _problem(one.task)
    if problem is None or split(one.task)[1] != precision:
        return None
    name = read_kernel_name(one.submission)
    return *problem, name.sample if name else sample_of(one.origin.step)


def _problem(task: str) -> tuple[int, int] | None:
    """Level and number. The folder that an imported problem came from need not be here."""
    if not catalog.path_of(task).is_file():
        return read_problem_name(task)
    known = facts(task).problem
    return None if known is None else (known.level, known.number)


def _count(found: LevelExport, number: int, sample: int, one: Evaluation, *, timed: bool) -> None:
    found.judged.add(number)
    if sample == 0 and isinstance(one.outcome, Correct):
        found.correct.add(number)
        if not timed:
            found.untimed.add(number)
    if sample == 0 and isinstance(one.outcome, Void):
        found.void.add(number)


def _find_eager(one: Evaluation) -> Comparison | None:
    """With eager, by device time, at the published size: the only one that is timed."""
    if not isinstance(one.performance, Timed) or not one.performance.cases:
        return None
    return one.performance.cases[0].find_comparison("eager", Clock.DEVICE)


def result_of(one: Evaluation, sample: int, compared: Comparison | None) -> dict[str, Any]:
    """One evaluation in upstream's words; times in milliseconds."""
    outcome = one.outcome
    failed = isinstance(outcome, Broken) and outcome.reason in _NOT_COMPILED
    own, theirs = (
        (NONE, NONE)
        if compared is None
        else (compared.candidate_us / 1000, compared.baseline_us / 1000)
    )
    return {
        "sample_id": sample,
        "compiled": not (failed or isinstance(outcome, Rejected)),
        "correctness": isinstance(outcome, Correct),
        "metadata": _metadata(one),
        "runtime": own,
        "runtime_stats": _statistics(compared.candidate_us, one) if compared else {},
        "ref_runtime": theirs,
        "ref_runtime_stats": _statistics(compared.baseline_us, one) if compared else {},
    }


def _metadata(one: Evaluation) -> dict[str, Any]:
    outcome = one.outcome
    said: dict[str, Any] = {"hardware": _gpu_name(one), "device": "cuda:0"}
    said["kbx_outcome"] = type(outcome).__name__.lower()
    if isinstance(outcome, Wrong):
        said["correctness_issue"] = outcome.detail
    if isinstance(outcome, Broken):
        said["runtime_error"] = outcome.detail
        said["runtime_error_name"] = outcome.reason.value
    if isinstance(outcome, Rejected):
        said["static_check"] = [finding.why for finding in outcome.findings]
    rule = None if one.rules is None else one.rules.kernelbench
    if rule is not None and rule.passes_1e_2 is None:
        said["kernelbench_rule_unknown"] = rule.detail
    elif rule is not None:
        said["kernelbench_rule"] = {name: getattr(rule, name) for name in _TOLERANCES}
    return said


def _gpu_name(one: Evaluation) -> str:
    return one.performance.gpu.name if isinstance(one.performance, Timed) else ""


def _statistics(us: float, one: Evaluation) -> dict[str, Any]:
    """Upstream wants a spread; ours is an interval of the speedup, which it has no field for."""
    ms = us / 1000
    stats = {"mean": ms, "std": 0.0, "min": ms, "max": ms, "num_trials": 1}
    return {**stats, "hardware": _gpu_name(one), "device": "cuda:0"}


def pass_at_k(rows: Mapping[int, Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    """The chance that one of k samples is correct, for every k up to the number of samples."""
    most = max((len(samples) for samples in rows.values()), default=0)
    problems: dict[str, dict[str, Any]] = {}
    for number, samples in sorted(rows.items()):
        n, c = len(samples), sum(bool(one["correctness"]) for one in samples)
        chances = {f"pass@{k}": 1 - comb(n - c, k) / comb(n, k) for k in range(1, n + 1)}
        problems[str(number)] = {"total_samples": n, "correct_samples": c, **chances}
    averages, counts = {}, {}
    for k in range(1, most + 1):
        known = [one[f"pass@{k}"] for one in problems.values() if f"pass@{k}" in one]
        averages[f"avg_pass@{k}"] = sum(known) / len(known)
        counts[f"pass@{k}_count"] = len(known)
    metadata = {
        "total_problems": len(problems),
        "problems_with_samples": len(problems),
        "total_evaluated_samples": sum(one["total_samples"] for one in problems.values()),
        "total_correct_samples": sum(one["correct_samples"] for one in problems.values()),
        **counts,
    }
    return {"averages": averages, "metadata": metadata, "problems": problems}


def _sort_samples(rows: Mapping[int, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    return {
        str(number): sorted(samples, key=lambda one: int(one["sample_id"]))
        for number, samples in sorted(rows.items())
    }


def _write(path: Path, document: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
