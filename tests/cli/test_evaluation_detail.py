import io
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from kernelbenchx.cli.evaluation_detail import print_result
from kernelbenchx.core.environment import Isolation
from kernelbenchx.core.evaluation import Evaluation, KernelFacts
from kernelbenchx.core.huge import HugeResult, HugeState, make_not_judged
from kernelbenchx.core.outcome import Finding, Reason, Rejected, Stage, Void, Wrong
from kernelbenchx.core.performance import Failed, LeftOut, Unmeasured
from kernelbenchx.core.rules import KernelBenchRule, Rules, make_failed_rule, make_unknown_rule
from kernelbenchx.core.scale import failed_at_huge_call
from kernelbenchx.core.submission import Origin
from kernelbenchx.store.evaluation_lookup import Row, StoredEvaluation
from ruled import BOTH, LOOSE, kernelbench
from samples import LARGE, evaluation, on_a_card, timed


def _printed(one: Evaluation, width: int = 120, older: tuple[Row, ...] = ()) -> str:
    console = Console(file=io.StringIO(), width=width, highlight=False)
    print_result(StoredEvaluation(Path("runs/x"), "abcdef" * 8, "2026-01-02", one, older), console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def _facts(said: str) -> dict[str, str]:
    pairs = (line.partition("  ") for line in said.splitlines()[1:])
    return {name.strip(): rest.strip() for name, _, rest in pairs}


def test_a_timed_kernel_is_shown_from_verdict_to_registers() -> None:
    said = _printed(on_a_card(evaluation("mine", performance=timed())))
    assert said.startswith("mine  activation/relu  correct\n")
    facts = _facts(said)
    assert facts["why"] == "4 cases, worst error 0.50 of the budget"
    assert facts["composition"] == "pure"
    assert facts["provenance"].startswith("isolation L3; torch 2.13, triton 3.7.1")
    assert facts["kept"] == "runs/x, key abcdefabcd, 2026-01-02, seed 5"
    assert LARGE in said and "1.25x [1.23, 1.27]" in said
    assert "_relu          32       0       0  sm_90" in said
    assert "provisional" not in said


def test_published_sizes_and_those_left_out_are_shown() -> None:
    left_out = (LeftOut(case="n=4", why="eager takes 80 ms"),)
    times = msgspec.structs.replace(timed(), left_out=left_out)
    one = msgspec.structs.replace(on_a_card(evaluation(performance=times)), sizes="published")
    facts = _facts(_printed(one, width=200))
    assert facts["left out"] == "n=4: eager takes 80 ms"
    assert "timed at published sizes" in facts["provenance"]
    assert "sizes" not in _facts(_printed(on_a_card(evaluation(performance=timed()))))["provenance"]


def test_without_times_there_is_no_clock_but_all_that_was_found() -> None:
    one = msgspec.structs.replace(
        evaluation(),
        findings=(Finding(rule="state", line=7, why="a global is kept", fatal=False),),
        flags=("race: _relu",),
        isolation=Isolation(level="L1", missing=("seccomp",)),
        checks=False,
        origin=Origin(model="some model", round="2"),
        kernels=(KernelFacts(name="k", ok=False, target="sm_90", error="no [such] name", line=3),),
    )
    said = _printed(one)
    facts = _facts(said)
    assert facts["remark"] == "state, line 7: a global is kept"
    assert facts["flag"] == "race: _relu"
    assert facts["origin"] == "model some model, round 2"
    for words in ("missing: seccomp", "checks switched off", "provisional: the interpreter"):
        assert words in facts["provenance"]
    assert "sm_90: line 3: no [such] name" in said
    looked_at = msgspec.structs.replace(one, stage=Stage.CHECK)
    assert "provisional" not in _facts(_printed(looked_at))["provenance"]
    assert "GB/s" not in said and "tier" not in said


@pytest.mark.parametrize(
    ("performance", "words"),
    [
        (
            Failed(case="n=3", reason=Reason.STALE, detail="as before", trick="a cache"),
            ("scale", "failed at n=3: stale: as before; looks like a cache"),
        ),
        (
            Unmeasured(reason=Reason.IMPOSSIBLE, detail="9 TB/s", case="n=3"),
            ("times", "unmeasured, impossible: 9 TB/s [n=3]"),
        ),
    ],
)
def test_missing_times_have_a_reason(
    performance: Failed | Unmeasured, words: tuple[str, str]
) -> None:
    said = _printed(on_a_card(evaluation(performance=performance)))
    facts = _facts(said)
    assert words in facts.items()
    assert said.splitlines()[0].endswith(
        "failed at scale" if isinstance(performance, Failed) else "correct"
    )
    assert facts["why"] == "4 cases, worst error 0.50 of the budget"
    assert facts["GPU"] == "NVIDIA H200"


def test_a_failure_before_the_first_timed_case_names_none() -> None:
    failed = Failed(case="", reason=Reason.CRASH, detail="killed by SIGSEGV")
    facts = _facts(_printed(on_a_card(evaluation(performance=failed))))
    assert facts["scale"] == "failed before the first timed case: crash: killed by SIGSEGV"


def test_a_timed_kernel_passed_at_scale_and_one_without_times_says_nothing_of_it() -> None:
    assert _facts(_printed(on_a_card(evaluation(performance=timed()))))["scale"].startswith(
        "passed: "
    )
    assert "scale" not in _facts(_printed(evaluation()))


@pytest.mark.parametrize(
    ("huge", "words"),
    [
        (
            HugeResult(state=HugeState.PASSED, case="n=9", slices=17),
            "passed beyond 2^31 elements at n=9: 17 slices right",
        ),
        (
            make_not_judged("it needs 17 GB, 3 GB are free on the GPU", "n=9"),
            "not judged beyond 2^31 elements at n=9: it needs 17 GB, 3 GB are free on the GPU",
        ),
    ],
)
def test_the_huge_call_has_a_line_with_the_reason(huge: HugeResult, words: str) -> None:
    performance = msgspec.structs.replace(timed(), huge=huge)
    assert _facts(_printed(on_a_card(evaluation(performance=performance))))["huge"] == words


def test_a_failed_huge_call_is_a_failure_at_scale() -> None:
    failed = HugeResult(state=HugeState.FAILED, case="n=9", reason=Reason.CRASH, detail="gone")
    one = evaluation(performance=failed_at_huge_call(timed(), failed))
    facts = _facts(_printed(on_a_card(one)))
    assert facts["scale"] == "failed at n=9: crash: gone"
    assert facts["huge"] == "failed beyond 2^31 elements, right at the timed sizes"


def test_without_a_gpu_the_reason_is_said() -> None:
    said = _facts(_printed(evaluation()))["huge"]
    assert said.startswith("not judged beyond 2^31 elements: only judged on a GPU")


def test_variants_alike_are_one_row_and_what_did_not_compile_has_no_numbers() -> None:
    plain = KernelFacts(name="k", ok=True, target="sm_90", registers=32)
    large = KernelFacts(name="k", ok=True, target="sm_90", error="too much shared", line=3)
    other = msgspec.structs.replace(plain, registers=40)
    said = _printed(msgspec.structs.replace(evaluation(), kernels=(plain, plain, large, other)))
    rows = [line.split() for line in said.splitlines() if line.startswith("k ")]
    assert rows == [
        ["k", "(2", "variants)", "32", "0", "0", "sm_90"],
        ["k", "sm_90:", "line", "3:", "too", "much", "shared"],
        ["k", "40", "0", "0", "sm_90"],
    ]


def test_older_evaluations_of_the_name_are_listed_with_their_keys() -> None:
    rows = tuple(
        Row(f"{n}" * 64, "activation/relu", "one", "wrong", f"2026-01-0{n}") for n in range(1, 8)
    )
    said = _printed(evaluation(), older=rows[:2])
    assert "older        1111111111 (wrong, 2026-01-01); 2222222222 (wrong, 2026-01-02) " in said
    assert "5555555555 (wrong, 2026-01-05); …" in _printed(evaluation(), 200, older=rows)
    assert "older" not in _printed(evaluation())


def test_a_rejected_kernel_shows_every_finding() -> None:
    found = tuple(Finding(rule=f"rule{n}", line=n, why="no") for n in range(1, 5))
    said = _printed(evaluation(outcome=Rejected(findings=found)))
    assert [f"rule{n}, line {n}: no" in said for n in range(1, 5)] == [True] * 4


def test_of_a_file_that_was_not_judged_nothing_is_said_of_what_it_is_made_of() -> None:
    void = Void(reason=Reason.UNSUPPORTED, detail="CUDA is not compiled here")
    said = _facts(_printed(evaluation(outcome=void)))
    assert said["why"].startswith("unsupported: CUDA") and "composition" not in said
    wrong = Wrong(case="n=3", reason=Reason.BAD_VALUES, detail="far")
    assert _facts(_printed(evaluation(outcome=wrong)))["composition"] == "pure"


@pytest.mark.parametrize("width", [80, 100, 160])
def test_nothing_sticks_out(width: int) -> None:
    wrong = Wrong(case="x" * 200, reason=Reason.BAD_VALUES, detail="far " * 50)
    for one in (evaluation("n" * 90, wrong), on_a_card(evaluation(performance=timed()))):
        assert max(map(len, _printed(one, width).splitlines())) <= width


def test_core_times_are_labelled_in_every_line() -> None:
    wrong = Wrong(case="n=3", reason=Reason.BAD_VALUES, detail="far")
    left_out = (LeftOut(case="n=9", why="timed_wrong: out[0] is 1, expected 2"),)
    found = msgspec.structs.replace(timed(), left_out=left_out)
    one = on_a_card(evaluation("mine", outcome=wrong))
    said = _printed(msgspec.structs.replace(one, core_performance=found))
    facts = _facts(said)
    assert facts["core over eager"].startswith("1.25x [1.23, 1.27] faster")
    assert facts["core left out"] == "n=9: timed_wrong: out[0] is 1, expected 2"
    assert "over eager" not in facts and "scale" not in facts
    assert "core times: the submission is not correct" in said and LARGE in said
    right = _facts(_printed(on_a_card(evaluation("mine", performance=timed()))))
    assert "over eager" in right and not any(name.startswith("core ") for name in right)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (kernelbench(BOTH), "1e-2 and 1e-4"),
        (kernelbench(LOOSE), "passes at 1e-2"),
        (make_failed_rule(Reason.RUNTIME_ERROR, "ValueError: no"), "fails: ValueError: no"),
        (make_unknown_rule("no memory left"), "not known: no memory left"),
        (None, ""),
    ],
)
def test_what_kernelbenchs_rule_says_stands_beside_our_verdict(
    call: KernelBenchRule | None, said: str
) -> None:
    wrong = Wrong(case="c", reason=Reason.BAD_VALUES, detail="off")
    rules = None if call is None else Rules(kernelbench=call)
    one = msgspec.structs.replace(on_a_card(evaluation(outcome=wrong)), rules=rules)
    facts = _facts(_printed(one, width=200))
    assert facts.get("paper's rule", "").endswith(said) and ("paper's rule" in facts) is bool(said)
    assert facts["why"] == _facts(_printed(on_a_card(evaluation(outcome=wrong))))["why"]
