from pathlib import Path

import pytest

from asked_runs import exchange, write_asked_run
from kernelbenchx.report import transcripts
from kernelbenchx.report.labels import label_attempts
from kernelbenchx.report.site_layout import Site, place
from kernelbenchx.report.transcripts import LONGEST, group_requests, writing_transcripts
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from report_samples import unpacked

PLAN = {"math/add": 3, "math/div": 1}


def _written(folder: Path, site: Site) -> int:
    with writing_transcripts(folder, site) as written:
        return written()


def _site(run: Path) -> Site:
    return place(label_attempts(read_attempts([run])))


def test_every_submission_finds_what_was_said_for_it(tmp_path: Path) -> None:
    site = _site(write_asked_run(tmp_path / "run", PLAN))
    assert _written(tmp_path, site) == 2
    for one in site.placed:
        file = unpacked(tmp_path / "transcripts" / f"{one.chunk}.js")
        assert file["elsewhere"] == {}
        (said,) = file["of"][one.address]
        assert (said["task"], said["step"]) == (one.attempt.task, one.attempt.step)
        assert said["reply"]["text"] == f"reply to {one.attempt.step} words"


def test_long_conversations_go_on_in_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcripts, "MOST_BYTES", 10)
    site = _site(write_asked_run(tmp_path / "run", {"math/add": 3}))
    assert _written(tmp_path, site) == 3
    first = unpacked(tmp_path / "transcripts" / "0.js")
    assert sorted(first["elsewhere"].values()) == ["transcripts/0_1", "transcripts/0_2"]
    found = dict(first["of"])
    for address, name in first["elsewhere"].items():
        other = unpacked(tmp_path / f"{name}.js")
        assert list(other["of"]) == [address]
        found |= other["of"]
    assert found.keys() == {one.address for one in site.placed}


def test_what_is_too_long_is_cut_and_says_so(tmp_path: Path) -> None:
    run = write_asked_run(tmp_path / "run", {"math/add": 1}, words="w" * (2 * LONGEST))
    site = _site(run)
    _written(tmp_path, site)
    ((said,),) = unpacked(tmp_path / "transcripts" / "0.js")["of"].values()
    for text in (said["reply"]["text"], said["request"]["messages"][0]["content"]):
        assert len(text) < LONGEST + 100
        assert text.endswith("more characters are in the run]")


def test_a_run_without_a_model_has_no_files(run: Path, tmp_path: Path) -> None:
    assert _written(tmp_path, _site(run)) == 0
    assert list(tmp_path.iterdir()) == []


def test_a_hand_written_kernel_in_such_a_run_has_no_transcript(tmp_path: Path) -> None:
    from samples import evaluation

    run = write_asked_run(tmp_path / "run", {"activation/relu": 1})
    with writing(RunFolder(run)) as database:
        database.append("e" * 64, evaluation("by hand"), "source")
        database.keep_exchange(exchange("activation/relu", "never judged"), "refine")
    site = _site(run)
    _written(tmp_path, site)
    assert len(unpacked(tmp_path / "transcripts" / "0.js")["of"]) == 1


def test_requests_belong_to_the_attempt_at_their_path_or_above() -> None:
    steps = {"round 0/candidate 0", "round 0/candidate 10", "round 1/candidate 0"}
    asked = [
        "test",
        "round 0/plan",
        "round 0/candidate 0/generator",
        "round 0/candidate 10/generator",
        "round 0/candidate 0/judge",
        "round 1/plan",
        "round 1/candidate 0",
        "round 2/candidate 0",
    ]
    found = group_requests([(step, step) for step in asked], steps)
    assert found == {
        "round 0/candidate 0": [*asked[:3], asked[4]],
        "round 0/candidate 10": [*asked[:2], asked[3]],
        "round 1/candidate 0": ["test", "round 1/plan", "round 1/candidate 0"],
    }
    assert group_requests([], {"round 0"}) == {"round 0": []}
