"""The check of words: what it finds, and what it leaves alone."""

from functools import cache
from pathlib import Path

import pytest

from script_files import script

ROOT = Path(__file__).resolve().parents[1]
LONG = " ".join(["word"] * 41) + "."
SHORT = " ".join(["word"] * 40) + "."


@cache
def _found(tmp_path: Path, text: str, name: str = "page.md") -> list[str]:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return [one.partition(": ")[2] for one in script("check_words").check(path)]


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
    assert _found(tmp_path, f'print(f"{LONG[:-1]}, {{x}}")\n', "cli.py")
    assert _found(tmp_path, f'print("{SHORT}")\n', "cli.py") == []


@pytest.mark.parametrize(
    "text",
    [
        'raise BadInput("it needs a card")',
        'raise BadInput(f"{name} needs a card")',
        'click.option("--p", help="Nobody reads it.")',
        '@click.command()\ndef command():\n    """It needs a card."""',
        'TEXTS = {"a": "two cards"}',
    ],
)
def test_dialect_in_messages_is_found(tmp_path: Path, text: str) -> None:
    assert len(_found(tmp_path, text, "module.py")) == 1


@pytest.mark.parametrize(
    "text",
    [
        '"""It needs a GPU, see `card`."""',
        "x = card.name  # a GPU",
        'x = {"card": 1}["card"]',
        'f"{card.name} is a GPU"',
        'x: "Card | None" = None',
        'run("SELECT card FROM t WHERE pace = 1")',
        f'names("{" ".join(["name"] * 50)}")',
        f'@click.command()\ndef command():\n    """Help.\n\n    \\b\n    {LONG}\n    """',
    ],
)
def test_names_docstrings_and_code_in_python_pass(tmp_path: Path, text: str) -> None:
    assert _found(tmp_path, text, "module.py") == []


@pytest.mark.parametrize(
    "text",
    [
        '"""It needs a card."""',
        'def find():\n    """Nobody finds it."""',
        "x = 1  # made of torch",
        "def find_card(): ...",
        "class CardSlot: ...",
        "def _crews(): ...",
        "class Desk:\n    def find(self): ...",
    ],
)
def test_dialect_in_remarks_and_names_is_found(tmp_path: Path, text: str) -> None:
    assert len(_found(tmp_path, text, "module.py")) == 1


@pytest.mark.parametrize("name", ["told", "_ended", "kept", "measured", "ours", "_drawn"])
def test_functions_named_by_a_participle_are_found(tmp_path: Path, name: str) -> None:
    assert len(_found(tmp_path, f"def {name}(): ...", "module.py")) == 1
    method = f"class A:\n    async def {name}(self): ..."
    assert len(_found(tmp_path, method, "module.py")) == 1
    adjective = f"class A:\n    @property\n    def {name}(self): ..."
    assert _found(tmp_path, adjective, "module.py") == []


@pytest.mark.parametrize("name", ["__len__", "run", "seed", "_embed", "read_told", "is_kept"])
def test_verbs_and_verb_phrases_pass(tmp_path: Path, name: str) -> None:
    assert _found(tmp_path, f"def {name}(): ...", "module.py") == []


def test_prompts_are_read_line_by_line(tmp_path: Path) -> None:
    lines = "\n".join([SHORT[:-1]] * 3)
    assert _found(tmp_path, f"{lines}\nRuns on $card.", "prompt.txt") == []
    assert len(_found(tmp_path, f"{lines}\nRuns on a card.", "prompt.txt")) == 1


def test_the_whole_package_is_read_but_sample_programs() -> None:
    paths = {path.relative_to(ROOT).as_posix() for path in script("check_words").files()}
    package = "src/kernelbenchx"
    assert {f"{package}/cli/main.py", f"{package}/worker/main.py", "docs/api.md"} <= paths
    samples = (f"{package}/witnesses/", f"{package}/demo/", f"{package}/attacks/suite/")
    assert not any(path.startswith(samples) for path in paths)
