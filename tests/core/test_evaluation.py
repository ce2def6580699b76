"""What an evaluation looks like at a prompt."""

from kernelbenchx.core.outcome import Broken, Reason, Stage
from samples import evaluation, timed


def test_it_fits_in_ten_lines_whatever_it_holds() -> None:
    detail = "x" * 5000 + "\n\x1b[31m" * 50
    long = Broken(stage=Stage.CALL, reason=Reason.CRASH, detail=detail)
    for one in (evaluation("k" * 500, long), evaluation("a", performance=timed(1.5))):
        lines = repr(one).split("\n")
        assert len(lines) <= 10 and max(map(len, lines)) <= 100
        assert "\x1b" not in repr(one)


def test_it_says_verdict_and_speed() -> None:
    said = repr(evaluation("relu__a", performance=timed(1.5)))
    assert "submission='relu__a'" in said and "verdict='correct'" in said
    assert "1.5x over eager" in said and "over eager" not in repr(evaluation("relu__a"))
