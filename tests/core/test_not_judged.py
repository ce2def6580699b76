import pytest

from kernelbenchx.core.not_judged import NotJudged, WhyNotJudged


@pytest.mark.parametrize(
    ("why", "detail", "said"),
    [
        (WhyNotJudged.UNKNOWN_TASK, "of_the_future", "no such task: r1 (of_the_future)"),
        (WhyNotJudged.UNREADABLE, "set.jsonl:3: not JSON", "set.jsonl:3: not JSON"),
    ],
)
def test_what_was_not_judged_says_why(why: WhyNotJudged, detail: str, said: str) -> None:
    assert str(NotJudged(source="set.jsonl", name="r1", why=why, detail=detail)) == said
