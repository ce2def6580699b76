import json

import pytest

from cli_types import Kbx


@pytest.mark.arena
@pytest.mark.timeout(900)
@pytest.mark.usefixtures("warm_workers")
def test_a_selection_is_tried_and_counted(kbx_here: Kbx) -> None:
    words = ("redteam", "--device", "interpreter", "--json", "N1", "c2_*", "elementwise")
    said = kbx_here(*words)
    assert said.returncode == 0, said.stderr
    document = json.loads(said.stdout)
    assert document["attacks"] == document["stopped"] == 2
    assert document["controls"] == document["passed"] == 1
    assert document["through"] == document["beyond"] == []
    assert document["level"] in ("L1", "L2", "L3")
    assert [one["class"] for one in document["results"]] == ["N1", "C2", ""]


@pytest.mark.arena
@pytest.mark.timeout(900)
@pytest.mark.usefixtures("warm_workers")
def test_the_table_names_who_stopped_what(kbx_here: Kbx) -> None:
    said = kbx_here("redteam", "--device", "interpreter", "n1_torch_alone")
    assert said.returncode == 0, said.stderr
    assert "check `kernels`" in said.stdout
    assert "1 of 1 attacks stopped" in said.stdout


@pytest.mark.arena
@pytest.mark.timeout(900)
@pytest.mark.usefixtures("warm_workers")
def test_attacks_on_times_are_listed_as_not_tried(kbx_here: Kbx) -> None:
    words = ("redteam", "--device", "interpreter", "--json", "N1", "t1_*")
    said = kbx_here(*words)
    assert said.returncode == 0, said.stderr
    document = json.loads(said.stdout)
    assert document["attacks"] == 1 and document["stage"] == "exe"
    assert document["not_tried"] == ["t1_side_stream", "t1_side_stream_with_event"]


@pytest.mark.parametrize("more", [(), ("--stage", "perf")])
def test_attacks_on_times_need_a_card(kbx_here: Kbx, more: tuple[str, ...]) -> None:
    said = kbx_here("redteam", "--device", "interpreter", "t1_*", *more)
    assert said.returncode == 2
    assert "card" in said.stderr


def test_an_unknown_name_is_bad_usage(kbx: Kbx) -> None:
    said = kbx("redteam", "no_such_attack")
    assert said.returncode == 2
    assert "no_such_attack" in said.stderr
