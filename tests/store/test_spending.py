from pathlib import Path

import msgspec

from kernelbenchx.core.submission import Origin
from kernelbenchx.core.transcript import Exchange, Message, Reply, Request, Usage
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.spending import read_spending
from samples import evaluation


def _write(folder: Path) -> Path:
    origin = Origin(method="refine", model="m", round="0", step="round 0")
    request = Request(model="m", messages=(Message("user", "do"),), max_tokens=5)
    usage = Usage(prompt=10, completion=3)
    reply = Reply(text="x", finish="stop", usage=usage, model="m-1")
    with writing(RunFolder(folder)) as database:
        made = msgspec.structs.replace(evaluation("mine"), origin=origin)
        database.append("key", made, "source")
        database.keep_exchange(
            Exchange(key="k", task="activation/relu", step="round 0", request=request, reply=reply),
            "refine",
        )
    return folder


def test_what_was_asked_comes_with_what_became_of_it(tmp_path: Path) -> None:
    run = _write(tmp_path)
    attempts = read_attempts([run])
    (found,) = read_spending([run], attempts)
    assert (found.run, found.attempts) == (str(run), attempts)
    assert [one.tokens for one in found.asked] == [13] and found.lost == 0


def test_what_was_under_way_when_a_run_was_killed_is_a_figure_of_its_own(tmp_path: Path) -> None:
    run = _write(tmp_path / "a")
    with writing(RunFolder(run)) as database:
        database.record_send(Usage(prompt=100, completion=900), "activation/relu", "round 1")
        assert database.sum_lost_usage() == Usage(prompt=100, completion=900)
    (found,) = read_spending([run], read_attempts([run]))
    assert (found.lost, [one.tokens for one in found.asked]) == (1000, [13])
    with writing(RunFolder(tmp_path / "b")) as database:
        database.record_send(Usage(prompt=1, completion=2), "activation/relu", "round 0")
    (found,) = read_spending([tmp_path / "b"], [])
    assert (found.lost, list(found.asked)) == (3, [])


def test_two_runs_alike_were_both_paid_for(tmp_path: Path) -> None:
    runs = [_write(tmp_path / "a"), _write(tmp_path / "b")]
    together = read_attempts(runs)
    assert len(together) == 1  # the same evaluation
    found = read_spending(runs, together)
    assert [[one.run for one in each.attempts] for each in found] == [[str(run)] for run in runs]
    assert len(read_spending([runs[0], runs[0]], together)) == 1


def test_a_run_without_a_model_spent_nothing(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        database.append("k", evaluation(), "source")
    assert read_spending([tmp_path], read_attempts([tmp_path])) == []
