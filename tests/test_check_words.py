"""The check of words: what it finds, and what it leaves alone."""

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
LONG = " ".join(["word"] * 41) + "."
SHORT = " ".join(["word"] * 40) + "."


@cache
def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _found(tmp_path: Path, text: str, name: str = "page.md") -> list[str]:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return [one.partition(": ")[2] for one in script("check_words").check(path)]


def test_everything_a_user_reads_passes() -> None:
    found = [
        one for path in script("check_words").files() for one in script("check_words").check(path)
    ]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        LONG,
        f"A sentence.\n\n- {LONG}",
        f"| a | {LONG} |",
        f"{SHORT} {LONG.capitalize()}",
        LONG.replace("word word", "word `code` [word](page.md)", 1),
    ],
)
def test_a_long_sentence_is_found(tmp_path: Path, text: str) -> None:
    (found,) = _found(tmp_path, text)
    assert found.startswith(("41 words", "42 words"))


@pytest.mark.parametrize(
    "text",
    [
        SHORT,
        f"{SHORT} {SHORT.capitalize()}",
        f"```\n{LONG}\n```",
        f"    {LONG}",
        f"<!-- made -->\n{LONG}\n<!-- /made -->",
        f"<!-- help eval -->\n{LONG}\n<!-- end -->",
    ],
)
def test_short_sentences_code_and_generated_parts_pass(tmp_path: Path, text: str) -> None:
    assert _found(tmp_path, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Somebody waits.",
        "Nobody is to blame.",
        "Whoever trains takes it.",
        "It is made of torch.",
        "The pace is fast.",
        "It needs a card.",
        "Two cards.",
        "Tier wall is slower.",
    ],
)
def test_dialect_is_found(tmp_path: Path, text: str) -> None:
    assert _found(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "The column `pace`.",
        "Tier `wall`.",
        "A data card.",
        "It needs a GPU.",
        "Discard it.",
        "Space.",
    ],
)
def test_plain_words_and_names_in_code_pass(tmp_path: Path, text: str) -> None:
    assert _found(tmp_path, text) == []


def test_messages_of_python_files_are_read(tmp_path: Path) -> None:
    assert _found(tmp_path, f'x = 1\nprint("{LONG}")\n', "cli.py")
    assert _found(tmp_path, f'print(f"{LONG[:-1]} {{x}}")\n', "cli.py")
    assert _found(tmp_path, f'print("{SHORT}")\n', "cli.py") == []
    assert _found(tmp_path, f'"""Help.\n\n\\b\n{LONG}\n"""\n', "cli.py") == []


def test_dialect_in_messages_is_found_if_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "cli.py"
    path.write_text('print("It needs a card.")\n', encoding="utf-8")
    assert script("check_words").check(path) == []
    assert script("check_words").check(path, in_messages=True) == [f"{path}:1: 'card': GPU"]
