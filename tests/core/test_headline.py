import msgspec
import pytest

from kernelbenchx.core.headline import Headline, headline, score_of
from kernelbenchx.core.outcome import Reason
from kernelbenchx.core.performance import Failed, SpeedClass, Tier, Timed, Unmeasured
from samples import LARGE, SMALL, timed


def _scored(**scores: float) -> Timed:
    one = timed(cases=tuple({"large": LARGE, "small": SMALL}[name[:5]] for name in scores))
    cases = tuple(
        msgspec.structs.replace(
            case, efficiency=msgspec.structs.replace(case.efficiency, score=score)
        )
        for case, score in zip(one.cases, scores.values(), strict=True)
    )
    return msgspec.structs.replace(one, cases=cases)


def test_a_timed_kernel_has_every_number_and_one_that_failed_has_none() -> None:
    good = headline(timed(1.5))
    assert (good.kind, good.tier, good.speed_class) == ("timed", Tier.REPLAY, SpeedClass.FASTER)
    assert (good.low, good.speedup, good.high) == (0.98 * 1.5, 1.5, 1.02 * 1.5)
    assert good.score == pytest.approx(0.8)
    failed = Failed(case=LARGE, reason=Reason.STALE, detail="kept")
    assert headline(failed) == Headline("failed")
    assert headline(Unmeasured(reason=Reason.DISTURBED, detail="")) == Headline("unmeasured")
    assert headline(None) == Headline()


def test_a_baseline_that_was_not_measured_gives_no_speedup() -> None:
    only_eager = headline(timed(1.5), "compile")
    assert (only_eager.kind, only_eager.speedup, only_eager.speed_class) == ("timed", None, None)
    assert headline(timed(1.5, baselines=("eager", "compile")), "compile").speedup == 1.5


def test_a_score_is_of_the_cases_that_fill_the_card() -> None:
    assert score_of(_scored(large=0.9, large2=0.4, small=0.01)) == pytest.approx(0.6)
    assert score_of(_scored(small=0.01, small2=0.04)) == pytest.approx(0.02)
    assert score_of(_scored(large=0.0, large2=0.4)) == 0.0
