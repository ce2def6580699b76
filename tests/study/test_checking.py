"""What is known before anything is asked: keys, prices, and the studies that are shipped."""

from pathlib import Path

import pytest

from kernelbenchx.cli.task_choice import chosen_tasks
from kernelbenchx.study.checking import check_study, missing_keys
from kernelbenchx.study.read_study import find_file, shipped_names
from study.study_files import GOOD, check, mistakes

PRICES = '["o*"]\ninput = 1.0\noutput = 2.0\n'


@pytest.mark.parametrize("name", shipped_names())
def test_a_shipped_study_has_no_mistake(name: str) -> None:
    found = check_study(find_file(name), chosen_tasks, {})
    assert len(found.cells) >= 3 and len(found.study.tasks) >= 30
    assert found.study.question and found.study.stage == "perf"
    assert sum(one.requests for one in found.estimates) > 100
    assert missing_keys(found.cells, {})
    other = check_study(find_file(name), chosen_tasks, {"tasks": ["relu"], "models": ["openai:m"]})
    assert {cell.model_name for cell in other.cells} == {"m"}
    assert other.study.tasks == ("activation/relu",)


def test_shipped_studies_hold_the_papers_experiments() -> None:
    every = {name: check_study(find_file(name), chosen_tasks, {}).cells for name in shipped_names()}
    feedback = [cell.options["feedback"] for cell in every["feedback"]]
    assert feedback == ["G", "G+E", "G+E+P"]
    five = [(cell.method_name, cell.prompting.form) for cell in every["five_methods"]]
    assert five == [
        ("one_shot", "autotriton"),
        ("one_shot", "kernelllm"),
        ("one_shot", "claude"),
        ("geak", "plain"),
        ("kernel_agent", "plain"),
    ]
    bench = every["kernelbench"]
    assert {cell.options.get("samples") for cell in bench} == {None, 100}
    assert {cell.options.get("rounds") for cell in bench} == {None, 10}
    assert {len(cell.prompting.facts) for cell in bench if cell.prompting.hardware} == {1, 2, 3}


def test_keys_are_missed_unless_a_server_needs_none(tmp_path: Path) -> None:
    found = check(tmp_path, GOOD).cells
    said = missing_keys(found, {})
    assert said == [
        f"model {name}: set OPENAI_API_KEY, or OPENAI_BASE_URL to another server"
        for name in ("one", "two")
    ]
    assert missing_keys(found, {"OPENAI_API_KEY": "k"}) == []
    assert missing_keys(found, {"OPENAI_BASE_URL": "http://127.0.0.1/v1"}) == []
    assert missing_keys(found, {"OPENAI_API_KEY": " "}) == said
    own = GOOD.replace('"openai:one"', '{ model = "openai:one", base_url = "http://x/v1" }')
    assert len(missing_keys(check(tmp_path, own).cells, {})) == 1


def test_prices_lie_beside_the_file_and_fit_every_model(tmp_path: Path) -> None:
    text = f'{GOOD}\n[budget]\nprices = "prices.toml"\ndollars = 5\n'
    assert "no prices can be read" in mistakes(tmp_path, text)[0]
    (tmp_path / "prices.toml").write_text(PRICES)
    assert mistakes(tmp_path, text) == ["budget: no pattern in prices.toml fits the model 'two'"]
    (tmp_path / "prices.toml").write_text(PRICES.replace("o*", "*"))
    assert mistakes(tmp_path, text) == []
    every = check(tmp_path, text).estimates
    assert all(one.dollars and one.likely_dollars and one.dollars > one.likely_dollars
               for one in every)  # fmt: skip


def test_the_command_line_replaces_models_and_tasks(tmp_path: Path) -> None:
    found = check(tmp_path, GOOD, models=["openai:three"], tasks=["abs"])
    assert {cell.model_name for cell in found.cells} == {"three"}
    assert found.study.tasks == ("math/abs",)
