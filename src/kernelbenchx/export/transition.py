"""One row of the corpus: two kernels, what separates them and what became of each.

The words beside the fields are those of the data card.
"""

from typing import Annotated

from msgspec import Meta

from kernelbenchx.core.record import Record

SCHEMA = 2


def _said(words: str) -> Meta:
    return Meta(description=words)


class Remark(Record, frozen=True, kw_only=True):
    """A finding, in short."""

    rule: Annotated[str, _said("which rule")]
    line: Annotated[int, _said("of the source; 0 where none is named")]
    why: Annotated[str, _said("what it says")]
    fatal: Annotated[bool, _said("whether it rejects")]


class Over(Record, frozen=True, kw_only=True):
    """A speedup over one baseline."""

    baseline: Annotated[str, _said("`eager` or `torch.compile`")]
    speedup: Annotated[float | None, _said("geometric mean over the timing cases, device time")]
    low: Annotated[float | None, _said("lower end of its interval")]
    high: Annotated[float | None, _said("upper end of its interval")]
    speed_class: Annotated[str, _said("`faster`, `slower`, `tie` or `undecided`")]


class Side(Record, frozen=True, kw_only=True):
    """A kernel and its verdict."""

    key: Annotated[str, _said("of the evaluation in its run")]
    run: Annotated[str, _said("the run it is kept in, as it was named")]
    submission: Annotated[str, _said("its name")]
    round: Annotated[int, _said("how often something was fed back before")]
    step: Annotated[str, _said("where in the method; empty if unknown")]
    digest: Annotated[str, _said("SHA-256 of the source")]
    source: Annotated[str, _said("the program, as it was judged")]
    outcome: Annotated[str, _said("`correct`, `wrong`, `broken`, `rejected` or `failed at scale`")]
    reason: Annotated[str, _said("why it is not correct, in one word")]
    stage: Annotated[str, _said("the last stage that was entered: `check`, `call`, `exe`, `perf`")]
    composition: Annotated[str, _said("`pure` Triton, `mixed` with torch, or `not_a_kernel`")]
    provisional: Annotated[bool, _said("judged by the interpreter; not confirmed on a GPU")]
    case: Annotated[str, _said("the case that failed, among the checks or the timed ones")]
    line: Annotated[int, _said("of the source, where a message names one; else 0")]
    detail: Annotated[str, _said("what was said about the failure, cut")]
    pattern: Annotated[str, _said("what a wrong output looks like")]
    findings: Annotated[tuple[Remark, ...], _said("remarks of the rules, the first few")]
    performance: Annotated[str, _said("`timed`, `failed`, `unmeasured`, or empty")]
    tier: Annotated[str, _said("how times were taken: `replay` or `host_timed`")]
    speedups: Annotated[tuple[Over, ...], _said("one for each baseline")]
    score: Annotated[
        float | None, _said("share of the GPU's measured peak, bandwidth or arithmetic")
    ]


class Transition(Record, frozen=True, kw_only=True):
    """A step from one kernel to the next."""

    schema: Annotated[int, _said("version of these fields")] = SCHEMA
    kind: Annotated[
        str,
        _said(
            "`fail_to_pass`, `pass_to_fail`, `call_fail_to_pass`, `call_pass_to_fail`, `faster` or "
            "`slower`"
        ),
    ]
    task: Annotated[str, _said("`category/name`")]
    category: Annotated[str, _said("as people read it")]
    difficulty: Annotated[int, _said("1 to 5; 0 if unknown")]
    method: Annotated[str, _said("that wrote both")]
    model: Annotated[str, _said("that wrote the second")]
    gpu: Annotated[str, _said("where both were judged, or `interpreter`")]
    sample: Annotated[int, _said("which of those side by side in a round")]
    by_parent: Annotated[
        bool,
        _said("the second names the first as its parent; otherwise it is the next in its line"),
    ]
    factor: Annotated[float | None, _said("speedup after by speedup before, where both have times")]
    noise_floor: Annotated[
        float | None,
        _said("share by which speedups of identical code differ on that GPU; null where unknown"),
    ]
    before: Annotated[Side, _said("the first kernel")]
    after: Annotated[Side, _said("the second kernel, with the same fields as the first")]
    diff: Annotated[str, _said("unified difference of both sources")]
