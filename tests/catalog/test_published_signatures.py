"""Names that the published benchmark and torch give the same function."""

import json
from pathlib import Path

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.published_signatures import entries_of, published_signatures
from kernelbenchx.checks.signatures import parse_signature

ROWS = Path(__file__).parents[3] / "shared" / "data" / "published_signatures.jsonl"


def test_every_function_of_the_catalogue_has_a_published_form() -> None:
    for name in catalog.function_names():
        if catalog.is_added(name):
            continue
        found = published_signatures(name)
        assert found.file, name
        for _, form in found.by_source:
            assert parse_signature(form)[0] in found.entries
    assert published_signatures("level1/relu").by_source == ()


def test_sources_come_in_the_order_in_which_they_count() -> None:
    found = published_signatures("math/abs")
    assert [source for source, _ in found.by_source] == [
        "published file",
        "published prompt",
        "torch",
    ]
    assert list(found.by_form.values()) == [("published file",), ("published prompt", "torch")]
    assert published_signatures("index/index_fill_").entries == ("index_fill_", "index_fill")
    assert entries_of("Lion") == ("lion_step",)
    assert entries_of("no such task") == ()


def test_parameters_are_those_of_the_published_files() -> None:
    if not ROWS.is_file():
        pytest.skip("no published signatures beside the repository")
    for line in ROWS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        name = Path(row["file"]).stem
        found = [one for one in catalog.function_names() if one.partition("/")[2] == name]
        for task in found:
            entry, own = parse_signature(published_signatures(task).file)
            signature = f"{row['entry']}({row['file_signature']})"
            assert [one.name for one in own] == [one.name for one in parse_signature(signature)[1]]
            assert entry in row["defined"]
