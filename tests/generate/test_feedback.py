"""What authors read about kernels that failed, on evaluations of real ones."""

import json
import re

import msgspec
import pytest

from generate.recorded_failures import NAMES, recorded
from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.outcome import Broken, CaseState, Reached, Reason, Stage, Void
from kernelbenchx.core.performance import Failed, Unmeasured
from kernelbenchx.generate.error_hints import LONGEST
from kernelbenchx.generate.feedback import FeedbackKinds, feedback, summary

NOTHING = FeedbackKinds(errors=False, answers=False, times=False, profile=False)
OURS = re.compile(r"bad_values|witness|mutant|ablation|contract|judge|outcome|verdict|worker|L3")
"""Words that mean nothing to whoever only knows the task."""


def said(name: str, told: FeedbackKinds | None = None) -> str:
    one = recorded(name)
    return feedback(one.evaluation, one.source, one.statement, told)


@pytest.mark.parametrize("name", NAMES)
def test_feedback_is_short_and_has_no_word_of_ours(name: str) -> None:
    text = said(name)
    assert 20 < len(text) < 2000
    assert len(text.splitlines()) <= 20
    assert OURS.findall(text) == []
    assert "\n\n\n" not in text


@pytest.mark.parametrize("name", NAMES)
def test_no_case_is_named_as_the_task_names_it(name: str) -> None:
    one = recorded(name)
    text = said(name)
    assert [case.case for case in one.evaluation.cases if case.case in text] == []


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_told_where_nothing_is_to_be_told(name: str) -> None:
    assert said(name, NOTHING) == ""


def test_a_compiler_message_stands_under_its_line() -> None:
    text = said("compile_error")
    assert text.startswith("Result: a kernel does not compile.\n\nTests passed: 1 of ")
    assert (
        "\n\n"
        "    11 |     parts = [tl.where(x < 0, 0.0, x), x]\n"
        ">   12 |     y = sum(parts) - x\n"
        "       |         ^\n"
        "    13 |     tl.store(y_ptr + offsets, y, mask=mask)\n"
        "relu_kernel: NameError: sum is not defined\n\n"
    ) in text


def test_messages_of_the_compiler_that_puzzle_have_a_hint() -> None:
    hint = "Hint: acc must keep its type through the loop: begin with fp32, or convert to fp16"
    assert hint in said("loop_type")
    assert "Hint: the shapes of two blocks do not fit" in said("shapes_apart")
    assert "Hint" not in said("compile_error")


def test_a_compiler_message_from_a_card_is_found_in_the_source() -> None:
    one = recorded("compile_error")
    shown = "\n".join(one.source.splitlines()[8:12])
    detail = f"CompilationError: at 6:8:\n{shown}\n        ^\nNameError('sum is not defined')"
    broken = Broken(stage=Stage.CALL, reason=Reason.COMPILE_ERROR, detail=detail, line=19)
    text = feedback(
        msgspec.structs.replace(one.evaluation, outcome=broken), one.source, one.statement
    )
    assert ">   12 |     y = sum(parts) - x\n       |         ^\n" in text
    assert "NameError: sum is not defined" in text
    assert "at 6:8" not in text


def test_an_error_is_quoted_explained_and_placed() -> None:
    text = said("not_a_power_of_two")
    assert ">    8 |     offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)" in text
    assert "Hint: sizes of blocks are powers of two" in text
    assert re.search(r"It happened with shape=\([\d, ]+\), dtype=\w+", text)


def test_an_access_outside_says_which_element_of_which_tensor() -> None:
    text = said("out_of_bounds")
    assert text.startswith("Result: a kernel reaches outside a tensor.")
    assert re.search(
        r">   10 [^\n]*\n +11 [^\n]*\nload outside the tensor: element \d+ of x_ptr", text
    )
    assert "Hint: mask this access" in text


def test_a_wrong_answer_says_where_how_many_and_how_far() -> None:
    text = said("wrong_tail")
    assert re.search(r"Tests passed: \d+ of \d+\n", text)
    assert re.search(r"Failing input: shape=\([\d, ]+\), dtype=\w+", text)
    assert re.search(r"Wrong elements: \d+ of \d+; NaN in every wrong element, only in the", text)
    assert re.search(r"Worst: out\[[\d, ]+\] is nan, expected \S+$", text, re.M)


def test_a_factor_is_told() -> None:
    text = said("wrong_factor")
    assert re.search(r"off by the factor 0\.\d+", text)
    assert re.search(r"[\d.e+]+ times the error that is allowed", said("wrong_tf32"))


def test_what_the_failing_inputs_have_in_common_is_told() -> None:
    one = recorded("wrong_layout")
    cases = tuple(
        msgspec.structs.replace(
            case, state=CaseState.WRONG if "expanded" in case.case else CaseState.PASSED
        )
        for case in one.evaluation.cases
    )
    evaluation = msgspec.structs.replace(one.evaluation, cases=cases)
    text = feedback(evaluation, one.source, one.statement)
    assert "All failing inputs, and no other, have layout=expanded" in text
    assert "All failing inputs" not in said("wrong_tail")


def test_the_pattern_comes_first_then_one_example() -> None:
    text = said("fails_layout")
    pattern = re.search(
        r"Pattern: core correct; fails layout \d+ of \d+, combined \d+ of \d+\n", text
    )
    assert pattern and text.startswith("Result: wrong values.\n\nTests passed: ")
    assert "(core: contiguous tensors in the main dtypes" in text
    assert re.search(
        r"\d of 6 failing inputs have layout=expanded; none of \d+ that pass\n\n", text
    )
    assert text.index("Pattern: ") < text.index("Failing input: ")
    assert "Pattern" not in said("load_error"), "nothing was called"


def test_a_kernel_that_raises_in_some_calls_has_a_pattern_too() -> None:
    one = recorded("fails_layout")
    raised = Broken(stage=Stage.CALL, reason=Reason.RUNTIME_ERROR, detail="ValueError: x", line=17)
    broken = msgspec.structs.replace(one.evaluation, outcome=raised)
    text = feedback(broken, one.source, one.statement)
    assert re.match(
        r"Result: a call raised an error\.\n\nTests passed: \d+ of \d+\nPattern: core", text
    )
    assert feedback(broken, one.source, one.statement, FeedbackKinds(errors=False)) == ""


def test_a_dtype_says_what_came_and_what_was_expected() -> None:
    assert re.search(
        r"out has dtype torch\.float32, expected torch\.b?float16", said("wrong_dtype")
    )


def test_tf32_is_named_as_the_likely_cause() -> None:
    assert 'input_precision="ieee"' in said("wrong_tf32")
    assert "input_precision" not in said("wrong_factor")


def test_a_race_names_kernel_and_tensor() -> None:
    hint = "the same elements (relu_kernel write-write of y_ptr): use atomics"
    assert hint in said("race")
    assert "use atomics" not in said("wrong_tail")


def test_a_rule_is_quoted_at_its_line() -> None:
    text = said("no_kernel")
    assert "Line 6: no @triton.jit kernel in the file." in text
    assert ">    6 | def relu(input, inplace=False):" in text
    assert "must define `relu`" in said("no_entry")


def test_a_reply_without_a_program_is_asked_for_one() -> None:
    assert "The reply held no program" in said("no_program")
    assert "The reply held no program" not in said("not_python")


def test_a_right_answer_that_torch_helped_with_says_so() -> None:
    assert re.search(r"PyTorch computes a part of it.*\n.*\n>   15 \|", said("mixed"))
    assert "PyTorch" not in said("correct")


def test_times_stand_against_pytorch_and_the_limit() -> None:
    text = said("timed_slow")
    line = next(line for line in text.splitlines() if line.startswith("- shape=(4194304,)"))
    found = re.search(
        r"yours [\d.]+ ms, the GPU's limit [\d.]+ us \(0\.\d+x\), PyTorch [\d.]+ us \(0\.\d+x\)",
        line,
    )
    assert found
    assert re.search(r"Overall 0\.\d\dx PyTorch's speed: slower than PyTorch\.", text)
    assert "faster than PyTorch" in said("timed_fast")


def test_each_kind_is_switched_alone() -> None:
    only_times = NOTHING.__class__(errors=False, answers=False, times=True, profile=False)
    only_profile = NOTHING.__class__(errors=False, answers=False, times=False, profile=True)
    assert said("timed_slow", only_times).startswith("Time per call on NVIDIA H200")
    assert "GB/s" not in said("timed_slow", only_times)
    assert said("timed_slow", only_profile).startswith("Use of the GPU")
    assert "PyTorch" not in said("timed_slow", only_profile)
    assert said("wrong_tail", only_times) == ""
    assert said("compile_error", FeedbackKinds(errors=False)) == ""
    assert said("wrong_tail", FeedbackKinds(answers=False)) == ""
    assert "16 registers per thread" in said("correct", only_profile)


def test_a_failure_while_timed_is_told_and_a_missing_time_is_nobodys_fault() -> None:
    one = recorded("timed_tie")
    case = one.evaluation.cases[0].case
    failed = Failed(case=case, reason=Reason.STALE, detail="the answer of an earlier call")
    unmeasured = Unmeasured(reason=Reason.DISTURBED, detail="another process used the card")
    texts = [
        feedback(
            msgspec.structs.replace(one.evaluation, performance=performance), "", one.statement
        )
        for performance in (failed, unmeasured)
    ]
    assert "on a large one a call returned the answer of an earlier call" in texts[0]
    assert "Failing input: shape=" in texts[0] and "correct" not in texts[0]
    assert "another process" not in texts[1]
    assert "says nothing about the kernel" in texts[1]


def test_a_long_message_is_cut() -> None:
    one = recorded("runtime_error")
    broken = msgspec.structs.replace(one.evaluation.outcome, detail="ValueError: " + "7" * 9999)
    text = feedback(
        msgspec.structs.replace(one.evaluation, outcome=broken), one.source, one.statement
    )
    assert len(text) < LONGEST + 800


def test_a_timeout_names_its_limit_and_the_input_under_way() -> None:
    text = said("timeout")
    assert "not finished within the CPU time limit of 5 s\n" in text
    assert "It happened with shape=" in text


def test_a_failure_has_the_same_words_every_time() -> None:
    one = recorded("correct")
    detail = "not finished within the time limit (60.1 s); last words: <object at 0xffff6d8da350>"
    broken = Broken(stage=Stage.CALL, reason=Reason.TIMEOUT, detail=detail)
    slow = msgspec.structs.replace(one.evaluation, outcome=broken)
    text = feedback(slow, one.source, one.statement)
    assert "within the time limit; last words: <object at 0x...>" in text


def test_a_fault_of_the_evaluator_is_not_told_as_the_kernels() -> None:
    one = recorded("correct")
    void = msgspec.structs.replace(
        one.evaluation, outcome=Void(reason=Reason.EVALUATOR, detail="the disk is full")
    )
    assert feedback(void, one.source, one.statement) == ""
    reached = msgspec.structs.replace(one.evaluation, outcome=Reached(stage=Stage.CALL))
    assert feedback(reached, one.source, one.statement) == (
        "Result: it runs; its answers were not compared."
    )


def test_what_only_a_gpu_can_check_is_told_in_the_same_words_every_time() -> None:
    one = recorded("correct")
    asm = Void(reason=Reason.NOT_INTERPRETABLE, detail="inline assembly needs a GPU, line 6")
    evaluation = msgspec.structs.replace(one.evaluation, outcome=asm)
    assert feedback(evaluation, one.source, one.statement) == (
        "Result: not checked: a kernel uses what cannot be checked without a GPU.\n\n"
        "inline assembly needs a GPU, line 6"
    )
    assert feedback(evaluation, one.source, one.statement, NOTHING) == ""
    slow = Void(reason=Reason.TOO_SLOW, detail="512 programs in 240 s of CPU time")
    evaluation = msgspec.structs.replace(one.evaluation, outcome=slow)
    assert "240" not in feedback(evaluation, one.source, one.statement)


@pytest.mark.parametrize("name", NAMES)
def test_a_summary_is_one_line(name: str) -> None:
    one = recorded(name)
    line = summary(one.evaluation)
    assert line
    assert "\n" not in line
    assert json.dumps(line).isascii()


def test_a_summary_has_the_speed_where_there_is_one() -> None:
    assert summary(recorded("timed_fast").evaluation).startswith("correct, 7.")
    assert summary(recorded("correct").evaluation) == "correct"


def test_what_was_not_measured_is_said_and_not_left_out() -> None:
    assert recorded("mixed").evaluation.performance is None
    assert said("mixed").endswith("Times and use of the GPU: not measured.")
    assert "not measured" not in said("mixed", FeedbackKinds(times=False, profile=False))
    assert "not measured" not in said("timed_slow")


def test_weights_that_do_not_fit_are_named() -> None:
    outcome = Void(reason=Reason.WEIGHTS, detail="gemm.weight: (3, 5) does not fit (5, 3)")
    one = msgspec.structs.replace(recorded("correct").evaluation, outcome=outcome)
    stated = statement("level2/gemm_multiply_leaky_relu")
    told = feedback(one, "x = 1", stated)
    assert "the weights of the module cannot be loaded into it" in told
    assert "gemm.weight: (3, 5) does not fit (5, 3)" in told
    assert feedback(one, "x = 1", stated, FeedbackKinds(errors=False)) == ""
