import signal
import threading
from pathlib import Path

import pytest
from msgspec.structs import replace

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.outcome import CaseResult, CaseState, Reason, Void, Wrong
from kernelbenchx.core.performance import Failed, Timed, Unmeasured
from kernelbenchx.core.scopes import Scope
from kernelbenchx.core.transcript import Usage
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.query import ask
from kernelbenchx.store.schema import TABLES
from samples import LARGE, SMALL, evaluation, timed


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    folders = [tmp_path / "a", tmp_path / "it's b"]
    for number, folder in enumerate(folders):
        with writing(RunFolder(folder)) as database:
            for index in range(number + 1):
                database.append(f"k{index}", evaluation(f"s{index}"), "source")
    return folders


def test_several_runs_are_asked_together(runs: list[Path]) -> None:
    answer = ask(runs, "select run, count(*) as n from evaluations group by run order by n")
    assert answer.columns == ("run", "n")
    assert answer.rows == [(str(runs[0]), 1), (str(runs[1]), 2)]


def test_json_inside_a_record_can_be_asked(runs: list[Path]) -> None:
    answer = ask(runs[:1], "select json_extract(record, '$.outcome.cases') from evaluations")
    assert answer.rows == [(4,)]


def test_every_table_of_a_run_can_be_asked(runs: list[Path]) -> None:
    with writing(RunFolder(runs[0])) as database:
        database.record_send(Usage(prompt=1, completion=2), "activation/relu", "only")
        names = database.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        assert {name for (name,) in names} == set(TABLES)
    assert ask(runs, "select run, completion_tokens from pending_requests").rows == [
        (str(runs[0]), 2)
    ]
    for table in TABLES:
        assert ask(runs, f"select * from {table}").columns[0] == "run"


def test_times_are_asked_by_comparison_and_by_sample(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        database.append("k", evaluation(performance=timed(1.5)), "source")
    row = ask(
        [tmp_path], "select performance, tier, speedup, speed_class, score from evaluations"
    ).rows
    assert row == [("timed", "replay", 1.5, "faster", pytest.approx(0.8))]
    joined = ask(
        [tmp_path],
        "select submission, case_name, clock, timings.tier, timings.speedup, overhead_bound "
        "from timings join evaluations using (run, key) order by case_name desc, clock desc",
    ).rows
    assert joined == [
        ("one", LARGE, "device", "replay", 1.5, 0),
        ("one", LARGE, "call", "host_timed", 1.5, 0),
        ("one", SMALL, "device", "replay", 1.5, 1),
        ("one", SMALL, "call", "host_timed", 1.5, 1),
    ]
    sampled = "select count(*), max(pair), max(block), min(candidate_us) from samples"
    assert ask([tmp_path], sampled).rows == [(16, 1, 1, 100.0)]


@pytest.mark.parametrize(
    "sql",
    [
        "delete from run0.evaluations",
        "update run0.meta set value = 1",
        "drop table run0.evaluations",
        "attach database '/tmp/x' as y",
        "pragma query_only = off",
        "create table x (y)",
        "select * from nowhere",
        "selct",
        "select 1; delete from run0.meta",
        "",
    ],
)
def test_anything_but_one_select_is_refused(runs: list[Path], sql: str) -> None:
    with pytest.raises(BadInput):
        ask(runs, sql)
    assert ask(runs, "select count(*) from evaluations").rows == [(3,)]


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not a run"):
        ask([tmp_path], "select 1")


def test_a_failure_at_a_timed_size_is_not_solved(tmp_path: Path) -> None:
    failed = Failed(case="n=3", reason=Reason.TIMED_WRONG, detail="other values")
    lost = Unmeasured(reason=Reason.DISTURBED, detail="a stranger")
    wrong = Wrong(case="n=3", reason=Reason.BAD_VALUES, detail="far")
    with writing(RunFolder(tmp_path)) as database:
        database.append("a", evaluation("failed", performance=failed), "source")
        database.append("b", evaluation("lost", performance=lost), "source")
        database.append("c", evaluation("timed", performance=timed()), "source")
        database.append("d", evaluation("wrong", outcome=wrong), "source")
        own = "SELECT submission, scale, solved FROM evaluations ORDER BY key"
        kept = database.connection.execute(own).fetchall()
    asked = ask([tmp_path], "select submission, scale, solved from evaluations order by key")
    assert kept == asked.rows
    assert asked.rows == [
        ("failed", "failed", 0),
        ("lost", "not_judged", 1),
        ("timed", "passed", 1),
        ("wrong", "", 0),
    ]


def test_counts_by_scope_can_be_asked(tmp_path: Path) -> None:
    wrong = Wrong(case="b", reason=Reason.BAD_VALUES, detail="far")
    cases = (
        CaseResult("a", CaseState.PASSED, dtype="float32"),
        CaseResult("b", CaseState.WRONG, needs=(Scope.LAYOUT,)),
    )
    void = Void(reason=Reason.EVALUATOR, detail="lost")
    with writing(RunFolder(tmp_path)) as database:
        database.append("a", evaluation("graded", outcome=void), "source")
        database.append("a", evaluation("graded", outcome=wrong, cases=cases), "source")
        database.append("b", evaluation("void", outcome=void), "source")
    asked = ask(
        [tmp_path], "select submission, basic_correct, core_correct from evaluations order by key"
    )
    assert asked.rows == [("graded", 1, 1), ("void", None, None)]
    asked = ask([tmp_path], "select key, scope, dtype, passed, total from scopes order by scope")
    assert asked.rows == [("a", "core", "float32", 1, 1), ("a", "layout", "", 0, 1)]


def test_core_times_are_columns_of_their_own(tmp_path: Path) -> None:
    wrong = Wrong(case="b", reason=Reason.BAD_VALUES, detail="far")
    cases = (CaseResult("a", CaseState.PASSED, needs=()),)
    near = replace(evaluation("near", outcome=wrong, cases=cases), core_performance=timed(2.0))
    with writing(RunFolder(tmp_path)) as database:
        database.append("a", near, "source")
        database.append("b", evaluation("right", performance=timed(3.0)), "source")
    columns = "submission, performance, speedup, core_performance, core_speedup"
    asked = ask([tmp_path], f"select {columns} from evaluations order by key")
    assert asked.rows == [
        ("near", "", None, "timed", 2.0),
        ("right", "timed", 3.0, "", None),
    ]
    for table, key in (("timings", "b"), ("core_timings", "a")):
        assert set(ask([tmp_path], f"select key from {table}").rows) == {(key,)}


@pytest.mark.parametrize(
    ("reason", "done"), [(Reason.DISTURBED, False), (Reason.UNSUPPORTED, True)]
)
def test_core_times_that_may_be_measured_another_time_are_asked_for_again(
    tmp_path: Path, reason: Reason, done: bool
) -> None:
    wrong = Wrong(case="b", reason=Reason.BAD_VALUES, detail="far")
    lost = Unmeasured(reason=reason, detail="d")
    near = replace(evaluation("near", outcome=wrong), core_performance=lost)
    with writing(RunFolder(tmp_path)) as database:
        database.append("a", near, "source")
        assert database.is_finished("a") is done
        database.append("a", replace(near, core_performance=timed(2.0)), "source")
        assert database.is_finished("a")
        (found,) = database.read(["a"])
    assert isinstance(found.core_performance, Timed)


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


def test_a_query_that_does_not_end_is_ended(runs: list[Path]) -> None:
    with pytest.raises(BadInput, match=r"^SQL: not finished within 0.2 s; `time_limit`"):
        ask(runs, ENDLESS, limit_s=0.2)
    assert ask(runs, "SELECT 1", limit_s=60).rows == [(1,)]


def test_a_query_can_be_interrupted(runs: list[Path]) -> None:
    """Python drops an interrupt that meets a finalizer, so it comes until one is heard."""
    heard = threading.Event()

    def interrupt() -> None:
        while not heard.wait(0.3):
            signal.raise_signal(signal.SIGINT)

    sender = threading.Thread(target=interrupt)
    sender.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            try:
                ask(runs, ENDLESS, limit_s=60)
            finally:
                heard.set()
    finally:
        sender.join()
