"""Times and use of the card in words."""

import msgspec

from generate.recorded_failures import recorded
from kernelbenchx.core.evaluation import KernelFacts
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Comparison, Failed, KernelShare, SpeedClass, Timed
from kernelbenchx.generate.error_hints import LONGEST
from kernelbenchx.generate.speed_description import profile_words, scale_words, time_words

SLOW = recorded("timed_slow")
KERNEL = KernelFacts(name="_k", ok=True, target="sm_90", registers=40)


def test_every_timed_case_has_a_line_and_all_together_one() -> None:
    lines = time_words(SLOW.evaluation, SLOW.statement)
    timed = SLOW.evaluation.performance
    assert isinstance(timed, Timed)
    assert len(lines) == len(timed.cases) + 2
    assert all(line.startswith("- shape=") for line in lines[1:-1])


def test_without_times_there_is_nothing_to_say() -> None:
    one = recorded("correct")
    assert time_words(one.evaluation, one.statement) == []
    assert "GB/s" not in " ".join(profile_words(one.evaluation, one.statement))


def _failed(reason: Reason, detail: str, case: str = "shape=(64,65536),norm=ortho") -> str:
    failed = Failed(case=case, reason=reason, detail=detail)
    one = msgspec.structs.replace(SLOW.evaluation, performance=failed)
    assert time_words(one, SLOW.statement) == []
    return "\n".join(scale_words(one.scale, SLOW.statement))


def test_a_timed_call_that_failed_is_decoded_as_every_other() -> None:
    said = "RuntimeError: Triton Error [CUDA]: an illegal memory access was encountered"
    assert _failed(Reason.RUNTIME_ERROR, said) == (
        "Failing input: shape=(64, 65536), norm=ortho\n"
        f"{said}\n"
        "Hint: a kernel read or wrote outside its tensors: check the mask and the strides of every "
        "load and store, also for sizes that are no multiple of the block."
    )
    assert "Hint" not in _failed(Reason.TIMEOUT, "Hung: no answer within 60 s")
    assert "()" not in _failed(Reason.CRASH, "Gone: the process ended", case="")
    assert len(_failed(Reason.RUNTIME_ERROR, "ValueError: " + "x" * 5000)) < LONGEST + 200


def test_a_wrong_answer_while_timed_says_which_element_with_few_digits() -> None:
    detail = "out[3, 70000] is 0.0, expected 1.23456789; 7 of 9 elements"
    text = _failed(Reason.TIMED_WRONG, detail)
    assert "out[3, 70000] is 0.0, expected 1.235; 7 of 9 elements" in text
    assert "1.23456" not in text
    for reason in (Reason.LATE, Reason.STALE):
        assert "expected" not in _failed(reason, detail)


def test_a_case_that_is_mostly_launching_is_marked() -> None:
    said = "a caller waits longer for the launch"
    assert said not in " ".join(time_words(SLOW.evaluation, SLOW.statement)), "1.25 ms is no launch"
    timed = SLOW.evaluation.performance
    assert isinstance(timed, Timed)
    device, call = timed.cases[0].comparisons
    quick = msgspec.structs.replace(device, candidate_us=call.candidate_us / 3)
    case = msgspec.structs.replace(timed.cases[0], comparisons=(quick, call))
    changed = msgspec.structs.replace(
        SLOW.evaluation, performance=msgspec.structs.replace(timed, cases=(case,))
    )
    assert said in time_words(changed, SLOW.statement)[1]


def test_the_limit_is_what_the_measured_peaks_give() -> None:
    timed = SLOW.evaluation.performance
    assert isinstance(timed, Timed)
    case = timed.cases[1]
    mine = case.comparisons[0].candidate_us
    assert case.efficiency.score * mine > case.efficiency.roofline_us > 0
    words = time_words(SLOW.evaluation, SLOW.statement)[2]
    assert f"the GPU's limit {case.efficiency.score * mine:.3g} us" in words


def test_torch_compile_is_named_where_it_was_measured() -> None:
    timed = SLOW.evaluation.performance
    assert isinstance(timed, Timed)
    assert "torch.compile" not in " ".join(time_words(SLOW.evaluation, SLOW.statement))
    first: Comparison = timed.cases[0].comparisons[0]
    other = msgspec.structs.replace(
        first, baseline="compile", speedup=0.5, speed_class=SpeedClass.SLOWER
    )
    case = msgspec.structs.replace(timed.cases[0], comparisons=(first, other))
    changed = msgspec.structs.replace(
        SLOW.evaluation, performance=msgspec.structs.replace(timed, cases=(case,))
    )
    assert "torch.compile" in time_words(changed, SLOW.statement)[1]


def test_the_variant_of_a_kernel_that_needs_most_is_told() -> None:
    variants = (
        KERNEL,
        msgspec.structs.replace(KERNEL, registers=250, shared_bytes=1024),
        msgspec.structs.replace(KERNEL, registers=255, ok=False),
    )
    one = msgspec.structs.replace(recorded("correct").evaluation, kernels=variants)
    lines = profile_words(one, SLOW.statement)
    assert lines[0] == "Compiled for sm_90:"
    assert lines[1:] == [
        "- _k: up to 250 registers per thread (many: few programs fit on the GPU at once), "
        "1024 bytes of shared memory"
    ]


def test_spills_are_told_with_what_helps() -> None:
    spilled = msgspec.structs.replace(KERNEL, spills=12)
    one = msgspec.structs.replace(recorded("correct").evaluation, kernels=(spilled,))
    assert "12 more spilled to memory (smaller blocks" in profile_words(one, SLOW.statement)[1]
    kept = msgspec.structs.replace(one, kernels=(KERNEL,))
    assert "spilled" not in profile_words(kept, SLOW.statement)[1]


def test_what_limits_a_kernel_is_named_where_it_is_near() -> None:
    timed = SLOW.evaluation.performance
    assert isinstance(timed, Timed)

    def said(memory: float, arithmetic: float) -> str:
        use = msgspec.structs.replace(timed.cases[0].efficiency, iou=memory, mfu=arithmetic)
        case = msgspec.structs.replace(timed.cases[0], efficiency=use)
        changed = msgspec.structs.replace(timed, cases=(case,))
        one = msgspec.structs.replace(SLOW.evaluation, performance=changed)
        return profile_words(one, SLOW.statement)[1]

    assert said(0.2, 0.1).endswith("; memory is the limit")
    assert said(0.1, 0.2).endswith("; arithmetic is the limit")
    assert "; neither is the limit: latency" in said(0.19, 0.19)


def test_where_the_time_goes_is_part_of_the_profile() -> None:
    timed = SLOW.evaluation.performance
    assert isinstance(timed, Timed)
    assert "takes" not in " ".join(profile_words(SLOW.evaluation, SLOW.statement))
    parts = [
        KernelShare(name=f"_k{n}", launches=n + 1, share=0.9 if n == 0 else 0.005) for n in range(9)
    ]
    case = msgspec.structs.replace(timed.cases[0], kernel_shares=tuple(parts))
    changed = msgspec.structs.replace(
        SLOW.evaluation, performance=msgspec.structs.replace(timed, cases=(case,))
    )
    line = profile_words(changed, SLOW.statement)[1]
    assert "; of the time _k0 takes 90%, _k1 takes under 1% in 2 launches" in line
    assert "_k4" in line and "_k5" not in line
