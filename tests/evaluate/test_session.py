import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.errors import BadInput, EvaluatorFault
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Broken, Outcome, Reason, Stage, Void
from kernelbenchx.core.performance import Performance, Unmeasured
from kernelbenchx.core.seeds import derive_seed
from kernelbenchx.core.settings import ResolvedSettings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.session import RunSession, resolve_settings
from kernelbenchx.runner.levels import Level, WorkerIsolation
from kernelbenchx.runner.zygote import Zygote
from samples import evaluation, timed

SETTINGS = ResolvedSettings(device="interpreter", jobs=2)


def test_auto_becomes_what_the_machine_has() -> None:
    assert resolve_settings(ResolvedSettings(device="auto")).device in ("cuda", "interpreter")
    assert resolve_settings(ResolvedSettings(device="interpreter")).device == "interpreter"


def test_an_unknown_target_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadInput, match="sm_90"):
        resolve_settings(ResolvedSettings(device="interpreter", target="sm_12"))


@pytest.mark.parametrize("device", ["interpreter", "auto", "cuda"])
def test_times_without_a_card_are_refused(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernelbenchx.evaluate.settings_resolution.has_gpu", lambda: False)
    with pytest.raises(BadInput, match="needs a CUDA GPU"):
        resolve_settings(ResolvedSettings(device=device, stage=Stage.PERF))
    monkeypatch.setattr("kernelbenchx.evaluate.settings_resolution.has_gpu", lambda: True)
    assert resolve_settings(ResolvedSettings(device="auto", stage=Stage.PERF)).device == "cuda"


def test_a_level_that_this_machine_lacks_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lowest = WorkerIsolation(Level.L1, ("landlock: too old",))
    monkeypatch.setattr("kernelbenchx.runner.isolation.detect", lambda: lowest)
    with RunSession(ResolvedSettings(device="interpreter", isolation="L3"), tmp_path) as session:
        with pytest.raises(BadInput, match="isolation L3 is not available here, only L1"):
            _ = session.pipeline


def test_a_run_keeps_its_seed(tmp_path: Path) -> None:
    def seed_of(wanted: int) -> str:
        with RunSession(ResolvedSettings(device="interpreter", seed=wanted), tmp_path) as session:
            return session._database.read_note("seed")

    assert seed_of(5) == "5"
    assert seed_of(0) == "5"
    with pytest.raises(BadInput, match=r"seed 5, not 6: leave `seed` out .* or .* with `out`"):
        seed_of(6)


def test_sources_are_checked_without_torch_or_worker(tmp_path: Path) -> None:
    settings = ResolvedSettings(device="interpreter", stage=Stage.CHECK)
    right = Submission(name="a", task="activation/relu", source=witness_source("activation/relu"))
    broken = Submission(name="b", task="activation/relu", source="def relu(:\n")
    with RunSession(settings, tmp_path) as session:
        found = [session.judge(session.job_for(broken)), session.one(right)]
        assert "pipeline" not in session.__dict__, "which loads torch and starts workers"
    assert [type(one.outcome).__name__ for one in found] == ["Rejected", "Reached"]
    with RunSession(ResolvedSettings(device="interpreter"), tmp_path / "all") as session:
        session.judge(session.job_for(broken))
        assert "pipeline" in session.__dict__


def test_statements_and_the_seed_are_kept_with_the_run(session: RunSession) -> None:
    told = _Told()
    broken = Submission(name="b", task="activation/relu", source="def relu(:\n")
    (job,) = session.begin([session.job_for(broken)], told)
    found = session.judge(job)
    assert told.stages == [("b", "checking")]
    assert found.seed == session.pipeline.seed
    database = session._database
    assert database.read_note("seed") == str(found.seed)
    rows = database.connection.execute("SELECT task FROM statements").fetchall()
    assert ("activation/relu",) in rows


def test_an_author_learns_from_other_calls_than_those_of_the_verdict(session: RunSession) -> None:
    given = "    x = input.contiguous()\n"
    source = witness_source("activation/relu").replace(given, f"    input.view(-1)\n{given}")
    one = Submission(name="for feedback", task="activation/relu", source=source)
    verdict, seen = session.one(one), session.for_feedback(one)
    assert isinstance(verdict.outcome, Broken) and isinstance(seen.outcome, Broken)
    assert (verdict.core_correct, seen.core_correct) == (True, True)
    assert verdict.seed == session.seed and seen.seed == derive_seed(session.seed, "feedback")
    drawn = [{case.case for case in found.cases if not case.corner} for found in (verdict, seen)]
    corners = [{case.case for case in found.cases if case.corner} for found in (verdict, seen)]
    assert corners[0] == corners[1] and drawn[1] - drawn[0]
    assert session.for_feedback(one) == seen, "kept, with its seconds"
    assert session.one(one) == verdict
    assert _looks(session, one.name) == 1


def test_what_made_no_call_is_not_judged_a_second_time(session: RunSession) -> None:
    unloaded = witness_source("activation/relu") + "\nx = y\n"
    for name, source in {"refused": "def relu(:\n", "unloaded": unloaded}.items():
        one = Submission(name=name, task="activation/relu", source=source)
        assert session.for_feedback(one) == session.one(one), name
        assert _looks(session, name) == 0


def _looks(session: RunSession, name: str) -> int:
    asked = "SELECT count(*) FROM feedback WHERE submission = ?"
    (count,) = session.database.connection.execute(asked, (name,)).fetchone()
    return int(count)


class _Told:
    def __init__(self) -> None:
        self.stages: list[tuple[str, str]] = []
        self.notes: list[str] = []

    def begin(self, total: int, finished: int) -> None:
        assert (total, finished) == (1, 0)

    def stage(self, submission: str, stage: str) -> None:
        self.stages.append((submission, stage))

    def note(self, words: str) -> None:
        self.notes.append(words)

    def done(self, evaluation: Evaluation) -> None:
        pass


def test_one_by_one_from_many_threads_each_is_judged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RunSession, "pipeline", property(lambda _: stages))
    stages = _Stages()
    made = [Submission(name=f"s{n}", task="activation/relu", source=f"x = {n}") for n in range(8)]
    with RunSession(ResolvedSettings(device="interpreter", jobs=2), tmp_path) as session:
        told = _Told()
        session.expect(["activation/relu"], told)
        with ThreadPoolExecutor(max_workers=8) as pool:
            first = list(pool.map(session.one, made))
        assert [one.submission for one in first] == [one.name for one in made]
        assert [session.one(one) for one in made] == first
        assert session.database.connection.execute("SELECT task FROM statements").fetchall()
    assert len(stages.judged) == 8
    assert stages.most == 2
    assert sorted(told.stages) == [(one.name, "queued") for one in made]


def test_a_void_verdict_stays_for_those_who_built_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stages = _Stages(Void(reason=Reason.EVALUATOR, detail="lost"))
    monkeypatch.setattr(RunSession, "pipeline", property(lambda _: stages))
    one = Submission(name="s", task="activation/relu", source="x")
    for _ in range(2):
        with RunSession(ResolvedSettings(device="interpreter", jobs=2), tmp_path) as session:
            assert isinstance(session.one(one).outcome, Void)
    assert stages.judged == ["s"]


def test_what_ends_after_the_run_was_closed_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stages = _Stages()
    monkeypatch.setattr(RunSession, "pipeline", property(lambda _: stages))
    with RunSession(ResolvedSettings(device="interpreter"), tmp_path) as session:
        monkeypatch.setattr(session, "_closed", True)
        with pytest.raises(EvaluatorFault, match="closed"):
            session.one(Submission(name="s", task="activation/relu", source="x"))
        assert not session.database.holds_evaluations()


@pytest.fixture
def stages(monkeypatch: pytest.MonkeyPatch) -> "_Stages":
    """In place of the stages of every session."""
    made = _Stages()
    monkeypatch.setattr(RunSession, "pipeline", property(lambda _: made))
    return made


def test_what_is_finished_is_read_and_what_is_void_is_tried_again(
    tmp_path: Path, stages: "_Stages"
) -> None:
    one = Submission(name="s", task="activation/relu", source="x")
    unmeasured = Unmeasured(reason=Reason.DISTURBED, detail="another process")
    for outcome, performance in (
        (Void(reason=Reason.EVALUATOR, detail="lost"), None),
        (None, unmeasured),
        (None, timed()),
        (Void(reason=Reason.EVALUATOR, detail="not asked any more"), None),
    ):
        stages.outcome, stages.performance = outcome, performance
        with RunSession(SETTINGS, tmp_path) as session:
            found = session.judge(session.job_for(one))
    assert len(stages.judged) == 3
    assert found.verdict == "correct" and found.performance == timed()


def test_a_batch_says_what_is_left_to_do(tmp_path: Path, stages: "_Stages") -> None:
    made = [Submission(name=f"s{n}", task="activation/relu", source=f"x = {n}") for n in range(3)]
    with RunSession(SETTINGS, tmp_path) as session:
        jobs = [session.job_for(one) for one in made]
        session.judge(jobs[1])
        assert session.begin(jobs) == [jobs[0], jobs[2]]
        assert session.begin(jobs[1:2]) == []


def test_without_a_folder_nothing_is_on_disk_and_a_repeat_is_not_judged_again(
    tmp_path: Path, stages: "_Stages", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    one = Submission(name="s", task="activation/relu", source="x")
    with RunSession(SETTINGS) as session:
        job = session.job_for(one)
        first, again = session.judge(job), session.judge(job)
        assert first.outcome == again.outcome and again.seconds == 0, "a repeat runs nothing"
        assert not session.database.holds_evaluations()
    assert len(stages.judged) == 1 and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("level", "noted"), [(Level.L2, ["isolation L2 (L3: no mounts)"]), (Level.L3, [])]
)
def test_a_lower_level_than_the_best_is_told(
    level: Level, noted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = ("L3: no mounts",) if noted else ()
    monkeypatch.setattr(
        "kernelbenchx.evaluate.session.choose", lambda _: WorkerIsolation(level, missing)
    )
    told = _Told()
    with RunSession(SETTINGS) as session:
        assert session.provenance.isolation.level == level
        session._listener.set(told)
    assert told.notes == noted


def test_stopping_ends_what_runs_and_keeps_none_of_it(tmp_path: Path, stages: "_Stages") -> None:
    with RunSession(SETTINGS, tmp_path) as session:
        session.stop()
        assert not stages.stopped, "nothing was begun"
        with pytest.raises(EvaluatorFault, match="closed"):
            session.judge(session.job_for(Submission(name="s", task="activation/relu", source="x")))
        session.stop()
        assert stages.stopped
        assert not session.database.holds_evaluations()


class _Cards:
    """Stands in for the cards of a machine: one of them."""

    slots = ("card 0",)

    def __init__(self) -> None:
        self.started: list[list[str]] = []

    def start(self, tasks: list[str]) -> None:
        self.started.append(list(tasks))

    def list_compilations(self) -> list[str]:
        return ["compiled"]


def test_cards_look_at_the_tasks_of_each_batch_before_it_comes(
    stages: "_Stages", monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = _Cards()
    settings = ResolvedSettings(device="interpreter", stage=Stage.PERF, jobs=2)
    monkeypatch.setattr(stages, "settings", settings)
    monkeypatch.setattr(stages, "gpu_slots", cards)
    with RunSession(settings) as session:
        assert session.compiled == [], "nothing was opened yet"
        for names in (["relu", "gelu"], ["selu"]):
            made = [
                Submission(name=name, task=f"activation/{name}", source="x" * len(name) * number)
                for number, name in enumerate(names, 1)
            ]
            waiting = session.begin([session.job_for(one) for one in made])
            assert [session.judge(job).submission for job in waiting] == names
        assert len(session.compiled) == 1
    assert cards.started == [["activation/relu", "activation/gelu"], ["activation/selu"]]


class _Stages:
    """Stands in for the stages: counts who is there at once."""

    performance: Performance | None = None
    stopped = False

    gpu_slots = None
    settings = ResolvedSettings(device="interpreter", jobs=2)

    def __init__(self, outcome: Outcome | None = None) -> None:
        self.outcome = outcome
        self.judged: list[str] = []
        self.here = self.most = 0

    def evaluate(self, submission: Submission, _turn: object = None) -> Evaluation:
        self.here += 1
        self.most = max(self.most, self.here)
        time.sleep(0.02)
        self.judged.append(submission.name)
        self.here -= 1
        return evaluation(submission.name, self.outcome, self.performance)

    def stop(self) -> None:
        self.stopped = True


@pytest.mark.parametrize(
    ("source", "kinds"),
    [(witness_source("activation/relu"), ["interpret", "compile"]), ("def relu(:\n", [])],
)
def test_parents_get_warm_from_the_start_where_anything_will_run(
    source: str, kinds: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []
    monkeypatch.setattr(Zygote, "start_parent", lambda zygote: started.append(zygote._kind))
    submission = Submission(name="r", task="activation/relu", source=source)
    with RunSession(ResolvedSettings(device="interpreter", jobs=1), tmp_path) as session:
        assert len(session.begin([session.job_for(submission)], _Told())) == 1
    assert started == kinds
