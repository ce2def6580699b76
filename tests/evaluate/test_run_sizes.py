"""A run has times of one set of sizes, and only of tasks that have it."""

from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.settings import Settings
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.evaluation_job import jobs_for
from kernelbenchx.evaluate.run_sizes import keep_sizes, require_sizes
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation

OURS = Settings(stage=Stage.PERF)
PUBLISHED = Settings(stage=Stage.PERF, sizes="published")
RUN = Path("runs/x")


def test_a_run_keeps_the_sizes_it_began_with(tmp_path: Path) -> None:
    def kept(settings: Settings) -> str:
        with writing(RunFolder(tmp_path)) as database:
            keep_sizes(database, settings, tmp_path)
            return database.read_note("sizes")

    assert kept(Settings(stage=Stage.EXE)) == "", "nothing is timed"
    assert kept(PUBLISHED) == kept(PUBLISHED) == "published"
    with pytest.raises(BadInput, match="has times of the published sizes, not ours"):
        kept(OURS)


def test_a_task_without_published_sizes_is_refused_in_one_line() -> None:
    with pytest.raises(BadInput) as refused:
        require_sizes(PUBLISHED, "math/square")
    assert str(refused.value).startswith("no published sizes are known for math/square: ")
    assert "\n" not in str(refused.value)
    require_sizes(PUBLISHED, "activation/relu")
    require_sizes(OURS, "math/square")
    require_sizes(Settings(sizes="published"), "math/square")  # nothing is timed


def test_nothing_runs_where_one_of_many_has_no_published_sizes() -> None:
    known, unknown = (
        Submission(name="s", task=task, source="x = 1\n")
        for task in ("activation/relu", "activation/other")
    )
    here = evaluation().environment
    with pytest.raises(BadInput, match="known for activation/other"):
        jobs_for([known, unknown], PUBLISHED, here)
    assert len(jobs_for([known], PUBLISHED, here)) == 1
