"""Groups of attempts: all methods together, tasks in several groups, and rounds."""

from attempts_made import made, wrong
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.analysis.groupings import ALL, Grouping, groupings


def _by(name: str, *given: object) -> Grouping:
    (found,) = [one for one in groupings(frame_of(list(given))) if one.by == name]  # type: ignore[arg-type]
    return found


def test_all_methods_come_first_where_there_are_several() -> None:
    both = (made("a", method="one"), wrong("a", method="two"))
    assert _by("category", *both).groups.labels == (
        ("card", ALL, "Math"),
        ("card", "one", "Math"),
        ("card", "two", "Math"),
    )
    assert _by("category", both[0]).groups.labels == (("card", "one", "Math"),)
    assert _by("method", *both).groups.labels == (("card", "one"), ("card", "two"))


def test_a_task_stands_in_the_group_of_each_dtype() -> None:
    found = _by("dtype", made("a", dtypes=("float32", "int8")))
    assert found.tasks.tolist() == [0, 0] and found.count == 2
    assert "row of each" in found.notes[-1]
    assert _by("dtype", made("a", dtypes=("float32",))).notes == ()


def test_one_round_makes_no_group_of_rounds() -> None:
    assert _by("round", made("a")).count == 0
    assert _by("round", made("a"), made("a", round=1)).count == 2
