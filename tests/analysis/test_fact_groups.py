import pytest

from kernelbenchx.analysis.fact_groups import FACTS, PROXIES, chosen_facts, groups_of
from kernelbenchx.core.errors import BadInput

TASKS = ("activation/relu", "math/softmax", "linear_algebra/svd", "level3/mlp", "made/up")


def _groups() -> dict[str, dict[str, str]]:
    bounds = {"activation/relu": "memory", "made/up": "memory"}
    return {one.name: dict(one.of) for one in groups_of(TASKS, FACTS, bounds)}


def test_every_known_task_has_a_group_and_others_have_none() -> None:
    found = _groups()
    assert list(found) == [*FACTS, *PROXIES]
    for name in ("cooperation", "operators", "passes", "contract", "dtypes"):
        assert set(found[name]) == set(TASKS) - {"made/up"}
    assert found["bound"] == {"activation/relu": "memory"}
    assert found["cooperation"]["math/softmax"] == "within a tile"
    assert found["passes"]["linear_algebra/svd"] == "3 or more"
    assert (found["operators"]["activation/relu"], found["operators"]["level3/mlp"]) == (
        "1", "3 to 4",
    )  # fmt: skip


def test_proxies_are_cut_at_numbers_that_occur() -> None:
    (proxy,) = [one for one in groups_of(TASKS, ()) if one.name == "torch calls"]
    assert 1 <= len(proxy.levels) <= 3 and set(proxy.of) == set(TASKS) - {"made/up"}
    assert any(word.startswith("up to") for word in proxy.levels)
    assert all(one.of == {} for one in groups_of(["made/up"]))


def test_facts_are_named_with_commas_or_one_by_one() -> None:
    assert chosen_facts(["cooperation, passes", "bound"]) == ("cooperation", "passes", "bound")
    assert chosen_facts([]) == FACTS
    with pytest.raises(BadInput, match="unknown fact 'size'; choose among cooperation"):
        chosen_facts(["cooperation,size"])
