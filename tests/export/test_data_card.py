import re
from pathlib import Path

import pytest

from kernelbenchx.export.corpus import CorpusCounts, transitions
from kernelbenchx.export.data_card import CorpusExport, data_card
from kernelbenchx.store.attempts import read_attempts


@pytest.fixture(scope="module")
def card(line: Path) -> str:
    attempts = read_attempts([line])
    counts = CorpusCounts()
    list(transitions(attempts, counts))
    return data_card(CorpusExport("steps.jsonl", "jsonl", [line], len(attempts), counts))


def test_it_counts_what_is_told_and_what_is_left_out(card: str) -> None:
    assert "- Rows: 3\n- Tasks: 1\n- Format: JSON lines" in card
    assert "| `fail_to_pass` | 1 | not correct before, correct after |" in card
    assert "| `same_code` | 1 | left out" in card
    assert "| `slower` | 0 |" in card
    assert "from 7 evaluations" in card


def test_every_field_is_there_once(card: str) -> None:
    fields = re.findall(
        r"^\| `([a-z_.\[\]]+)` \| (?:text|integer|number|boolean|list|record)", card, flags=re.M
    )
    assert len(fields) == len(set(fields))
    assert {"kind", "diff", "before.source", "before.findings[].why", "after"} <= set(fields)
    assert {"before.speedups[].low"} <= set(fields) and "after.source" not in fields


def test_it_says_how_it_was_made_and_what_that_is_worth(card: str) -> None:
    assert "method refine (k 3), model m\\|&lt;b>" in card
    assert re.search(r"- NVIDIA H200: \d+\.\d\d%", card)
    for title in ("## Steps", "## By author", "## Fields", "## Limits", "## Licence"):
        assert title in card


def test_words_of_strangers_stay_in_their_cell(card: str) -> None:
    assert "| NVIDIA H200 | refine | m\\|&lt;b> | 1 | 1 | 0 | 0 | 1 | 0 |" in card
    assert "<b>" not in card


def test_a_card_without_noise_says_so(line: Path) -> None:
    counts = CorpusCounts(floors={"interpreter": None})
    card = data_card(CorpusExport("x.parquet", "parquet", [line], 0, counts))
    assert "interpreter: no source was measured twice" in card and "- Format: Parquet" in card
