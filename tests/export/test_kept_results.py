"""Of what a method wrote, the kernel that it keeps is exported, and no turn that was lost later."""

from pathlib import Path

from msgspec.structs import replace

from attempts_made import made, void
from kept_samples import RIGHT, WRONG, answer, candidate
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Outcome, Reason, Void, Wrong
from kernelbenchx.core.submission import Origin
from kernelbenchx.export.kept_results import kept_keys, kept_results
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation

LOST = Wrong(reason=Reason.BAD_VALUES, detail="off", case="c")


def _turn(number: int, outcome: Outcome | None = None) -> Evaluation:
    one = evaluation(f"relu__round{number}", outcome)
    origin = Origin(method="refine", model="m", round=str(number), step=f"round {number}")
    return replace(one, origin=origin, digest=f"{number}" * 64)


def test_the_turn_that_was_seen_to_be_right_counts_and_not_the_last(tmp_path: Path) -> None:
    turns = [_turn(0), _turn(1, LOST)]
    with writing(RunFolder(tmp_path)) as database:
        for at, one in enumerate(turns):
            database.append(f"key{at}", one, "source")
            database.keep_feedback(f"key{at}", one)
    assert [one.submission for one in kept_results(tmp_path)] == ["relu__round0"]


def test_a_method_that_never_looked_hands_in_its_last_turn(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        for at, one in enumerate([_turn(0), _turn(1, LOST)]):
            database.append(f"key{at}", one, "source")
    assert [one.submission for one in kept_results(tmp_path)] == ["relu__round1"]


def test_samples_models_and_files_are_all_there_and_void_only_where_nothing_else_is() -> None:
    samples = [made("t/a", step=f"sample {n}", key=f"s{n}") for n in range(2)]
    other = made("t/a", step="sample 0", key="o", model="other")
    files = [made("t/a", key=f"f{n}") for n in range(2)]
    assert kept_keys([*samples, other, *files]) == {"s0", "s1", "o", "f0", "f1"}
    seen = [candidate("t/a", 0, 0, WRONG, right=False), void("t/a", step="round 1", round=1)]
    assert kept_keys(seen) == {"t/a__0.0"}
    assert kept_keys(seen[1:]) == {seen[1].key}


def test_what_was_handed_in_counts_in_place_of_its_candidate() -> None:
    first = candidate("t/a", 0, 2, RIGHT, right=True)
    assert kept_keys([first, answer(first, 1)]) == {"t/a__answer"}


def test_a_void_answer_leaves_the_kernel_that_was_kept(tmp_path: Path) -> None:
    gone = Void(reason=Reason.EVALUATOR, detail="gone")
    with writing(RunFolder(tmp_path)) as database:
        database.append("key0", _turn(0), "source")
        database.append("key1", _turn(1, gone), "source")
    assert [one.submission for one in kept_results(tmp_path)] == ["relu__round0"]
