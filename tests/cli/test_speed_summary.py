import msgspec

from kernelbenchx.cli.speed_summary import compiling, fell_back, summarize_speeds
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Composition, Reason, Wrong
from kernelbenchx.core.performance import (
    COMPILED_WRONG,
    FELL_BACK,
    Failed,
    LeftOut,
    Performance,
    ReferenceCompilation,
    Tier,
    Unmeasured,
)
from samples import evaluation, timed


def _on(task: str, times: Performance, composition: Composition = Composition.PURE) -> Evaluation:
    one = evaluation(task, performance=times)
    return msgspec.structs.replace(one, task=f"math/{task}", composition=composition)


def test_pure_and_mixed_have_means_of_their_own() -> None:
    lines = summarize_speeds(
        [
            _on("add", timed(2.0)),
            _on("div", timed(8.0, tier=Tier.HOST_TIMED)),
            _on("sum", timed(0.5), Composition.MIXED),
        ]
    )
    assert lines[0].startswith("pure: 4.00x [")
    assert "over eager by device time (geometric mean of 2 tasks)" in lines[0]
    assert (
        lines[1] == "pure: 100 % [34, 100] faster than eager, 0 % [0, 66] slower, of 2 to be timed"
    )
    assert lines[2].startswith("mixed: 0.50x over eager")
    assert (
        lines[3] == "mixed: 0 % [0, 79] faster than eager, 100 % [21, 100] slower, of 1 to be timed"
    )
    assert lines[4] == "2 of 3 timed by replaying their compiled kernels"


def _shares(evaluations: list[Evaluation]) -> str:
    return summarize_speeds(evaluations)[1].removeprefix("pure: ")


def test_copies_of_one_kernel_move_no_share() -> None:
    once = [_on("add", timed(2.0)), _on("div", timed(0.5))]
    shares = "50 % [9, 91] faster than eager, 50 % [9, 91] slower"
    assert _shares(once) == f"{shares}, of 2 to be timed"
    copied = once + 8 * [_on("div", timed(0.5))]  # nine slow ones of ten
    assert _shares(copied) == f"{shares}, of 10 to be timed (2 tasks, weighted equally)"
    others = [_on(f"div{number}", timed(0.5)) for number in range(8)]
    counted = "10 % [2, 40] faster than eager, 90 % [60, 98] slower, of 10 to be timed"
    assert _shares(once + others) == counted


def test_shares_are_also_of_what_has_no_time() -> None:
    both = [_on("add", timed(2.0)), _on("div", timed(0.5))]
    failed = Failed(case="n=3", reason=Reason.STALE, detail="")
    lost = Unmeasured(reason=Reason.DISTURBED, detail="")
    without = [_on("sum", failed), _on("gelu", lost)]
    said = "25 % [5, 70] faster than eager, 25 % [5, 70] slower, of 4 to be timed"
    assert _shares(both + without) == said
    wrong = evaluation(outcome=Wrong(case="n=3", reason=Reason.BAD_VALUES, detail=""))
    assert _shares([*both, wrong]) == _shares(both)


def test_sizes_that_are_not_those_of_the_tasks_are_said() -> None:
    left_out = (LeftOut(case="n=4", why="eager takes 80 ms"),)
    times = msgspec.structs.replace(timed(2.0), left_out=left_out)
    published = msgspec.structs.replace(_on("add", times), sizes="published")
    said = "timed at published sizes; 1 that this GPU cannot time was left out"
    assert said in summarize_speeds([published])
    assert not any("sizes" in line for line in summarize_speeds([_on("add", timed(2.0))]))


def test_every_baseline_has_its_line() -> None:
    lines = summarize_speeds([_on("add", timed(2.0, baselines=("eager", "compile")))])
    assert [line.partition(" by ")[0] for line in lines[:4:2]] == [
        "pure: 2.00x over eager",
        "pure: 2.00x over compile",
    ]
    assert ["eager" in line for line in lines[1:4:2]] == [True, False]


def test_what_has_no_time_is_counted_with_its_reason() -> None:
    failed = Failed(case="n=3", reason=Reason.STALE, detail="")
    lost = Unmeasured(reason=Reason.DISTURBED, detail="")
    lines = summarize_speeds([evaluation(performance=failed), evaluation(performance=lost)])
    assert lines[0].startswith("1 failed at scale (1 stale): right on the check cases")
    assert lines[1].startswith("1 unmeasured (1 disturbed): not scored")


def test_nothing_is_said_where_no_times_were_asked_for() -> None:
    assert summarize_speeds([evaluation()]) == []


def test_times_of_different_cards_have_no_mean() -> None:
    other = timed()
    other = msgspec.structs.replace(other, gpu=msgspec.structs.replace(other.gpu, name="A100"))
    lines = summarize_speeds([_on("add", timed()), _on("add", other)])
    assert lines[0] == "times of A100 and NVIDIA H200 are not pooled: no mean"


def _flagged(task: str, flag: str) -> Evaluation:
    times = timed(2.0, baselines=("eager", "compile"))
    cases = tuple(msgspec.structs.replace(case, flags=(flag,)) for case in times.cases)
    return _on(task, msgspec.structs.replace(times, cases=cases))


def test_it_is_said_where_torch_compile_is_eager_or_wrong() -> None:
    back = [_flagged(task, FELL_BACK) for task in ("div", "add", "add")]
    lines = summarize_speeds([*back, _flagged("sum", f"{COMPILED_WRONG}: x[0] is 1")])
    remark = f"= {FELL_BACK} (math/add, math/div)"
    assert remark in lines
    assert remark not in summarize_speeds(back, marked=False)
    assert f"{COMPILED_WRONG}, no comparison with it: math/sum" in lines
    assert not any("torch.compile" in line for line in summarize_speeds([_on("add", timed(2.0))]))


def test_runs_that_say_it_in_older_words_are_marked_too() -> None:
    for flag, back in (
        (FELL_BACK, True),
        ("torch compiled nothing: compile is eager", True),
        ("torch compiled nothing: eager behind torch.compile's wrapper", True),
        (f"{COMPILED_WRONG}: x[0] is 1", False),
    ):
        assert fell_back(_flagged("add", flag).performance) is back


def _compiled(task: str, *, kept: bool = False, fell_back: bool = False) -> ReferenceCompilation:
    seconds = 0.0 if kept else 10.4
    return ReferenceCompilation(task=task, seconds=seconds, cases=2, fell_back=fell_back, kept=kept)


def test_what_compiling_took_is_said_apart() -> None:
    assert compiling([]) == []
    assert compiling([_compiled("a"), _compiled("b")]) == [
        "torch.compile: 2 tasks, 21 s of compiling in the background"
    ]
    (line,) = compiling([_compiled("a", fell_back=True), _compiled("b", kept=True)])
    assert line == (
        "torch.compile: 2 tasks, 10 s of compiling in the background, 1 compiled here before, "
        "1 fell back to eager"
    )
