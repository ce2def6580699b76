"""An evaluation as the JSON that scripts read."""

from typing import Any

from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import CaseResult
from kernelbenchx.core.record import to_plain
from kernelbenchx.core.scopes import ScopeCount, sum_dtypes
from kernelbenchx.store.timings import without_samples


def result(evaluation: Evaluation) -> dict[str, Any]:
    """The record, less raw samples (`kbx query` has them), with the level for isolation.

    `scale` is the result at the timed sizes; `solved` is what rates count. `scopes` has the counts
    of each scope that was judged, in all and by dtype. `core_correct` says whether all core cases
    passed, `basic_correct` whether those in the task's first dtype did.
    """
    plain: dict[str, Any] = to_plain(without_samples(evaluation))
    fields = CaseResult.__struct_fields__
    plain["cases"] = [dict(zip(fields, case, strict=True)) for case in plain["cases"]]
    plain["isolation"] = evaluation.isolation.level
    plain["scale"] = to_plain(evaluation.scale)
    plain["solved"] = evaluation.solved
    plain["basic_correct"] = evaluation.basic_correct
    plain["core_correct"] = evaluation.core_correct
    plain["scopes"] = _scopes(evaluation.scopes)
    for times in ("performance", "core_performance", "basic_performance"):
        for case in (plain[times] or {}).get("cases", ()):
            for comparison in case["comparisons"]:
                del comparison["samples"]
    return plain


def _scopes(counts: tuple[ScopeCount, ...]) -> dict[str, dict[str, Any]]:
    return {
        whole.scope.value: {
            "passed": whole.passed,
            "total": whole.total,
            "dtypes": {
                one.dtype: {"passed": one.passed, "total": one.total}
                for one in counts
                if one.scope is whole.scope
            },
        }
        for whole in sum_dtypes(counts)
    }
