import subprocess
import sys
from dataclasses import dataclass
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kernelbenchx
from kernelbenchx import rewards
from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.huge import HugeResult, HugeState
from kernelbenchx.core.outcome import (
    Broken,
    CaseResult,
    CaseState,
    Composition,
    Outcome,
    Reached,
    Reason,
    Rejected,
    Stage,
    Void,
    Wrong,
)
from kernelbenchx.core.performance import (
    COMPILED_WRONG,
    FELL_BACK,
    Failed,
    Performance,
    SpeedClass,
    Tier,
    Timed,
    Unmeasured,
)
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.scopes import Scope
from kernelbenchx.rewards import Reward, RewardReason, RewardScheme, find_speedup_limit, reward
from samples import evaluation, on_a_card, timed

REJECTED = Rejected(findings=())
BROKEN = Broken(stage=Stage.CALL, reason=Reason.CRASH, detail="")
WRONG = Wrong(case="x", reason=Reason.BAD_VALUES, detail="")
FAILED = Failed(case="x", reason=Reason.TIMED_WRONG, detail="")
FAR = 1e-9
"""A limit in microseconds that nothing comes near."""

ENDS = st.tuples(st.floats(1e-3, 1e4), st.floats(1e-3, 1e4)).map(sorted)
NAMES = ("rejected", "broken", "wrong", "failed", "basic", "core", "partial", "correct")
STEPS = (
    st.lists(st.floats(0.0, 1.0), min_size=len(NAMES), max_size=len(NAMES))
    .map(sorted)
    .filter(lambda steps: steps[-2] < steps[-1])
)
SCHEMES = st.builds(
    lambda steps, share: RewardScheme(**dict(zip(NAMES, steps, strict=True)), least_share=share),
    STEPS,
    st.floats(0.0, 1.0),
)
TELLING = [(Scope.CORE,), (Scope.LAYOUT,), (Scope.DTYPE,), (Scope.LAYOUT, Scope.DTYPE)]


@dataclass(frozen=True)
class Case:
    """Ends of the interval and a limit; the baseline takes 100 us."""

    low: float
    high: float
    limit_us: float = FAR


def _timed(case: Case, tier: Tier = Tier.REPLAY) -> Timed:
    made = timed(1.0, tier=tier)
    over = msgspec.structs.replace(made.speedups[0], low=case.low, high=case.high)
    cases = tuple(
        msgspec.structs.replace(
            one, efficiency=msgspec.structs.replace(one.efficiency, roofline_us=case.limit_us)
        )
        for one in made.cases
    )
    return msgspec.structs.replace(made, speedups=(over,), cases=cases)


def _card(
    performance: Performance | None = None,
    outcome: Outcome | None = None,
    composition: Composition = Composition.PURE,
    share: float | None = None,
) -> Evaluation:
    made = on_a_card(evaluation("one", outcome, performance))
    return msgspec.structs.replace(made, composition=composition, kernel_share=share)


def _value(one: Evaluation, scheme: RewardScheme | None = None) -> float:
    found = reward(one, scheme=scheme).value
    assert found is not None
    return found


def _case(scope: str, *, passed: bool = True, trivial: bool = False) -> CaseResult:
    state = CaseState.PASSED if passed else CaseState.WRONG
    needs = () if scope == "core" else (Scope(scope),)
    return CaseResult(f"a case of {scope}", state, needs=needs, trivial=trivial)


def _partly(
    cases: tuple[CaseResult, ...],
    outcome: Outcome = WRONG,
    composition: Composition = Composition.PURE,
) -> Evaluation:
    made = _card(outcome=outcome, composition=composition)
    return msgspec.structs.replace(made, cases=cases)


def test_the_formula() -> None:
    found = reward(_card(_timed(Case(1.5, 1.7))))
    assert found.value == pytest.approx(0.3 + 0.7 * 1.5 / 2.5)
    assert found.upper == pytest.approx(0.3 + 0.7 * 1.7 / 2.7)
    assert found.confidence == pytest.approx(1 - 0.7 * (1.7 / 2.7 - 1.5 / 2.5))
    assert found.reasons == (RewardReason.UNDECIDED,)


@given(ENDS, st.floats(1e-6, 1e4), st.sampled_from(list(Composition)), SCHEMES)
def test_bounded(
    ends: list[float], limit_us: float, composition: Composition, scheme: RewardScheme
) -> None:
    one = _card(_timed(Case(ends[0], ends[1], limit_us)), composition=composition)
    found = reward(one, scheme=scheme)
    assert found.value is not None and found.upper is not None
    assert 0.0 <= found.value <= found.upper <= 1.0
    assert 0.0 <= found.confidence <= 1.0


@given(ENDS, ENDS, SCHEMES)
def test_outcomes_are_ordered(slow: list[float], fast: list[float], scheme: RewardScheme) -> None:
    slower, faster = sorted((slow, fast))
    for composition in (Composition.PURE, Composition.MIXED):
        ladder = [
            _card(outcome=REJECTED, composition=composition),
            _card(outcome=BROKEN, composition=composition),
            _card(outcome=WRONG, composition=composition),
            _card(FAILED, composition=composition),
            _card(_timed(Case(slower[0], max(slower))), composition=composition),
            _card(_timed(Case(faster[0], max(faster))), composition=composition),
        ]
        values = [_value(one, scheme) for one in ladder]
        assert values == sorted(values)


def test_the_order_of_the_default_is_strict_where_it_matters() -> None:
    ladder = [
        _card(outcome=REJECTED),
        _card(outcome=BROKEN),
        _card(outcome=WRONG),
        _card(_timed(Case(0.1, 0.2))),
        _card(_timed(Case(1.1, 1.2))),
        _card(_timed(Case(2.1, 2.2))),
    ]
    values = [_value(one) for one in ladder]
    assert values == sorted(set(values))


@given(st.floats(1e-3, 1e3), st.floats(1.0, 10.0), st.floats(1.0, 10.0))
def test_a_wider_interval_is_never_worth_more(speedup: float, narrow: float, wider: float) -> None:
    sure = Case(speedup / narrow, speedup * narrow)
    unsure = Case(sure.low / wider, sure.high * wider)
    assert _value(_card(_timed(unsure))) <= _value(_card(_timed(sure)))
    assert (
        reward(_card(_timed(unsure))).confidence <= reward(_card(_timed(sure))).confidence + 1e-12
    )


@given(st.floats(1e-3, 1e3), st.floats(1.0, 10.0), st.floats(1.0, 1e3))
def test_beyond_the_limit_nothing_more_is_to_be_had(
    limit: float, least: float, more: float
) -> None:
    limit_us = 100.0 / limit
    at, beyond = Case(limit, limit * 2, limit_us), Case(limit * least * more, 1e9, limit_us)
    assert _value(_card(_timed(beyond))) == pytest.approx(_value(_card(_timed(at))))
    below = Case(limit / 2, limit, limit_us)
    assert _value(_card(_timed(below))) < _value(_card(_timed(at)))


def test_at_the_limit_is_said() -> None:
    assert RewardReason.AT_LIMIT in reward(_card(_timed(Case(2.5, 2.6, 50.0)))).reasons
    assert RewardReason.AT_LIMIT not in reward(_card(_timed(Case(1.5, 2.6, 50.0)))).reasons
    assert find_speedup_limit(_timed(Case(1.0, 1.0, 50.0)), "eager") == pytest.approx(2.0)


def test_without_a_limit_it_is_said() -> None:
    assert find_speedup_limit(_timed(Case(1.0, 1.0, 0.0)), "eager") is None
    assert RewardReason.NO_LIMIT in reward(_card(_timed(Case(2.5, 2.6, 0.0)))).reasons


@pytest.mark.parametrize(
    ("one", "code"),
    [
        (_card(outcome=Void(reason=Reason.EVALUATOR, detail="")), RewardReason.VOID),
        (_card(outcome=Void(reason=Reason.IMPOSSIBLE, detail="")), RewardReason.IMPOSSIBLE),
        (_card(outcome=Reached(stage=Stage.CALL)), RewardReason.NOT_JUDGED),
        (_card(Unmeasured(reason=Reason.DISTURBED, detail="")), RewardReason.UNMEASURED),
        (_card(Unmeasured(reason=Reason.IMPOSSIBLE, detail="")), RewardReason.IMPOSSIBLE),
        (_card(timed(2.0, baselines=("compile",))), RewardReason.NO_BASELINE),
        (_card(_timed(Case(float("nan"), 1.0))), RewardReason.UNMEASURED),
        (_card(_timed(Case(2.0, 1.0))), RewardReason.UNMEASURED),
    ],
)
def test_what_is_not_known_is_no_reward_and_not_zero(one: Evaluation, code: RewardReason) -> None:
    assert reward(one) == Reward(value=None, upper=None, reasons=(code,))
    assert reward(one).confidence == 0.0
    assert _value(_card(outcome=REJECTED)) == 0.0


def test_the_interpreter_pays_for_correctness_only() -> None:
    here = evaluation("one", performance=_timed(Case(50.0, 60.0)))
    found = reward(here)
    assert found.value == RewardScheme().correct
    assert found.upper == 1.0
    assert {RewardReason.PROVISIONAL, RewardReason.NOT_TIMED} <= set(found.reasons)
    there = reward(_card(_timed(Case(50.0, 60.0))))
    assert there.value is not None and there.value > 0.9
    assert RewardReason.PROVISIONAL not in there.reasons


def test_not_timed_is_correctness_only_and_says_so() -> None:
    found = reward(_card())
    assert found.value == RewardScheme().correct
    assert found.reasons == (RewardReason.CORRECT, RewardReason.NOT_TIMED)
    assert found.confidence == pytest.approx(RewardScheme().correct)


def test_mixed_gets_the_share_of_its_kernels_and_says_so() -> None:
    pure = reward(_card(_timed(Case(3.0, 3.1))))
    mixed = reward(_card(_timed(Case(3.0, 3.1)), composition=Composition.MIXED, share=0.5))
    assert pure.value is not None and mixed.value is not None
    assert mixed.value - 0.05 == pytest.approx((pure.value - 0.05) / 2)
    assert RewardReason.MIXED in mixed.reasons
    assert RewardReason.MIXED not in pure.reasons


@pytest.mark.parametrize("share", [0.0, 0.1, None])
def test_where_torch_does_nearly_all_it_earns_as_a_wrong_answer(share: float | None) -> None:
    fast = _card(_timed(Case(9.0, 9.1)), composition=Composition.MIXED, share=share)
    assert _value(fast) == RewardScheme().wrong == _value(_card(outcome=WRONG))
    more = msgspec.structs.replace(fast, kernel_share=0.11)
    assert _value(more) > RewardScheme().wrong


@pytest.mark.parametrize("reason", ["unsupported", "not_interpretable", "too_slow", "weights"])
def test_what_an_author_can_bring_about_earns_as_broken(reason: str) -> None:
    one = _card(outcome=Void(reason=Reason(reason), detail=""))
    assert _value(one) == RewardScheme().broken == _value(_card(outcome=BROKEN))


@given(st.data(), SCHEMES, st.sampled_from([BROKEN, WRONG]), ENDS)
def test_rewards_rise_from_rejected_to_strict(
    data: st.DataObject, scheme: RewardScheme, outcome: Outcome, ends: list[float]
) -> None:
    """Lazy: torch does nearly all. Partial: some core cases, and not all of the first dtype."""

    def tried(needs: tuple[Scope, ...], dtype: str, *, all_pass: bool = False) -> list[CaseResult]:
        passed = [True] if all_pass else data.draw(st.lists(st.booleans(), min_size=1, max_size=4))
        states = (CaseState.WRONG, CaseState.PASSED)
        return [
            CaseResult("n", states[one], needs=needs, dtype=dtype, trivial=False) for one in passed
        ]

    def judged(*cases: list[CaseResult], **facts: object) -> Evaluation:
        made = _partly(tuple(case for some in cases for case in some), outcome)
        return msgspec.structs.replace(made, first_dtype="float32", **facts)

    failed, failed_too = (
        CaseResult("n", CaseState.WRONG, dtype=dtype, trivial=False)
        for dtype in ("float32", "float16")
    )
    others = tried((Scope.LAYOUT,), "float32")
    first, second = (tried((), dtype, all_pass=True) for dtype in ("float32", "float16"))
    half = tried((), "float16")
    mixed = {"composition": Composition.MIXED, "kernel_share": data.draw(st.floats(0, 0.1))}
    lazy = [judged(first, half, others, **mixed), _card(_timed(Case(*ends)))]
    lazy[1] = msgspec.structs.replace(lazy[1], **mixed)
    scheme = msgspec.structs.replace(scheme, least_share=0.1)
    ladder = [
        [_card(outcome=REJECTED)],
        [_card(outcome=BROKEN), _card(outcome=Void(reason=Reason.NOT_INTERPRETABLE, detail=""))],
        lazy,
        [judged([failed], first, half, others)],
        [judged(first, half, [failed_too], others)],
        [judged(first, second, others)],
        [_card(), _card(_timed(Case(*ends)))],
    ]
    values = [[_value(one, scheme) for one in step] for step in ladder]
    assert all(max(low) <= min(high) + 1e-12 for low, high in pairwise(values))


def test_no_kernel_is_worth_what_a_rejected_one_is() -> None:
    """With the source checks off the answer may be right and nobody's kernel."""
    found = reward(_card(_timed(Case(3.0, 3.1)), composition=Composition.NOT_A_KERNEL))
    assert found.value == 0.0
    assert found.reasons[0] is RewardReason.NOT_A_KERNEL


@pytest.mark.parametrize("outcome", [BROKEN, WRONG])
def test_no_kernel_earns_nothing_for_right_cases_either(outcome: Outcome) -> None:
    cases = (_case("core"), _case("layout", passed=False))
    without, with_one = (
        reward(_partly(cases, outcome, composition))
        for composition in (Composition.NOT_A_KERNEL, Composition.PURE)
    )
    assert without.value == 0.0 and without.reasons[0] is RewardReason.NOT_A_KERNEL
    assert with_one.value == pytest.approx(RewardScheme().core)


@pytest.mark.parametrize(
    ("cases", "value"),
    [
        (("core", "core", "-layout"), 0.1),
        (("core", "-core", "layout", "dtype"), 0.0625),
        (("-core", "-core", "layout", "dtype"), 0.05),
        (("core", "layout", "-dtype"), 0.125),
        (("core", "layout", *("layout",) * 7, "-dtype"), 0.125),
        (("core", "-layout", *("layout",) * 3, "-dtype"), 0.11875),
        (("core", "layout", "dtype", "-values?"), 0.15),
        (("core", "layout", "-dtype", "values?"), 0.125),
        (("core?", "-layout", "dtype"), 0.05),
        (("core", "-core?", "layout", "-dtype"), 0.075),
    ],
)
def test_core_first_then_scopes_alike_and_nothing_for_trivial_cases(
    cases: tuple[str, ...], value: float
) -> None:
    """`-` failed, `?` a trivial answer passes it."""
    made = tuple(
        _case(one.strip("-?"), passed=one[0] != "-", trivial=one[-1] == "?") for one in cases
    )
    assert _value(_partly(made)) == pytest.approx(value)


@given(
    st.lists(st.tuples(st.sampled_from(TELLING), st.booleans(), st.booleans()), max_size=12),
    st.sampled_from([Composition.PURE, Composition.MIXED]),
    SCHEMES,
)
def test_partial_stays_below_correct(
    drawn: list[tuple[tuple[Scope, ...], bool, bool]],
    composition: Composition,
    scheme: RewardScheme,
) -> None:
    states = (CaseState.WRONG, CaseState.PASSED)
    cases = tuple(
        CaseResult(f"n={n}", states[passed], needs=needs, trivial=trivial)
        for n, (needs, passed, trivial) in enumerate(drawn)
    )
    partly = _value(_partly(cases, composition=composition), scheme)
    whole = _value(_card(composition=composition), scheme)
    assert scheme.wrong <= partly and (partly < whole or composition is Composition.MIXED)
    assert partly <= scheme.partial < scheme.correct


def test_by_default_partial_is_below_any_correct_one() -> None:
    assert RewardScheme().partial < _value(_card(composition=Composition.MIXED, share=0.5))


def test_mixed_gets_its_share_of_partial_credit() -> None:
    cases = (_case("core"), _case("layout", passed=False))
    pure, mixed = (_partly(cases, composition=one) for one in (Composition.PURE, Composition.MIXED))
    mixed = msgspec.structs.replace(mixed, kernel_share=0.5)
    assert _value(mixed) - RewardScheme().wrong == pytest.approx(
        (_value(pure) - RewardScheme().wrong) / 2
    )


def test_cases_that_torch_answers_are_worth_what_failing_there_is() -> None:
    own = msgspec.structs.replace(_case("core"), case="own", dtype="float32")
    torchs = msgspec.structs.replace(_case("core"), case="torch's", dtype="float16", trivial=None)
    right = _card(composition=Composition.MIXED, share=0.9)
    right = msgspec.structs.replace(right, cases=(own, torchs), first_dtype="float32")
    fallback = msgspec.structs.replace(right, by_torch=("torch's",))
    assert _value(right) > RewardScheme().partial > _value(fallback) == RewardScheme().basic
    assert _value(msgspec.structs.replace(right, by_torch=("own", "torch's"))) == 0.05


def test_core_in_the_first_dtype_comes_before_other_dtypes() -> None:
    def value(*passed: bool) -> float:
        dtypes = ("float32", "float32", "float16", "float16")
        cases = tuple(
            msgspec.structs.replace(_case("core", passed=one), dtype=dtype)
            for one, dtype in zip(passed, dtypes, strict=True)
        )
        return _value(msgspec.structs.replace(_partly(cases), first_dtype="float32"))

    assert value(True, True, False, False) == RewardScheme().basic == 0.075
    assert value(True, False, True, True) == pytest.approx(0.05 + 0.75 * 0.025)
    assert value(True, True, True, False) == pytest.approx(0.075 + 0.5 * 0.025)
    assert value(True, True, True, True) == RewardScheme().core


def test_a_timed_call_that_fails_earns_no_partial_credit() -> None:
    cases = (_case("core"), _case("layout", passed=False))
    one = _partly(cases)
    failed = reward(msgspec.structs.replace(one, core_performance=FAILED))
    assert (
        failed.value == RewardScheme().wrong and failed.reasons[0] is RewardReason.TIMED_CALL_FAILED
    )
    fast = msgspec.structs.replace(one, core_performance=_timed(Case(9.0, 9.1)))
    assert _value(fast) == _value(one)


def test_a_failed_timing_is_worth_no_more_than_a_wrong_answer() -> None:
    found = reward(_card(FAILED))
    assert found.value == _value(_card(outcome=WRONG))
    assert found.reasons == (RewardReason.TIMED_CALL_FAILED,)


def test_what_a_reader_should_know() -> None:
    wall = reward(_card(_timed(Case(3.0, 3.1), Tier.HOST_TIMED)))
    assert RewardReason.HOST_TIMED in wall.reasons
    unchecked = reward(msgspec.structs.replace(_card(_timed(Case(3.0, 3.1))), checks=False))
    assert RewardReason.CHECKS_OFF in unchecked.reasons
    plain = reward(_card(_timed(Case(3.0, 3.1))))
    assert not {RewardReason.HOST_TIMED, RewardReason.CHECKS_OFF} & set(plain.reasons)


@pytest.mark.parametrize(
    ("flag", "baseline", "said"),
    [
        (FELL_BACK, "compile", True),
        ("torch compiled nothing: compile is eager", "compile", True),  # of an older run
        (FELL_BACK, "eager", False),
        (COMPILED_WRONG, "compile", False),
    ],
)
def test_a_baseline_that_fell_back_is_said_and_changes_no_value(
    flag: str, baseline: str, said: bool
) -> None:
    plain = timed(2.0, baselines=("eager", "compile"))
    cases = tuple(msgspec.structs.replace(one, flags=(flag,)) for one in plain.cases)
    found = reward(_card(msgspec.structs.replace(plain, cases=cases)), baseline=baseline)
    assert (RewardReason.FELL_BACK in found.reasons) is said
    assert found.reasons[0] is RewardReason.FASTER
    assert found.value == reward(_card(plain), baseline=baseline).value is not None
    assert RewardReason.FELL_BACK not in reward(_card(plain), baseline=baseline).reasons


@pytest.mark.parametrize("speed_class", list(SpeedClass))
def test_the_first_reason_is_the_speed_class(speed_class: SpeedClass) -> None:
    made = _timed(Case(1.0, 1.1))
    over = msgspec.structs.replace(made.speedups[0], speed_class=speed_class)
    found = reward(_card(msgspec.structs.replace(made, speedups=(over,))))
    assert found.reasons[0].value == speed_class.value


@pytest.mark.parametrize(
    "wrong",
    [
        {"rejected": 0.1},
        {"wrong": 0.01},
        {"correct": 1.1},
        {"rejected": -0.1},
        {"least_share": 1.5},
        {"core": 0.04},
        {"partial": 0.09},
        {"partial": 0.3},
    ],
)
def test_a_scheme_that_is_not_monotone_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"scheme must rise|least_share is a share"):
        RewardScheme(**wrong)
    assert RewardScheme(correct=0.6).correct == 0.6


def test_a_stored_evaluation_is_enough() -> None:
    one = _card(_timed(Case(1.5, 1.7)))
    assert reward(from_json(to_json(one), Evaluation)) == reward(one)
    assert from_json(to_json(reward(one)), Reward) == reward(one)


def test_it_is_there_under_its_short_name_whatever_was_imported_first() -> None:
    assert kernelbenchx.reward is reward
    with pytest.raises(AttributeError, match="no attribute 'rewarding'"):
        _ = kernelbenchx.rewarding  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("program", "absent"),
    [
        ("import kernelbenchx", "msgspec"),
        ("import kernelbenchx; kernelbenchx.reward", "torch"),
    ],
)
def test_importing_the_package_loads_little(program: str, absent: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {program}; print({absent!r} in sys.modules)"],
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    assert done.stdout.strip() == "False"


def test_failing_beyond_int32_alone_is_worth_as_much_as_all_other_scopes() -> None:
    huge = HugeResult(state=HugeState.FAILED, case="n=9", reason=Reason.CRASH)
    failed = msgspec.structs.replace(FAILED, huge=huge)
    found = reward(on_a_card(evaluation(performance=failed)))
    assert found.value == pytest.approx(RewardScheme().partial)
    assert found.reasons[:2] == (RewardReason.TIMED_CALL_FAILED, RewardReason.CORE_CORRECT)


def test_weights_that_fit_in_no_way_are_no_way_out() -> None:
    unfit = evaluation(outcome=Void(reason=Reason.WEIGHTS, detail="fit neither by name nor place"))
    ours = evaluation(outcome=Void(reason=Reason.EVALUATOR, detail="no memory"))
    assert reward(unfit).value == RewardScheme().broken
    assert reward(ours).value is None


def test_a_problem_that_wrong_kernels_pass_earns_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not zero: nobody knows whether the kernel is right."""
    lucky = msgspec.structs.replace(_card(timed(2.0)), task="level2/gemm_multiply_leaky_relu")
    assert reward(lucky).value is not None
    known = facts(lucky.task)
    assert known.problem is not None
    marked = msgspec.structs.replace(known.problem, unsound="zeros pass")
    found = msgspec.structs.replace(known, problem=marked)
    monkeypatch.setattr(rewards, "facts", lambda _task: found)
    rewards._is_unsound.cache_clear()
    nothing = Reward(value=None, upper=None, reasons=(RewardReason.UNSOUND_TASK,))
    assert reward(lucky) == nothing
    rewards._is_unsound.cache_clear()


def test_a_task_that_the_catalogue_does_not_hold_is_paid_as_before() -> None:
    elsewhere = msgspec.structs.replace(_card(timed(2.0)), task="math/of_another_version")
    assert reward(elsewhere) == reward(_card(timed(2.0)))
