"""Results are kept trial by trial, for one state of task and witness."""

from pathlib import Path

from kernelbenchx.certify.mutation.results import MutantTrial, ResultsFile

KILLED = MutantTrial("one", 1, "a case", True)
LIVED = MutantTrial("two", 1, "")


def _begun(folder: Path, digest: str = "d") -> ResultsFile:
    results = ResultsFile.load(folder, "math/add", digest)
    results.begin()
    return results


def test_a_killed_process_loses_at_most_the_line_it_was_writing(tmp_path: Path) -> None:
    results = _begun(tmp_path)
    results.add(KILLED)
    results.add(LIVED)
    with results.path.open("a") as file:
        file.write('{"mutant": "thr')
    again = _begun(tmp_path)
    assert again.trials == {("one", 1): KILLED, ("two", 1): LIVED}
    assert len(again.path.read_text().splitlines()) == 3


def test_results_of_another_state_are_dropped(tmp_path: Path) -> None:
    _begun(tmp_path).add(KILLED)
    assert _begun(tmp_path, "other").trials == {}
