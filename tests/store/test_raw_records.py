import json
from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.raw_records import MOST_KEYS, reading
from samples import evaluation, timed


@pytest.fixture
def run(tmp_path: Path) -> Path:
    with writing(RunFolder(tmp_path)) as database:
        database.append("first", evaluation("first", performance=timed()), "source")
        database.append("second", evaluation("second"), "source")
        database.keep_statements([("activation/relu", '{"entry": "relu"}')])
    return tmp_path


def test_evaluations_come_with_their_samples(run: Path) -> None:
    with reading(run) as opened:
        found = {one.key: one for one in opened.evaluations(["second", "unknown", "first"])}
    assert list(found) == ["second", "first"]
    assert json.loads(found["first"].record)["submission"] == "first"
    assert found["second"].samples == ()
    made = timed().cases[0].comparisons[0]
    samples = found["first"].samples
    assert {(one.case, one.clock) for one in samples} == {
        (case.case, one.clock.value) for case in timed().cases for one in case.comparisons
    }
    assert samples[0].rows[0] == (
        made.samples[0].pair,
        made.samples[0].block,
        round(10000 * made.samples[0].candidate_us),
        round(10000 * made.samples[0].baseline_us),
    )


def test_sources_statements_and_cards(run: Path) -> None:
    with reading(run) as opened:
        assert opened.sources(["d" * 64]) == {"d" * 64: "source"}
        assert json.loads(opened.statements()["activation/relu"]) == {"entry": "relu"}
        (card,) = opened.gpus(["first", "second"])
        assert json.loads(card)["name"] == "NVIDIA H200"


def test_records_alone_and_facts_of_the_run(run: Path) -> None:
    with reading(run) as opened:
        found = opened.records(["first", "nobody"])
        (first,) = opened.evaluations(["first"])
        assert found == {"first": first.record.decode()}
        assert opened.read_note("seed") == "" == opened.read_note("nothing")
    with writing(RunFolder(run)) as database:
        database.note("seed", "5")
    with reading(run) as opened:
        assert opened.read_note("seed") == "5"


def test_what_cases_reached_is_over_eager_by_device_time(run: Path) -> None:
    with reading(run) as opened:
        found = list(opened.read_speeds(["first", "second"]))
    assert [key for key, _ in found] == ["first"] * len(timed().cases)
    assert {one.case for _, one in found} == {case.case for case in timed().cases}
    assert all(one.low < one.speedup < one.high for _, one in found)


def test_more_keys_than_a_statement_takes(run: Path) -> None:
    with reading(run) as opened:
        keys = [f"none {n}" for n in range(2 * MOST_KEYS)] + ["first"]
        assert [one.key for one in opened.evaluations(keys)] == ["first"]
        assert opened.records(keys).keys() == {"first"}


def test_a_file_that_is_no_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.sqlite").write_text("not a database, but long enough to be looked at" * 20)
    with pytest.raises(BadInput, match="is not a run"):
        with reading(tmp_path) as opened:
            opened.statements()
