"""One evaluation for reading: verdict, provenance, times and remarks."""

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from kernelbenchx.cli.case_results import print_cases
from kernelbenchx.cli.evaluation_table import COLOURS, finding, timing, why
from kernelbenchx.cli.kernel_times import describe_missing_times, describe_timing, print_times
from kernelbenchx.cli.number_format import format_count, short
from kernelbenchx.cli.output import console
from kernelbenchx.cli.provenance import describe_isolation, versions
from kernelbenchx.cli.published_rules import rule_lines
from kernelbenchx.cli.scopes import print_scopes, weaker_label
from kernelbenchx.cli.weights import ROUTES
from kernelbenchx.core.environment import Placement
from kernelbenchx.core.evaluation import Evaluation, KernelFacts
from kernelbenchx.core.huge import HugeResult, HugeState
from kernelbenchx.core.outcome import Correct, Rejected, Void
from kernelbenchx.core.performance import Failed, Timed, Unmeasured
from kernelbenchx.core.settings import OURS
from kernelbenchx.store.evaluation_lookup import KEY_SHOWN, to_seconds

if TYPE_CHECKING:
    from rich.console import Console

    from kernelbenchx.store.evaluation_lookup import StoredEvaluation

_OLDER = 5
"""So many earlier evaluations of the same name are listed."""


def print_result(kept: "StoredEvaluation", shown: "Console | None" = None) -> None:
    """From the verdict down to the compiler's remarks."""
    shown = shown or console()
    evaluation = kept.evaluation
    title = Text.assemble((evaluation.submission, "bold"), f"  {evaluation.task}  ")
    shown.print(title.append(evaluation.verdict, COLOURS[evaluation.verdict]))
    facts = Table.grid(padding=(0, 2, 0, 0))
    facts.add_column(no_wrap=True, style="dim")
    facts.add_column(overflow="fold")
    for name, said in _facts(kept):
        facts.add_row(name, Text(said))
    shown.print(facts)
    print_scopes(evaluation, shown)
    print_cases(evaluation.cases, evaluation.outcome, shown)
    if isinstance(evaluation.performance, Timed):
        print_times(evaluation.performance, shown)
    weaker = evaluation.core_performance or evaluation.basic_performance
    if isinstance(weaker, Timed):
        label = f"{weaker_label(evaluation)} times: the submission is not correct"
        shown.print("", Text(label, "bold"))
        print_times(weaker, shown)
    if evaluation.kernels:
        shown.print("", _kernels(evaluation.kernels))


def _facts(kept: "StoredEvaluation") -> Iterator[tuple[str, str]]:
    one = kept.evaluation
    yield from _verdict(one)
    yield from _scale(one)
    yield from rule_lines(one)
    if isinstance(one.performance, Timed):
        yield from describe_timing(one.performance)
    elif isinstance(weaker := one.core_performance or one.basic_performance, Timed):
        yield from _weaker_times(weaker, weaker_label(one))
    elif one.environment.gpu:
        yield "GPU", one.environment.gpu
        yield from describe_missing_times(one.performance)
    for found in one.findings:
        yield "remark", finding(found.rule, found.line, found.why)
    for flag in one.flags:
        yield "flag", flag
    yield "provenance", "; ".join(_rests_on(one))
    if one.placement is not None:
        yield "judged on", _place(one.placement)
    origin = [f"{name} {value}" for name, value in _origin(one) if value]
    if origin:
        yield "origin", ", ".join(origin)
    at = to_seconds(kept.created)
    yield "kept", f"{kept.run}, key {kept.key[:KEY_SHOWN]}, {at}, seed {one.seed}"
    if kept.older:
        more = "; …" if len(kept.older) > _OLDER else ""
        yield "older", "; ".join(row.words for row in kept.older[:_OLDER]) + more


def _verdict(one: Evaluation) -> Iterator[tuple[str, str]]:
    if isinstance(one.outcome, Rejected):
        for found in one.outcome.findings:
            yield "rejected", finding(found.rule, found.line, found.why)
    else:
        yield "why", why(one).removeprefix("; ".join(timing(one))).removeprefix("; ")
    if not isinstance(one.outcome, Void):  # whose file may never have been read
        yield "composition", one.composition.value.replace("_", " ")
    if one.weights:
        yield "weights", ROUTES.get(one.weights, one.weights)


def _scale(one: Evaluation) -> Iterator[tuple[str, str]]:
    """The result at the timed sizes, where it was run there."""
    performance = one.performance
    if isinstance(performance, Failed):
        where = f"at {performance.case}" if performance.case else "before the first timed case"
        looks = f"; looks like {performance.trick}" if performance.trick else ""
        said = f"{performance.reason.value}: {short(performance.detail)}{looks}"
        yield "scale", f"failed {where}: {said}"
    elif isinstance(performance, Timed):
        judged = sum(case.judged_outputs for case in performance.cases)
        calls = format_count(judged, "judged call")
        yield (
            "scale",
            f"passed: {calls} of {format_count(len(performance.cases), 'timed case')} right",
        )
        for case in performance.left_out:
            yield "left out", f"{case.case}: {case.why}"
    huge = one.scale.huge
    if isinstance(one.outcome, Correct) and huge is not None:
        yield "huge", _huge(huge)
    for said in timing(one) if isinstance(performance, Unmeasured) else ():
        yield "times", said


def _huge(huge: HugeResult) -> str:
    """The result of the call with more than 2^31 elements; how it failed is said before."""
    named = f" at {huge.case}" if huge.case else ""
    if huge.state is HugeState.PASSED:
        return f"passed beyond 2^31 elements{named}: {format_count(huge.slices, 'slice')} right"
    if huge.state is HugeState.FAILED:
        return "failed beyond 2^31 elements, right at the timed sizes"
    return f"not judged beyond 2^31 elements{named}: {huge.detail}"


def _weaker_times(found: Timed, label: str) -> Iterator[tuple[str, str]]:
    """Every line with the label: these are not the times of a correct submission."""
    for name, said in describe_timing(found):
        yield f"{label} {name}", said
    for one in found.left_out:
        yield f"{label} left out", f"{one.case}: {one.why}"


def _rests_on(one: Evaluation) -> Iterator[str]:
    yield describe_isolation(one.isolation.level, one.isolation.missing)
    if not one.checks:
        yield "source checks switched off"
    if one.provisional and one.ran:
        yield "provisional: the interpreter, not a GPU"
    yield versions(one.environment)
    if one.sizes != OURS:
        yield f"timed at {one.sizes} sizes"
    yield f"stage {one.stage.value}, {one.seconds:.1f} s"


def _place(place: Placement) -> str:
    parts = [place.node, f"GPU {place.gpu}" if place.gpu else "", f"attempt {place.attempt}"]
    return ", ".join(one for one in parts if one)


def _origin(one: Evaluation) -> Iterator[tuple[str, str]]:
    origin = one.origin
    yield from (("file", origin.file), ("model", origin.model), ("method", origin.method))
    yield from (("round", origin.round), ("parent", origin.parent))


def _kernels(kernels: tuple[KernelFacts, ...]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    table.add_column("kernel", overflow="fold")
    for column in ("registers", "spills", "shared"):
        table.add_column(column, justify="right")
    table.add_column("compiled for", overflow="fold")
    for one, count in Counter(kernels).items():
        place = f"line {one.line}: " if one.line else ""
        said = f"{one.target}: {place}{short(one.error)}" if one.error else one.target
        name = one.name if count == 1 else f"{one.name} ({count} variants)"
        # Also what autotune passed over has an error, and no needs that are known.
        needs = (one.registers, one.spills, one.shared_bytes)
        known = one.ok and not one.error
        table.add_row(Text(name), *(str(n) if known else "" for n in needs), Text(said))
    return table
