from pathlib import Path

import msgspec
import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.performance import Timed
from kernelbenchx.store.database import writing
from kernelbenchx.store.evaluation_lookup import find, newest
from kernelbenchx.store.layout import RunFolder
from samples import evaluation, timed


@pytest.fixture
def run(tmp_path: Path) -> Path:
    with writing(RunFolder(tmp_path)) as database:
        database.append("aaaa11", evaluation("gelu__fast", performance=timed()), "s")
        database.append("aaaa22", evaluation("relu"), "s")
        later = msgspec.structs.replace(evaluation("relu"), stage=Stage.PERF)
        database.append("bbbb33", later, "s")
        with database.connection as connection:
            for day, key in enumerate(("aaaa11", "aaaa22", "bbbb33"), start=1):
                connection.execute(
                    "UPDATE evaluations SET created = ? WHERE key = ?", (f"2026-01-0{day}", key)
                )
    return tmp_path


def test_a_result_is_found_by_name_or_by_the_beginning_of_its_key(run: Path) -> None:
    assert find(run, "gelu__fast").key == "aaaa11"
    assert find(run / "run.sqlite", "bbbb").key == "bbbb33"
    performance = find(run, "gelu__fast").evaluation.performance
    assert isinstance(performance, Timed)
    assert performance.cases[0].comparisons[0].samples == ()


def test_of_one_name_the_newest_counts_and_the_older_are_named(run: Path) -> None:
    found = find(run, "relu")
    assert found.key == "bbbb33" and [one.key for one in found.older] == ["aaaa22"]
    assert found.older[0].words == "aaaa22 (correct, 2026-01-02)"
    assert find(run, "aaaa22").older == ()
    assert [one.key for one in newest(run)] == ["aaaa11", "bbbb33"]


def test_one_name_of_several_tasks_is_several_submissions(run: Path) -> None:
    with writing(RunFolder(run)) as database:
        other = msgspec.structs.replace(evaluation("relu"), task="activation/gelu")
        database.append("cccc44", other, "s")
    assert [one.key for one in newest(run)] == ["aaaa11", "bbbb33", "cccc44"]
    with pytest.raises(BadInput, match=r"several tasks: .*gelu cccc44 .*relu bbbb33"):
        find(run, "relu")


def test_of_two_made_in_one_second_the_later_is_newer(tmp_path: Path) -> None:
    for key in ("zz", "aa", "mm"):
        with writing(RunFolder(tmp_path)) as database:
            database.append(f"{key}01", evaluation("relu"), "s")
    assert find(tmp_path, "relu").key == "mm01"
    assert "." not in find(tmp_path, "relu").older[0].words.partition("+")[0]


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ("aaaa", r"2 keys .* aaaa22 \(correct, 2026-01-02\), aaaa11 \(correct, 2026-01-01\)"),
        ("zzzz", "; for example: kbx show .* relu"),
        ("gelu_fast", "did you mean gelu__fast"),
        ("bbb", "nothing in .* is called 'bbb'"),
    ],
)
def test_anything_else_says_what_there_is(run: Path, wanted: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        find(run, wanted)


def test_what_is_no_run_or_of_another_version_is_refused(tmp_path: Path, run: Path) -> None:
    with pytest.raises(BadInput, match="is not a run"):
        find(tmp_path / "nowhere", "x")
    with writing(RunFolder(run)) as database, database.connection:
        database.connection.execute("UPDATE evaluations SET record = '{}' WHERE key = 'aaaa11'")
    with pytest.raises(BadInput, match="another version"):
        find(run, "gelu__fast")
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "run.sqlite").write_text("not a database " * 100)
    with pytest.raises(BadInput, match="is not a run"):
        find(broken, "x")
