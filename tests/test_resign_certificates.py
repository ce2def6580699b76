"""scripts/resign_certificates.py: equal fingerprints sign again, others keep lapsed digests."""

import json
from pathlib import Path
from typing import Any

import pytest

from kernelbenchx.catalog.digests import certificate_digest, mutation_digest
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.certify.catching import Catch
from kernelbenchx.certify.mutation.engine import mutants
from kernelbenchx.certify.mutation.results import MutantTrial
from script_files import script

RESIGN = script("resign_certificates")
NAMES = ("activation/relu", "math/abs", "math/add", "math/div")
RENAMED, EDITED, STALE, TODAY = NAMES


def _recorded(calls: str, digest: str = "old") -> dict[str, Any]:
    seeds = {str(seed): {"calls": calls} for seed in (1, 2)}
    return {"certificate": digest, "mutation": digest, "seeds": seeds}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Certificates and trials of four tasks: renamed, edited, lapsed before, and up to date."""
    digests = {RENAMED: "old", EDITED: "old", STALE: "older", TODAY: certificate_digest(TODAY)}
    kept = {name: {"digest": digest, "mutants": 5} for name, digest in digests.items()}
    (tmp_path / "certificates.json").write_text(json.dumps(kept, indent=1) + "\n")
    for name, digest in digests.items():
        head = json.dumps({"digest": mutation_digest(name) if name == TODAY else digest})
        (tmp_path / f"{name.replace('/', '.')}.jsonl").write_text(f'{head}\n{{"seed": 1}}\n')
    monkeypatch.setattr(RESIGN, "PATH", tmp_path / "certificates.json")
    monkeypatch.setattr(RESIGN, "FOLDER", tmp_path)
    reads = RESIGN.read_signed
    monkeypatch.setattr(
        RESIGN, "read_signed", lambda name: reads(name, tmp_path / "certificates.json", tmp_path)
    )
    before = {RENAMED: _recorded("a"), EDITED: _recorded("a")}
    now = {RENAMED: _recorded("a", "new"), EDITED: _recorded("b", "new")}
    monkeypatch.setattr(RESIGN, "record_both", lambda *_: (before, now))
    return tmp_path


def _digests(folder: Path) -> dict[str, tuple[str, str]]:
    kept = json.loads((folder / "certificates.json").read_text())
    heads = {name: (folder / f"{name.replace('/', '.')}.jsonl").read_text() for name in kept}
    return {
        name: (kept[name]["digest"], json.loads(heads[name].splitlines()[0])["digest"])
        for name in kept
    }


def _run(monkeypatch: pytest.MonkeyPatch, folder: Path, *, differs: str, write: bool = True) -> int:
    monkeypatch.setattr(RESIGN, "_certify_drawn", lambda drawn, *_: dict.fromkeys(drawn, differs))
    found: int = RESIGN.run(NAMES, "HEAD", 1, folder, write=write)
    return found


def test_a_renamed_task_is_signed_and_an_edited_one_is_not(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = _digests(files)
    assert _run(monkeypatch, files, differs="") == 1, "an edited task is left"
    after = _digests(files)
    assert after.pop(RENAMED) == (certificate_digest(RENAMED), mutation_digest(RENAMED))
    assert after == {name: before[name] for name in (EDITED, STALE, TODAY)}
    assert (files / "activation.relu.jsonl").read_text().splitlines()[1:] == ['{"seed": 1}']
    said = capsys.readouterr().out.splitlines()
    assert said[1:4] == [
        f"{RENAMED} | equal | the same",
        f"{EDITED} | changed: calls (2 seeds) | ",
        f"{STALE} | lapsed before | ",
    ]
    assert said[-1] == "1 certified again, 0 differ; 1 signed"


@pytest.mark.parametrize(("differs", "write"), [("grade None became imported", True), ("", False)])
def test_nothing_is_signed_if_a_drawn_task_differs_or_in_a_dry_run(
    files: Path, monkeypatch: pytest.MonkeyPatch, differs: str, write: bool
) -> None:
    before = _digests(files)
    assert _run(monkeypatch, files, differs=differs, write=write) == 1
    assert _digests(files) == before


def test_a_difference_names_its_part_and_errors_are_never_equal() -> None:
    one, failed = _recorded("a"), _recorded("a")
    failed["seeds"]["2"] = {"error": "BrokenTask: no"}
    assert RESIGN.compare(one, _recorded("a", "new")) == []
    assert RESIGN.compare(one, _recorded("b")) == ["calls (2 seeds)"]
    assert RESIGN.compare(failed, failed) == ["error (1 seeds)"]
    assert RESIGN.compare({"seeds": {}}, {"seeds": {}}) == ["nothing was recorded"]


def test_the_draw_is_a_tenth_and_follows_from_the_digests() -> None:
    names = [f"math/{number}" for number in range(41)]
    assert RESIGN.draw_again(names, ["a"]) == RESIGN.draw_again(names, ["a"])
    assert len(RESIGN.draw_again(names, ["a"])) == 5 and len(RESIGN.draw_again(names[:1], "a")) == 1
    assert RESIGN.draw_again(names, ["a"]) != RESIGN.draw_again(names, ["b"])


def test_a_trial_that_ends_otherwise_is_a_difference() -> None:
    first = mutants(witness_source(RENAMED))[0].description
    trials = [MutantTrial(first, 1, "shape=(1,)", corner=True)]

    def catching(catch: Catch | None) -> list[str]:
        found: list[str] = RESIGN._try_trials(RENAMED, lambda _: lambda _: catch, trials)
        return found

    assert catching(Catch("shape=(2,)", corner=True)) == []
    assert catching(None) == [f"seed 1, {first}: not caught, was shape=(1,)"]


def test_a_certified_task_is_not_tried_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []
    results = {RENAMED: "", EDITED: "grade"}

    def differ(name: str, *_: Any) -> str:
        tried.append(name)
        return results[name]

    monkeypatch.setattr(RESIGN, "_differences", differ)
    signed = dict.fromkeys(results, RESIGN.Signed("old", "old"))
    for _ in range(2):
        assert RESIGN.try_again(list(results), None, signed, tmp_path / "tried.txt") == results
    assert tried == [RENAMED, EDITED, EDITED]
