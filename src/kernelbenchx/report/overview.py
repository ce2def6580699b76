"""Overview: how far attempts got, and where and why the others failed."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.causes import Cause, cause_of
from kernelbenchx.analysis.frame import gpu_of
from kernelbenchx.analysis.table import Table, Value, columns
from kernelbenchx.core.scopes import Scope, sum_dtypes
from kernelbenchx.core.standards import Standard

ALL = "all methods"
BEFORE = "before any case"
"""In place of a scope: rejected, or the source does not load or compile."""


@dataclass(frozen=True)
class _FunnelStep:
    """One step of the funnel, and what to call an attempt that does not take it."""

    name: str
    passes: Callable[[Attempt], bool]
    lost: Callable[[Attempt], str]


def tables(attempts: Sequence[Attempt]) -> list[Table]:
    """The funnel and the causes of failure of kernels kept at the end."""
    return [_funnel(attempts), _causes(attempts)]


def _funnel(attempts: Sequence[Attempt]) -> Table:
    return Table(
        name="funnel",
        title="How far attempts get",
        about="Kernels kept at the end that were judged, and how many of them take each step. "
        "An attempt takes a step only if it took all steps before it.",
        columns=columns(
            ("gpu", "GPU"),
            ("method", "Method"),
            ("step", "Step"),
            ("attempts", "Attempts", "count"),
            ("share", "Of those judged", "percent"),
            ("lost", "Lost here", "count"),
            ("how", "How"),
        ),
        rows=tuple(_funnel_rows(attempts)),
    )


def _funnel_rows(attempts: Sequence[Attempt]) -> Iterator[tuple[Value, ...]]:
    for gpu, here in sorted(_group_by(attempts, gpu_of).items()):
        # The steps of a GPU are the same for each of its methods.
        steps, methods = _steps(here), _group_by(here, lambda one: one.method)
        if len(methods) > 1:
            yield from ((gpu, ALL, *row) for row in _walk_funnel(here, steps))
        for method, own in sorted(methods.items()):
            yield from ((gpu, method, *row) for row in _walk_funnel(own, steps))


def _group_by(
    attempts: Sequence[Attempt], by: Callable[[Attempt], str]
) -> dict[str, list[Attempt]]:
    found: dict[str, list[Attempt]] = defaultdict(list)
    for one in attempts:
        found[by(one)].append(one)
    return found


def _walk_funnel(
    every: Sequence[Attempt], steps: Sequence[_FunnelStep]
) -> Iterator[tuple[Value, ...]]:
    """Step by step: how many are left, and why the others are not."""
    yield "judged", len(every), 1.0, 0, ""
    here = every
    for step in steps:
        kept = [one for one in here if step.passes(one)]
        how = Counter(step.lost(one) for one in here if not step.passes(one))
        words = ", ".join(f"{count} {word}" for word, count in how.most_common())
        yield step.name, len(kept), len(kept) / len(every), how.total(), words
        here = kept


def _steps(attempts: Sequence[Attempt]) -> list[_FunnelStep]:
    """Those that say something: scopes, times and rejections are not in every run."""
    found = []
    if any(one.outcome == "rejected" for one in attempts):
        found.append(_FunnelStep("passes the source checks", _is_accepted, _verdict))
    steps = [
        _FunnelStep(f"{standard} correct", passes, _verdict)
        for standard, passes in ((Standard.BASIC, _basic), (Standard.CORE, _core))
        if _leads_to_correct(attempts, standard)
    ]
    found += steps or [_FunnelStep("runs", lambda one: one.called, _verdict)]
    if any(one.outcome not in ("reached", "rejected") for one in attempts):
        found.append(_FunnelStep("correct", lambda one: one.correct, _verdict))
    if any(one.timed for one in attempts):
        found.append(_FunnelStep("timed", lambda one: one.timed, lambda _: "not timed"))
        found.append(
            _FunnelStep(
                "faster than eager", lambda one: _speed_class(one) == "faster", _speed_class
            )
        )
    return found


def _is_accepted(one: Attempt) -> bool:
    return one.outcome != "rejected"


def _leads_to_correct(attempts: Sequence[Attempt], standard: Standard) -> bool:
    """Whether it was judged, and is no stricter than what counts as correct here."""
    known = any(one.meets(standard) is not None for one in attempts)
    return known and all(one.meets(standard) is not False for one in attempts if one.correct)


def _basic(one: Attempt) -> bool:
    return bool(one.basic) or _core(one)


def _core(one: Attempt) -> bool:
    return bool(one.core) or one.correct


def _speed_class(one: Attempt) -> str:
    return one.eager.speed_class if one.eager else ""


def _verdict(one: Attempt) -> str:
    return "not judged further" if one.outcome == "reached" else one.verdict


def _causes(attempts: Sequence[Attempt]) -> Table:
    judged: Counter[str] = Counter(map(gpu_of, attempts))
    found: Counter[tuple[str, str, str]] = Counter()
    for one in attempts:
        cause = cause_of(one)
        if cause in (None, Cause.NOT_SAID):
            continue
        for scope in _failed_scopes(one):
            found[gpu_of(one), scope, str(cause)] += 1
    order = [BEFORE, *(scope.value for scope in Scope)]
    rows = [
        (gpu, scope, cause, many, many / judged[gpu])
        for (gpu, scope, cause), many in sorted(
            found.items(), key=lambda item: (item[0][0], order.index(item[0][1]), -item[1])
        )
    ]
    return Table(
        name="causes_by_scope",
        title="Why and where attempts fail",
        about="Kernels kept at the end that fail, by the scope of the cases that fail and by "
        "the cause of the attempt's first failure. An attempt that fails in several scopes counts "
        "in each of them.",
        columns=columns(
            ("gpu", "GPU"),
            ("scope", "Scope"),
            ("cause", "Cause"),
            ("attempts", "Attempts", "count"),
            ("share", "Of those judged", "percent"),
        ),
        rows=tuple(rows),
    )


def _failed_scopes(one: Attempt) -> list[str]:
    failed = [count.scope.value for count in sum_dtypes(one.scopes) if count.failed]
    if one.failed_at_scale and Scope.SCALE.value not in failed:
        failed.append(Scope.SCALE.value)
    return failed or [BEFORE]
