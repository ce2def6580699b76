"""`Evaluator` over stand-ins for the stages, and a few kernels over real workers."""

import asyncio
import inspect
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kernelbenchx as kbx
from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.outcome import Reason, Void
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Origin, Submission
from kernelbenchx.evaluate.session import RunSession
from kernelbenchx.evaluator import Evaluator, evaluate, read_submissions
from kernelbenchx.rewards import reward
from kernelbenchx.runs import load_run
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.task_info import task
from samples import evaluation

RELU = witness_source("activation/relu")
LONG_S = 30.0


class _Stages:
    """Stands in for the stages: a source with a number sleeps so many hundredths of a second."""

    gpu_slots = None
    settings = Settings(device="interpreter", jobs=4)

    def __init__(self) -> None:
        self.judged: list[str] = []
        self.ended = threading.Event()
        self.here = self.most = 0
        self.meeting: threading.Barrier | None = None
        """Where so many wait for each other."""
        self._lock = threading.Lock()

    def evaluate(self, submission: Submission, _turn: object = None) -> kbx.Evaluation:
        with self._lock:
            self.judged.append(submission.source.strip())
            self.here += 1
            self.most = max(self.most, self.here)
        if self.meeting is not None:
            self.meeting.wait()
        self.ended.wait(float(submission.source) / 100)
        with self._lock:
            self.here -= 1
        made = evaluation(submission.name)
        return msgspec.structs.replace(made, origin=submission.origin)

    def stop(self) -> None:
        self.ended.set()


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch) -> Iterator[_Stages]:
    made = _Stages()
    monkeypatch.setattr(RunSession, "pipeline", property(lambda _: made))
    yield made
    made.ended.set()


def _evaluator(**options: Any) -> Evaluator:
    return Evaluator(device="interpreter", jobs=4, **options)


def _threads() -> set[threading.Thread]:
    return {one for one in threading.enumerate() if one.name.startswith("kbx-evaluator")}


def test_results_come_in_the_order_of_the_sources(stages: _Stages) -> None:
    with _evaluator() as evaluator:
        texts = [str(hundredths) for hundredths in (20, 0, 10, 1, 0.5)]
        found = list(evaluator.map(texts, task="relu"))
        names = [evaluator.evaluate(text, task="relu").submission for text in texts]
    assert [one.submission for one in found] == names


def test_as_many_are_judged_at_once_as_there_are_jobs(stages: _Stages) -> None:
    stages.meeting = threading.Barrier(4, timeout=LONG_S)
    with _evaluator() as evaluator:
        list(evaluator.map([str(number) for number in range(8)], task="relu"))
    assert not stages.meeting.broken
    assert stages.most == 4


def test_a_task_for_each_source(stages: _Stages) -> None:
    with _evaluator() as evaluator:
        found = list(evaluator.map(["0", "1"], task=["relu", task("gelu")]))
        assert [one.submission.partition("__")[0] for one in found] == ["relu", "gelu"]
        with pytest.raises(kbx.BadInput, match="2 sources and 1 tasks: expected one for each"):
            evaluator.map(["0", "1"], task=["relu"])


def test_the_first_results_do_not_wait_for_the_last(stages: _Stages) -> None:
    with _evaluator() as evaluator:
        results = evaluator.map(["0", "3000"], task="relu")
        assert next(results).verdict == "correct"
        while "3000" not in stages.judged:
            time.sleep(0.01)
        assert stages.here == 1
        stages.stop()
        assert next(results).verdict == "correct"


def test_the_same_source_is_judged_once_in_a_run(stages: _Stages, tmp_path: Path) -> None:
    for _ in range(2):
        with _evaluator(out=tmp_path / "run") as evaluator:
            first, second, _ = evaluator.map(["1", "1", "2"], task="relu")
            assert first == second == evaluator.evaluate("1", task="relu")
    assert sorted(stages.judged) == ["1", "2"]


def _eight_times(sources: list[str]) -> list[Submission]:
    return [
        Submission(name=f"k{at}__{copy}", task="activation/relu", source=source,
                   origin=Origin(model=f"model {copy}"))
        for copy in range(8) for at, source in enumerate(sources)
    ]  # fmt: skip


def test_every_kernel_eight_times_under_eight_names_is_judged_once_and_has_eight_rows(
    stages: _Stages, tmp_path: Path
) -> None:
    made = _eight_times(["1", "2", "3"])
    for _ in range(2):  # the second finds all of it
        with _evaluator(out=tmp_path / "run") as evaluator:
            found = list(evaluator.map(made))
        assert [one.submission for one in found] == [one.name for one in made]
        assert [one.origin for one in found] == [one.origin for one in made]
    assert sorted(stages.judged) == ["1", "2", "3"]
    asked = "SELECT submission, record ->> '$.origin.model' AS model FROM evaluations"
    rows = load_run(tmp_path / "run").query(asked)
    assert sorted((one["submission"], one["model"]) for one in rows) == sorted(
        (one.name, one.origin.model) for one in made
    )
    assert len(frame_of(read_attempts([tmp_path / "run"]))) == 24, "each is an attempt"
    with _evaluator(out=tmp_path / "run") as evaluator:
        late = Submission(name="late", task="activation/relu", source="1")
        assert evaluator.evaluate(late).submission == "late"
        evaluator.evaluate(Submission(name="late", task="activation/relu", source="4"))
    assert sorted(stages.judged) == ["1", "2", "3", "4"], "another source is another kernel"


def test_eight_names_without_a_run_are_judged_once_in_a_batch(stages: _Stages) -> None:
    made = _eight_times(["1", "2"])
    with _evaluator() as evaluator:
        found = list(evaluator.map(made))
    assert [one.submission for one in found] == [one.name for one in made]
    assert sorted(stages.judged) == ["1", "2"]


def test_without_a_run_nothing_is_left_on_disk(
    stages: _Stages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with _evaluator() as evaluator:
        evaluator.evaluate("0", task="relu")
        evaluator.evaluate("0", task="relu")
        assert stages.judged == ["0"], "a repeat is not judged again"
    with _evaluator() as evaluator:
        evaluator.evaluate("0", task="relu")
    assert stages.judged == ["0", "0"], "another Evaluator knows nothing of it"
    assert list(tmp_path.iterdir()) == []
    with _evaluator(out=tmp_path / "run") as evaluator:
        evaluator.evaluate("0", task="relu")
    assert (tmp_path / "run" / "run.sqlite").is_file()


def test_what_is_late_is_void_and_has_no_reward(stages: _Stages, tmp_path: Path) -> None:
    started = time.monotonic()
    with _evaluator(out=tmp_path) as evaluator:
        texts = ["0", "6000", "6000.0", "06000", "0006000", "1"]
        found = list(evaluator.map(texts, task="relu", deadline_s=0.5))
        assert time.monotonic() - started < LONG_S
        assert found[0].verdict == "correct"
        for one in found[1:]:
            assert isinstance(one.outcome, Void) and one.outcome.reason is Reason.DEADLINE
            assert "within 0.5 s" in one.outcome.detail
            assert reward(one).value is None
    assert time.monotonic() - started < LONG_S, "closing does not wait for them"
    assert "1" not in stages.judged, "it was queued behind the others"
    assert [one.submission for one in load_run(tmp_path).results] == [found[0].submission]
    with _evaluator(out=tmp_path) as evaluator:
        assert next(evaluator.map(["1"], task="relu")).verdict == "correct", "asked again"


@pytest.mark.parametrize("deadline_s", [0, -1.0, float("nan"), "soon"])
def test_a_deadline_that_is_none_is_refused(stages: _Stages, deadline_s: Any) -> None:
    with _evaluator() as evaluator:
        with pytest.raises(kbx.BadInput, match="deadline_s is a number above 0"):
            evaluator.map(["0"], task="relu", deadline_s=deadline_s)
        assert evaluator.evaluate("0", task="relu").verdict == "correct"


def test_a_future_is_cancelled_until_a_worker_takes_it(stages: _Stages) -> None:
    with _evaluator() as evaluator:
        running = [evaluator.submit(f"{n}00", task="relu") for n in range(2, 6)]
        last = evaluator.submit("1", task="relu")
        assert isinstance(last, Future) and last.cancel()
        stages.stop()
        assert [one.result(LONG_S).verdict for one in running] == ["correct"] * 4
    assert "1" not in stages.judged


def test_coroutines_run_side_by_side(stages: _Stages) -> None:
    async def both() -> list[kbx.Evaluation]:
        with _evaluator() as evaluator:
            waiting = [evaluator.aevaluate(text, task="relu") for text in ("20", "21")]
            ticks = asyncio.create_task(_ticks())
            found = await asyncio.gather(*waiting)
            assert await ticks >= 3, "the loop went on meanwhile"
            return found

    assert [one.verdict for one in asyncio.run(both())] == ["correct", "correct"]
    assert stages.most == 2


async def _ticks() -> int:
    for _ in range(3):
        await asyncio.sleep(0.01)
    return 3


def test_an_exception_ends_what_runs(stages: _Stages, tmp_path: Path) -> None:
    before, started = _threads(), time.monotonic()
    with pytest.raises(KeyboardInterrupt), _evaluator(out=tmp_path) as evaluator:
        waiting = evaluator.submit("6000", task="relu")
        while not stages.here:
            time.sleep(0.01)
        raise KeyboardInterrupt
    assert time.monotonic() - started < LONG_S
    assert _threads() == before
    with pytest.raises(kbx.KbxError, match="closed in the meantime"):
        waiting.result(0)
    assert load_run(tmp_path).results == (), "nobody knows what it would have been"


def test_leaving_waits_for_what_was_submitted(stages: _Stages) -> None:
    with _evaluator() as evaluator:
        future = evaluator.submit("10", task="relu")
    assert future.result(0).verdict == "correct" and not stages.ended.is_set()
    with pytest.raises(kbx.BadInput, match="the Evaluator is closed"):
        evaluator.submit("0", task="relu")
    evaluator.close()


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_gets_an_error_and_its_end_is_not_that_of_the_workers(
    stages: _Stages,
) -> None:
    with _evaluator() as evaluator:
        evaluator.evaluate("0", task="relu")
        told, telling = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                with evaluator:
                    evaluator.evaluate("1", task="relu")
            except kbx.BadInput as error:
                os.write(telling, str(error).encode())
            finally:
                os._exit(0)
        os.close(telling)
        os.waitpid(child, 0)
        with os.fdopen(told) as said:
            expected = f"belongs to process {os.getpid()}, and {child} was forked from it"
            assert expected in said.read()
        evaluator.evaluate("2", task="relu")
    assert stages.judged == ["0", "2"]


def test_one_that_was_forgotten_is_closed(stages: _Stages, tmp_path: Path) -> None:
    before = _threads()
    evaluator = _evaluator(out=tmp_path)
    evaluator.evaluate("0", task="relu")
    del evaluator
    assert _threads() == before
    with _evaluator(out=tmp_path):
        with pytest.raises(kbx.BadInput, match="being written by another process"):
            # flock is held by the first alone
            _evaluator(out=tmp_path)


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"source": "x = 1\n"}, kbx.BadInput, "a source text does not say its task"),
        ({"source": "x = 1\n", "task": "rellu"}, kbx.BadInput, "did you mean relu?"),
        ({"source": Path("relu.py")}, kbx.BadInput, "relu.py does not exist"),
        ({"source": evaluation(), "task": "relu"}, TypeError, "not an Evaluation"),
        (
            {"source": "x = 1\n", "task": 5},
            TypeError,
            "task takes a name or a TaskInfo, not an int",
        ),
    ],
)
def test_a_wrong_argument_gets_one_line(
    stages: _Stages, given: dict[str, Any], error: type[Exception], said: str
) -> None:
    with _evaluator() as evaluator:
        for asked in (evaluator.evaluate, evaluator.submit):
            with pytest.raises(error) as refused:
                asked(**given)
            assert said in str(refused.value) and "\n" not in str(refused.value)
    assert stages.judged == []


@pytest.mark.parametrize(
    "one", ["x = 1\n", Path("relu.py"), Submission(name="a", task="relu", source="")]
)
def test_a_batch_is_not_one_source(stages: _Stages, one: Any) -> None:
    with _evaluator() as evaluator:
        with pytest.raises(TypeError, match="takes several sources"):
            evaluator.map(one, task="relu")


def test_options_that_cannot_be_used_are_refused_before_anything_is_opened(tmp_path: Path) -> None:
    options: Any = {"divice": "cuda"}
    with pytest.raises(TypeError, match="unknown setting 'divice'"):
        Evaluator(out=tmp_path / "run", **options)
    for wrong in ({"device": "gpu"}, {"stage": "all"}, {"jobs": 0}, {"target": "sm_12"}):
        with pytest.raises(kbx.BadInput):
            Evaluator(out=tmp_path / "run", **wrong)  # type: ignore[arg-type]
    with pytest.raises(kbx.BadInput, match=r"needs a CUDA GPU"):
        Evaluator(out=tmp_path / "run", device="interpreter", stage="perf")
    assert not (tmp_path / "run").exists()


def test_settings_are_resolved_and_options_replace_them() -> None:
    with Evaluator(Settings(device="interpreter", jobs=7), jobs=3, stage="check") as evaluator:
        assert (evaluator.settings.device, evaluator.settings.jobs) == ("interpreter", 3)
        assert evaluator.settings.stage is kbx.Stage.CHECK
        assert evaluator.compiled == []


def test_results_are_not_added_to_what_models_wrote(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        database.note("generation", "{}")
    with pytest.raises(kbx.BadInput, match="started by kbx generate"):
        _evaluator(out=tmp_path)
    with writing(RunFolder(tmp_path)):
        pass  # the lock was given back


def test_sources_are_checked_without_torch_or_worker() -> None:
    with Evaluator(device="interpreter", stage="check", jobs=2) as evaluator:
        right, wrong = evaluator.map([RELU, "def relu(:\n"], task="relu")
        assert isinstance(right.outcome, kbx.Reached) and isinstance(wrong.outcome, kbx.Rejected)
        assert "pipeline" not in evaluator.session.__dict__


def test_a_model_that_names_a_file_is_not_rewarded_for_it(tmp_path: Path) -> None:
    (tmp_path / "relu.py").write_text(RELU)
    with Evaluator(device="interpreter", stage="check") as evaluator:
        said = evaluator.evaluate(str(tmp_path / "relu.py"), task="relu")
        assert isinstance(said.outcome, kbx.Rejected)
        own = evaluator.evaluate(tmp_path / "relu.py", task="relu")
        assert isinstance(own.outcome, kbx.Reached)


def test_a_folder_is_read_and_what_cannot_be_judged_is_kept(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "relu.py").write_text(RELU)
    (tmp_path / "in" / "unheard_of.py").write_text(RELU)
    found = read_submissions(tmp_path / "in")
    assert [one.name for one in found.submissions] == ["relu"]
    with Evaluator(device="interpreter", stage="check", out=tmp_path / "run") as evaluator:
        (only,) = evaluator.map(found)
    assert only.submission == "relu"
    run = load_run(tmp_path / "run")
    assert [row["why"] for row in run.query("select why from not_judged")] == ["unknown_task"]
    with pytest.raises(kbx.BadInput, match="does not exist"):
        read_submissions(tmp_path / "out")


class _Told:
    def __init__(self) -> None:
        self.said: list[str] = []

    def begin(self, total: int, finished: int) -> None:
        self.said.append(f"{finished} of {total}")

    def stage(self, submission: str, stage: str) -> None: ...

    def done(self, evaluation: kbx.Evaluation) -> None:
        self.said.append(evaluation.submission)


def test_a_watcher_is_told_of_what_is_new(stages: _Stages, tmp_path: Path) -> None:
    told = _Told()
    with _evaluator(out=tmp_path) as evaluator:
        first = evaluator.evaluate("1", task="relu")
        found = list(evaluator.map(["1", "2", "2"], task="relu", watcher=told))
    assert found[0] == first
    assert told.said == ["1 of 2", found[1].submission]


@pytest.mark.usefixtures("warm_workers")
def test_one_kernel_by_its_path_and_by_its_text(tmp_path: Path) -> None:
    (tmp_path / "relu__mine.py").write_text(RELU)
    by_path = evaluate(str(tmp_path / "relu__mine.py"), device="interpreter", seed=1)
    assert isinstance(by_path.outcome, kbx.Correct) and by_path.submission == "relu__mine"
    assert by_path.core_correct and reward(by_path).value == 0.3
    wrong = RELU.replace("v < 0.0, 0.0", "v < 0.0, 1.0")
    by_text = evaluate(wrong, task=task("relu"), device="interpreter", seed=1)
    assert isinstance(by_text.outcome, kbx.Wrong)
    with pytest.raises(kbx.BadInput, match=r"no_such\.py does not exist"):
        evaluate("no_such.py", task="relu", device="interpreter")


def test_both_ways_have_the_same_options() -> None:
    def options(function: Any) -> list[str]:
        return list(inspect.signature(function).parameters)

    assert options(evaluate) == ["source", "task", "out", "options"]
    assert options(Evaluator) == ["settings", "out", "engine", "address", "options"]
    assert options(Evaluator.submit) == options(Evaluator.aevaluate) == options(Evaluator.evaluate)
