"""One row of the corpus: two kernels, their difference and the verdict on each.

The words beside the fields are those of the data card.
"""

from typing import Annotated

from msgspec import Meta

from kernelbenchx.core.record import Record

SCHEMA = 2


def _describe(words: str) -> Meta:
    return Meta(description=words)


class Remark(Record, frozen=True, kw_only=True):
    """A finding, in short."""

    rule: Annotated[str, _describe("which rule")]
    line: Annotated[int, _describe("of the source; 0 where none is named")]
    why: Annotated[str, _describe("what it says")]
    fatal: Annotated[bool, _describe("whether it rejects")]


class BaselineSpeedup(Record, frozen=True, kw_only=True):
    """A speedup over one baseline."""

    baseline: Annotated[str, _describe("`eager` or `torch.compile`")]
    speedup: Annotated[float | None, _describe("geometric mean over the timing cases, device time")]
    low: Annotated[float | None, _describe("lower end of its interval")]
    high: Annotated[float | None, _describe("upper end of its interval")]
    speed_class: Annotated[str, _describe("`faster`, `slower`, `tie` or `undecided`")]


class TransitionSide(Record, frozen=True, kw_only=True):
    """A kernel and its verdict."""

    key: Annotated[str, _describe("of the evaluation in its run")]
    run: Annotated[str, _describe("the run it is kept in, as it was named")]
    submission: Annotated[str, _describe("its name")]
    round: Annotated[int, _describe("how often something was fed back before")]
    step: Annotated[str, _describe("where in the method; empty if unknown")]
    digest: Annotated[str, _describe("SHA-256 of the source")]
    source: Annotated[str, _describe("the program, as it was judged")]
    outcome: Annotated[
        str, _describe("`correct`, `wrong`, `broken`, `rejected` or `failed at scale`")
    ]
    reason: Annotated[str, _describe("why it is not correct, in one word")]
    stage: Annotated[
        str, _describe("the last stage that was entered: `check`, `call`, `exe`, `perf`")
    ]
    composition: Annotated[str, _describe("`pure` Triton, `mixed` with torch, or `not_a_kernel`")]
    provisional: Annotated[bool, _describe("judged by the interpreter; not confirmed on a GPU")]
    case: Annotated[str, _describe("the case that failed, among the checks or the timed ones")]
    line: Annotated[int, _describe("of the source, where a message names one; else 0")]
    detail: Annotated[str, _describe("what was said about the failure, cut")]
    pattern: Annotated[str, _describe("what a wrong output looks like")]
    findings: Annotated[tuple[Remark, ...], _describe("remarks of the rules, the first few")]
    performance: Annotated[str, _describe("`timed`, `failed`, `unmeasured`, or empty")]
    tier: Annotated[str, _describe("how times were taken: `replay` or `host_timed`")]
    speedups: Annotated[tuple[BaselineSpeedup, ...], _describe("one for each baseline")]
    score: Annotated[
        float | None, _describe("share of the GPU's measured peak, bandwidth or arithmetic")
    ]


class KernelTransition(Record, frozen=True, kw_only=True):
    """A step from one kernel to the next."""

    schema: Annotated[int, _describe("version of these fields")] = SCHEMA
    kind: Annotated[
        str,
        _describe(
            "`fail_to_pass`, `pass_to_fail`, `call_fail_to_pass`, `call_pass_to_fail`, `faster` or "
            "`slower`"
        ),
    ]
    task: Annotated[str, _describe("`category/name`")]
    category: Annotated[str, _describe("as people read it")]
    difficulty: Annotated[int, _describe("1 to 5; 0 if unknown")]
    method: Annotated[str, _describe("that wrote both")]
    model: Annotated[str, _describe("that wrote the second")]
    gpu: Annotated[str, _describe("where both were judged, or `interpreter`")]
    sample: Annotated[int, _describe("which of those side by side in a round")]
    by_parent: Annotated[
        bool,
        _describe("the second names the first as its parent; otherwise it is the next in its line"),
    ]
    factor: Annotated[
        float | None, _describe("speedup after by speedup before, where both have times")
    ]
    noise_floor: Annotated[
        float | None,
        _describe(
            "share by which speedups of identical code differ on that GPU; null where unknown"
        ),
    ]
    before: Annotated[TransitionSide, _describe("the first kernel")]
    after: Annotated[
        TransitionSide, _describe("the second kernel, with the same fields as the first")
    ]
    diff: Annotated[str, _describe("unified difference of both sources")]
