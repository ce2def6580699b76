"""Cells within the budget of the study, and what a machine cannot do."""

from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.transcript import Usage
from kernelbenchx.generate.budget import Caps
from kernelbenchx.generate.write_run import RunOrder
from kernelbenchx.study.cells import Cell
from kernelbenchx.study.folder import StudyFolder
from kernelbenchx.study.running import CellRunner, StudyMachine, settings_for
from study.study_files import GOOD, check

MACHINE = StudyMachine(jobs=1, environment={})
PRICES = '["*"]\ninput = 1.0\noutput = 2.0\n'


def runner(folder: Path, text: str, spent: Usage, monkeypatch: pytest.MonkeyPatch) -> CellRunner:
    """Of a study in which each other cell has spent this."""
    (folder / "prices.toml").write_text(PRICES)
    found = check(folder, text)
    monkeypatch.setattr(StudyFolder, "count_tokens", lambda *_: spent)
    return CellRunner(
        checked=found,
        folder=StudyFolder(folder / "out"),
        settings=settings_for(found, MACHINE),
        machine=MACHINE,
        seed=7,
    )


@pytest.mark.parametrize(
    ("budget", "caps"),
    [
        ("", Caps()),
        ("tokens = 10000", Caps(tokens=5000)),
        ("tokens_per_cell = 300", Caps(tokens=300)),
        ("tokens = 10000\ntokens_per_cell = 300", Caps(tokens=300)),
        ("tokens = 4000", Caps(tokens=1)),
        ('prices = "prices.toml"\ndollars = 1.0', Caps(dollars=0.994)),
        ('prices = "prices.toml"\ndollars = 0.001', Caps(dollars=1e-9)),
    ],
)
def test_a_cell_gets_what_the_others_have_left(
    tmp_path: Path, budget: str, caps: Caps, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five others have spent 800 tokens of prompts and 200 of replies each."""
    made = runner(
        tmp_path,
        f"{GOOD}\n[budget]\n{budget}\n",
        Usage(prompt=800, completion=200),
        monkeypatch,
    )
    assert made.caps(made.checked.cells[0]) == caps


def test_what_this_machine_cannot_do_is_said_before_anything_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kernelbenchx.evaluate.settings_resolution.has_gpu", lambda: False)
    with pytest.raises(BadInput, match="`stage='perf'` needs a CUDA GPU"):
        settings_for(check(tmp_path, f'stage = "perf"\n{GOOD}'), MACHINE)
    agent = check(tmp_path, GOOD.replace('["one_shot"', '["kernel_agent"'))
    with pytest.raises(BadInput, match="L2"):
        settings_for(agent, StudyMachine(jobs=1, isolation="L1", environment={}))
    assert settings_for(check(tmp_path, GOOD), MACHINE).device == "interpreter"


def test_the_order_of_a_cell_is_what_the_file_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = GOOD.replace(
        '"openai:one"', '{ model = "openai:one", temperature = 0.5, max_tokens = 99 }'
    )
    made = runner(tmp_path, f"examples = 1\n{text}", Usage(prompt=0, completion=0), monkeypatch)
    seen: list[RunOrder] = []

    def written(order: RunOrder, *_: object) -> int:
        seen.append(order)
        return 0

    monkeypatch.setattr("kernelbenchx.study.running.write_run", written)
    cell: Cell = made.checked.cells[0]
    assert made.run(cell, None, lambda _: None) == 0  # type: ignore[arg-type]
    (order,) = seen
    assert (order.model, order.temperature, order.max_tokens) == ("openai:one", 0.5, 99)
    assert (order.settings.seed, order.prompts.chosen.examples) == (7, 1)
    assert order.tasks == ("activation/relu", "activation/gelu")
    assert order.out == tmp_path / "out" / "runs" / cell.folder
