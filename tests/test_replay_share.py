"""The kept print of scripts/replay_share.py: it adds up, is whole, and the document quotes it."""

import re
from collections import Counter
from pathlib import Path

from kernelbenchx import catalog

ROOT = Path(__file__).parents[1]
PRINTED = (ROOT / "benchmarks" / "replay_share.txt").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PRINTED.splitlines()
    if line.startswith("| ") and "/" in line
]
SHARE = re.compile(r"^(\S+): (\d+) of (\d+) that run can be replayed; (\d+) fail", re.MULTILINE)


def test_the_first_line_says_with_what() -> None:
    first = PRINTED.splitlines()[0]
    assert re.match(r"kernelbenchx \S+, python \S+, torch \S+, triton \S+, card none,", first)


def test_every_task_has_its_witness_in_it() -> None:
    assert [task for name, task, *_ in ROWS if name == "witness"] == list(catalog.function_names())


def test_the_shares_are_those_of_the_rows() -> None:
    counted = {"witnesses": Counter[str](), "real_kernels.jsonl": Counter[str]()}
    for name, _, launches, why in ROWS:
        assert bool(launches) != bool(why)
        kind = "replayable" if launches else "failed" if why.startswith("raised") else "other"
        counted["witnesses" if name == "witness" else "real_kernels.jsonl"][kind] += 1
    found = {
        name: (one["replayable"], one["replayable"] + one["other"], one["failed"])
        for name, one in counted.items()
    }
    said = {name: tuple(map(int, numbers)) for name, *numbers in SHARE.findall(PRINTED)}
    assert said == found


def test_nobody_s_own_words_are_in_it() -> None:
    raised = [why for *_, why in ROWS if why.startswith("raised")]
    assert raised and all(re.fullmatch(r"raised \w+", why) for why in raised)


def test_the_document_quotes_the_shares() -> None:
    document = (ROOT / "docs" / "explanation" / "timing.md").read_text(encoding="utf-8")
    (_, replayed, ran, _), (_, real, real_ran, _) = SHARE.findall(PRINTED)
    words = f"{replayed} of {ran} witnesses and {real} of {real_ran} that an LLM wrote"
    assert f"(../../benchmarks/replay_share.txt) {words}" in document
