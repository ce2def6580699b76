import msgspec

from kernelbenchx.core.outcome import Reason, Void
from kernelbenchx.store.database import in_memory
from kernelbenchx.store.evaluation_rows import reason_of, row_of
from samples import evaluation


def test_reasons_are_one_word() -> None:
    assert reason_of(evaluation()) == ""
    void = msgspec.structs.replace(
        evaluation(), outcome=Void(reason=Reason.EVALUATOR, detail="a long story")
    )
    assert reason_of(void) == "evaluator"


def test_a_row_has_its_key_and_the_key_of_its_content() -> None:
    key, *_, content = row_of("row", evaluation(), "content")
    assert (key, content) == ("row", "content")


def test_only_a_finished_evaluation_of_the_same_content_is_found() -> None:
    lost = evaluation("lost", Void(reason=Reason.EVALUATOR, detail="x"))
    with in_memory() as database:
        database.append("k1", lost, "source", content_key="c")
        database.append("k2", evaluation("older"), "source")
        assert database.judged_before("c") is None
        database.append("k3", evaluation("named"), "source", content_key="c")
        found = database.judged_before("c")
        assert found is not None and found.submission == "named"
        assert database.judged_before("d") is None
