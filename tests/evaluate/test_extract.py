import time

import pytest

from kernelbenchx.evaluate.extract import SEPARATOR, extract_source

PROGRAM = "import torch\n\n\ndef add(x, y):\n    return x + y\n"


@pytest.mark.parametrize(
    "reply",
    [
        PROGRAM,
        f"```python\n{PROGRAM}```",
        f"Here you are:\n\n```python\n{PROGRAM}```\nIt adds.",
        f"First a piece:\n```python\nx = 1\n```\nNow all:\n```py\n{PROGRAM}```",
        f"```\n{PROGRAM}```",
        f"```python\n{PROGRAM}",
        f"{PROGRAM}\n{SEPARATOR}\nimport os\ntest_add()\n",
        f"```python\n{PROGRAM}\n{SEPARATOR}\nassert add(1, 2) == 3\n```",
    ],
)
def test_the_program_is_found_in_a_reply(reply: str) -> None:
    assert extract_source(reply) == PROGRAM


def test_a_shorter_line_of_signs_is_part_of_the_program() -> None:
    program = f"x = 1\n{'#' * 80}\ny = 2\n"
    assert extract_source(program) == program


def test_a_fence_inside_a_string_of_a_bare_program_is_left_alone() -> None:
    program = 'text = """\nuse ``` to quote\n"""\n'
    assert extract_source(program) == program


def test_a_fence_that_is_left_open_after_words_is_no_program() -> None:
    assert extract_source(f"Well:\n```python\n{PROGRAM}").startswith("Well:")


@pytest.mark.parametrize("line", ["```a\n", "```\n", " ```` `\n", "```a\n```\n", "`" * 1000])
def test_no_reply_takes_long_to_read(line: str) -> None:
    started = time.process_time()
    extract_source(line * (400_000 // len(line)))
    assert time.process_time() - started < 2
