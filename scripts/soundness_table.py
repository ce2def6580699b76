"""Print how real kernels fare by our three standards and by the published rule, as Markdown.

    kbx eval KERNELS.jsonl --device cuda --paper-rules --out RUN
    python scripts/soundness_table.py RUN KERNELS.jsonl [--harness VERDICTS.jsonl] [--agreement]

RUN is the folder of a run or its run.sqlite. Rows of KERNELS.jsonl have `id`, and may have `model`
and a label `published: {call_ok, exe_ok}`. Rows of VERDICTS.jsonl have `id`, `call` and `exe`: what
the published harness itself said. Without that file the published rule is that of `--paper-rules`.
With `--agreement` only the comparison of the two is printed, a row for each task.
"""

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import kernelbenchx as kbx
from kernelbenchx.core.failed_scopes import describe_failed_scopes
from kernelbenchx.core.outcome import CaseResult, CaseState
from kernelbenchx.core.rules import KernelBenchXRule
from kernelbenchx.core.scopes import Scope, find_scope
from kernelbenchx.core.standards import Standard

_FORM = ("kernels", "authorship")
"""Rules of the source checks that say what a kernel lacks; others follow from that."""
_STATES = ("correct", "called, not correct", "not called")
Row = dict[str, Any]


@dataclass(frozen=True)
class Judged:
    """One kernel with both verdicts."""

    ours: kbx.Evaluation
    model: str
    called: bool
    """By the published rule, as the next."""
    correct: bool

    @property
    def standard(self) -> Standard | None:
        """The strictest that it meets."""
        met = [one for one in Standard if self.ours.meets(one)]
        return met[-1] if met else None

    @property
    def lucky(self) -> bool:
        """Correct by the published rule, by none of ours."""
        return self.correct and self.standard is None

    @property
    def reverse(self) -> bool:
        """Not correct by the published rule, by one of ours."""
        return not self.correct and self.standard is not None

    @property
    def state(self) -> str:
        """By the published rule, in words."""
        if self.correct:
            return _STATES[0]
        return _STATES[1] if self.called else _STATES[2]


def main(words: Sequence[str] | None = None) -> None:
    """Rates, what they fail, and the kernels about which both sides disagree."""
    options = _options(words)
    rows = {str(row["id"]): row for row in read_lines(options.kernels)}
    harness = read_harness(options.harness) if options.harness else None
    found = join(kbx.load_run(options.run).results, rows, harness)
    kernels = sorted(found, key=lambda one: one.ours.submission)
    if options.agreement:
        parts = [agreement_by_task(kernels), agreement(kernels)]
    else:
        parts = [rates(kernels), crosstab(kernels), failed_dtypes(kernels)]
        parts += [failed_scopes(kernels), lucky(kernels), reverse(kernels)]
        parts += [agreement(kernels)] if harness else []
        parts += [labels(kernels, rows)]
    printed = ["\n".join(part) for part in parts]
    print("\n\n".join(filter(None, printed)))


def join(
    evaluations: Sequence[kbx.Evaluation],
    rows: Mapping[str, Row],
    harness: Mapping[str, tuple[bool, bool]] | None,
) -> Iterator[Judged]:
    """Kernels of the file that have a published verdict."""
    for one in evaluations:
        if one.submission not in rows:
            continue
        rule = one.rules.kernelbenchx if one.rules else None
        known = harness.get(one.submission) if harness is not None else None
        if harness is None and rule is not None:
            known = bool(rule.called), bool(rule.correct)
        if known is not None:
            yield Judged(one, str(rows[one.submission].get("model", "")), *known)


def read_harness(path: Path) -> dict[str, tuple[bool, bool]]:
    """By kernel: called, correct."""
    return {str(row["id"]): (bool(row["call"]), bool(row["exe"])) for row in read_lines(path)}


def rates(kernels: Sequence[Judged]) -> Iterator[str]:
    """A row for each model and one for all."""
    names = ("kernels", "called", "correct", *(one.value for one in Standard), "lucky", "reverse")
    yield f"| model | {' | '.join(names)} |"
    yield f"|---|{'---|' * len(names)}"
    for model in sorted({one.model for one in kernels}):
        yield _rate(model, [one for one in kernels if one.model == model])
    yield _rate("all", kernels)
    yield f"\n{len(kernels)} kernels for {len({one.ours.task for one in kernels})} tasks."


def _rate(name: str, kernels: Sequence[Judged]) -> str:
    met = [sum(bool(one.ours.meets(standard)) for one in kernels) for standard in Standard]
    theirs = sum(one.called for one in kernels), sum(one.correct for one in kernels)
    both = sum(one.lucky for one in kernels), sum(one.reverse for one in kernels)
    return f"| {name} | {' | '.join(map(str, (len(kernels), *theirs, *met, *both)))} |"


def crosstab(kernels: Sequence[Judged]) -> Iterator[str]:
    """The strictest standard of each kernel beside the published rule."""
    columns = (*(one.value for one in reversed(Standard)), "none")
    yield f"| published rule | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}"
    for state in _STATES:
        rows = [one for one in kernels if one.state == state]
        counts = Counter(one.standard.value if one.standard else "none" for one in rows)
        yield f"| {state} | {' | '.join(str(counts[column]) for column in columns)} |"


def failed_dtypes(kernels: Sequence[Judged]) -> Iterator[str]:
    """What kernels that are basic and not core fail: a row for each set of dtypes."""
    found = [one.ours for one in kernels if one.standard is Standard.BASIC]
    sets = Counter(_core_dtypes(one) for one in found)
    yield f"Basic and not core: {len(found)}.\n\n| dtypes in which core calls fail | kernels |"
    yield "|---|---|"
    for name, count in sets.most_common():
        yield f"| {name} | {count} |"
    compiled = sum(
        any(case.detail.startswith("compile_error") for case in _failed(one)) for one in found
    )
    yield f"\n{compiled} of them do not compile in one of these dtypes."


def _core_dtypes(one: kbx.Evaluation) -> str:
    scopes = [each for each in one.scopes if each.scope is Scope.CORE and each.failed]
    return ", ".join(sorted(each.dtype for each in scopes))


def failed_scopes(kernels: Sequence[Judged]) -> Iterator[str]:
    """What kernels that are core and not strict fail: how many fail a call of each scope."""
    found = [one.ours for one in kernels if one.standard is Standard.CORE]
    counts = Counter(scope for one in found for scope in {s.scope for s in one.scopes if s.failed})
    yield f"Core and not strict: {len(found)}.\n\n| scope | kernels that fail a call of it |"
    yield "|---|---|"
    for scope, count in counts.most_common():
        yield f"| {scope.value} | {count} |"


def lucky(kernels: Sequence[Judged]) -> Iterator[str]:
    """Correct by the published rule and not basic, with our reason."""
    found = [one for one in kernels if one.lucky]
    yield f"Lucky, correct by the published rule and not basic: {len(found)}."
    yield "\n| id | task | model | why not here |\n|---|---|---|---|"
    for one in found:
        yield f"| {_named(one)} | {_cell(why(one.ours))} |"


def reverse(kernels: Sequence[Judged]) -> Iterator[str]:
    """Basic or better and not correct by the published rule, with its reason."""
    found = [one for one in kernels if one.reverse]
    yield f"The reverse, basic or better and not correct by the published rule: {len(found)}."
    yield "\n| id | task | model | here | why not by the published rule |\n|---|---|---|---|---|"
    for one in found:
        assert one.standard is not None
        rule = _rule(one)
        said = ": ".join(part for part in (rule.key, rule.detail) if part) if rule else ""
        yield f"| {_named(one)} | {one.standard.value} | {_cell(f'{one.state}: {said}')} |"


def agreement(kernels: Sequence[Judged]) -> Iterator[str]:
    """How often `--paper-rules` says what the harness said."""
    pairs = [(one, rule) for one in kernels if (rule := _rule(one)) is not None]
    called = sum(bool(rule.called) == one.called for one, rule in pairs)
    correct = sum(bool(rule.correct) == one.correct for one, rule in pairs)
    yield f"{len(pairs)} kernels were judged by the published harness and by `--paper-rules`."
    yield f"Both say the same about called for {called} of them, about correct for {correct}."
    for one, _ in [pair for pair in pairs if not _agrees(*pair)]:
        yield f"- {one.ours.submission}: {one.state} by the harness alone"


def agreement_by_task(kernels: Sequence[Judged]) -> Iterator[str]:
    """What the harness said of each task's kernels, and how often `--paper-rules` says the same."""
    made = kernels[0].ours.environment
    yield f"kernelbenchx {made.harness}, torch {made.torch}, triton {made.triton}, {made.gpu}\n"
    yield f"| task | kernels | {' | '.join(_STATES)} | --paper-rules agrees |"
    yield f"|---|---|{'---|' * (len(_STATES) + 1)}"
    for task in sorted({one.ours.task for one in kernels}):
        yield _agreement_row(task, [one for one in kernels if one.ours.task == task])
    yield _agreement_row("all", kernels)


def _agreement_row(name: str, kernels: Sequence[Judged]) -> str:
    states = Counter(one.state for one in kernels)
    agreeing = sum(_agrees(one, _rule(one)) for one in kernels)
    counts = [len(kernels), *(states[state] for state in _STATES), agreeing]
    return f"| {name} | {' | '.join(map(str, counts))} |"


def _agrees(one: Judged, rule: KernelBenchXRule | None) -> bool:
    if rule is None:
        return False
    return (bool(rule.called), bool(rule.correct)) == (one.called, one.correct)


def labels(kernels: Sequence[Judged], rows: Mapping[str, Row]) -> Iterator[str]:
    """Labels that were published with the kernels, made on another GPU, beside the rule here."""
    said = {one.ours.submission: _label(rows[one.ours.submission]) for one in kernels}
    right = [one for one in kernels if said[one.ours.submission]]
    known = [one for one in kernels if said[one.ours.submission] is not None]
    if known:
        yield f"{len(known)} kernels have a published label, {len(right)} of them as correct.\n"
    for standard in (*reversed(Standard), None):
        if names := [one.ours.submission for one in right if one.standard is standard]:
            name = standard.value if standard else "not basic"
            yield f"- Published as correct, here {name}: {len(names)} ({', '.join(names)})"
    for one in known:
        if said[one.ours.submission] != one.correct:
            label = "correct" if one in right else "not correct"
            yield f"- {one.ours.submission}: published as {label}, by the rule here {one.state}"


def _label(row: Row) -> bool | None:
    found = (row.get("published") or {}).get("exe_ok")
    return None if found is None else bool(found)


def _rule(one: Judged) -> KernelBenchXRule | None:
    return one.ours.rules.kernelbenchx if one.ours.rules else None


def why(one: kbx.Evaluation) -> str:
    """Why it is not basic, in a phrase."""
    outcome = one.outcome
    if isinstance(outcome, kbx.Rejected):
        first = [finding for finding in outcome.findings if finding.rule in _FORM]
        return f"refused: {(first or list(outcome.findings))[0].why}"
    failed = [case for case in _failed(one) if case.dtype == one.first_dtype]
    if not failed:
        return describe_failed_scopes(one) or one.verdict
    count = next(
        each for each in one.scopes if (each.scope, each.dtype) == (Scope.CORE, one.first_dtype)
    )
    calls = f"{count.failed} of {count.total} core calls in {one.first_dtype}"
    return f"{calls} fail: {_shown(failed[0])}"


def _failed(one: kbx.Evaluation) -> list[CaseResult]:
    """The core calls that do not pass."""
    core = [case for case in one.cases if find_scope(case.needs) is Scope.CORE]
    return [case for case in core if case.state is not CaseState.PASSED]


def _shown(case: CaseResult) -> str:
    finite = case.error is not None and math.isfinite(case.error)
    times = f", {case.error:.3g} times the budget" if finite else ""
    return f"{case.detail[:160]}{times} (`{case.case}`)"


def _named(one: Judged) -> str:
    return f"{one.ours.submission} | {one.ours.task.rpartition('/')[2]} | {one.model}"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def read_lines(path: Path) -> Iterator[Row]:
    """The rows of a JSONL file."""
    return (json.loads(line) for line in path.read_text().splitlines() if line.strip())


def _options(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=Path)
    parser.add_argument("kernels", type=Path)
    parser.add_argument("--harness", type=Path, help="what the published harness said")
    parser.add_argument("--agreement", action="store_true", help="print the comparison alone")
    return parser.parse_args(words)


if __name__ == "__main__":
    main()
