import time

import pytest

from kernelbenchx.evaluate.extract import SEPARATOR, defined_names, extract_source

PROGRAM = "import torch\n\n\ndef add(x, y):\n    return x + y\n"
TICKS = 'import torch\n\n\ndef add(x, y):\n    """As in\n\n```python\nadd(1, 2)\n```\n    """\n'
ODD = "import torch\n\n\ndef add(x, y):\n    # a\u2028b\x0cc\x85d\n    return x + y\n"
TEST = "import torch\n\n" + "assert add(torch.ones(3), 1) == 2\n" * 9
TREE = "kernel.py\n" * 30
ENTRIES = ("add", "ModelNew")
MANY = 400_000
"""Characters of lines that each take a look."""


def fenced(text: str, language: str = "python", fence: str = "```") -> str:
    return f"{fence}{language}\n{text}{fence}\n"


def indented(text: str, columns: int) -> str:
    return "".join(
        f"{' ' * columns}{line}" if line.strip() else line for line in text.splitlines(True)
    )


LAYOUTS = {
    "bare": PROGRAM,
    "plain": fenced(PROGRAM),
    "words around": f"Here you are:\n\n{fenced(PROGRAM)}It adds.",
    "no tag": fenced(PROGRAM, ""),
    "other tag": fenced(PROGRAM, "text"),
    "more behind the tag": fenced(PROGRAM, "python title=add.py"),
    "tag in braces": fenced(PROGRAM, "{.python}"),
    "capitals": fenced(PROGRAM, " Python "),
    "cut off": f"```python\n{PROGRAM}",
    "words, then cut off": f"Well:\n```python\n{PROGRAM}",
    "cut off after another": f"{fenced('x = 1' * 99)}So:\n```python\n{PROGRAM}",
    "left open, then a test": f"```python\n{PROGRAM}{fenced(TEST)}",
    "line ends of Windows": f"Here:\n{fenced(PROGRAM)}Done.\n".replace("\n", "\r\n"),
    "old line ends": f"Here:\n{fenced(PROGRAM)}Done.\n".replace("\n", "\r"),
    "mark of the byte order": "\ufeff" + fenced(PROGRAM),
    "four ticks": fenced(PROGRAM, fence="````"),
    "closed by more ticks": f"```python\n{PROGRAM}`````\nDone.",
    "tildes": f"So:\n{fenced(PROGRAM, fence='~~~')}",
    "tildes left open": f"~~~python\n{PROGRAM}",
    "at a line's end": f"Use this: ```python\n{PROGRAM}```\nDone.",
    "at a line's end, no tag": f"Use this: ```\n{PROGRAM}```\nDone.",
    "at a line's end, then another": f"So: ```python\nadd(1, 2)\n```\n\nAll:\n\n{fenced(PROGRAM)}",
    "words about fences": f"It is in ```\n\n{fenced(PROGRAM)}",
    "words between ticks": f"Code in ```python ... ```\n{fenced(PROGRAM)}",
    "fence in a fence": fenced(fenced(PROGRAM), "markdown"),
    "in a list": f"1. The kernel:\n\n{indented(fenced(PROGRAM), 3)}\n2. Done.",
    "at a list's marker": f"- {indented(fenced(PROGRAM), 2).lstrip()}",
    "further right than its fence": f"1. So: ```python\n{indented(PROGRAM, 3)}   ```\n",
    "a piece before": f"First:\n{fenced('x = 1')}Now all:\n{fenced(PROGRAM, 'py')}",
    "a longer test behind": f"{fenced(PROGRAM)}Test it:\n{fenced(TEST)}",
    "a longer test before": f"{fenced(TEST)}Now:\n{fenced(PROGRAM)}",
    "a longer untagged one": f"{fenced(PROGRAM)}Files:\n{fenced(TREE, '')}",
    "python3 beside an untagged one": f"{fenced(TEST, '')}{fenced(PROGRAM, 'python3')}",
    "triton beside an untagged one": f"{fenced(TEST, '')}{fenced(PROGRAM, 'triton')}",
    "a longer output in another language": f"{fenced(PROGRAM)}{fenced(TREE, 'text')}",
    "a section of tests": f"{PROGRAM}\n{SEPARATOR}\nimport os\ntest_add(\n",
    "a section of tests in a fence": fenced(f"{PROGRAM}\n{SEPARATOR}\nassert add(1, 2) == (\n"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_program_is_found_in_a_reply(layout: str) -> None:
    assert extract_source(LAYOUTS[layout], ENTRIES) == PROGRAM


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "\n\n",
        "I cannot write this kernel.",
        "Use `def add(x, y)`, not ```add```.",
        "```\n```",
        "```python\n",
        fenced("--- a/add.py\n+++ b/add.py\n@@ -1 +1 @@\n-def add(x):\n+def add(x, y):\n", "diff"),
        fenced("$ pip install triton\n", "sh"),
        f"The call:\n{fenced(TEST)}",
    ],
)
def test_what_holds_no_program_gives_none(reply: str) -> None:
    assert "add" not in (defined_names(extract_source(reply, ENTRIES)) or ())
    assert "add" in (defined_names(extract_source(fenced(PROGRAM), ENTRIES)) or ())


@pytest.mark.parametrize("program", [TICKS, ODD])
def test_no_sign_of_a_program_is_lost(program: str) -> None:
    assert extract_source(program, ENTRIES) == program
    assert extract_source(fenced(program, fence="````"), ENTRIES) == program
    # Nobody can tell where this one ends.
    assert (extract_source(fenced(program), ENTRIES) == program) == (program is ODD)


def test_without_a_name_to_look_for_python_and_its_tag_decide() -> None:
    assert extract_source(fenced(PROGRAM) + fenced(TREE, "")) == PROGRAM
    assert extract_source(fenced("x = (\n" * 50) + fenced(PROGRAM, "")) == PROGRAM
    assert extract_source(fenced("x = 1\n") + fenced(PROGRAM)) == PROGRAM
    assert extract_source(fenced(PROGRAM) + fenced(TEST)) == TEST


def test_half_a_kernel_is_judged_and_not_its_example() -> None:
    half = PROGRAM.replace("x + y", "x + (y")
    assert extract_source(fenced(TEST) + fenced(half), ENTRIES) == half
    assert extract_source(fenced(TEST) + fenced("x = (\n"), ENTRIES) == TEST


def test_a_block_is_joined_with_earlier_ones_that_it_needs() -> None:
    imports, kernel = "import triton\n", "@triton.jit\ndef kernel(x):\n    pass\n"
    entry = "def add(x, y):\n    kernel[(1,)](x)\n"
    reply = fenced(imports) + fenced("unused = 1\n") + fenced(kernel) + fenced(entry)
    assert extract_source(reply, ENTRIES) == f"{imports}\n\n{kernel}\n\n{entry}"
    assert extract_source(fenced(entry) + fenced(kernel), ENTRIES) == entry
    assert extract_source(fenced(kernel) + fenced(PROGRAM), ENTRIES) == PROGRAM


def test_a_shorter_line_of_signs_is_part_of_the_program() -> None:
    program = f"x = 1\n{'#' * 80}\ny = 2\n"
    assert extract_source(program) == program


def test_a_fence_inside_a_string_of_a_bare_program_is_left_alone() -> None:
    program = 'text = """\nuse ``` to quote\n"""\n'
    assert extract_source(program) == program
    assert extract_source(f"So:\n{program}") != program


@pytest.mark.parametrize(
    "line",
    [
        "`" * 2_000_000,
        "`" * 1_000_000 + "a b",
        "x " + "`" * 1_000_000 + "a " * 500_000,
        "```a\n",
        "```\n",
        "```\na\n```\n",
        " ```` `\n",
        "- ```a\n",
        "~~~\n",
        "```\n" + "(" * 99_000 + "\n```\n",
        "```\n" + "a," * 50_000 + "\n```\n",
        "def add\n",
        " " * 1_000_000 + "```\n",
    ],
    ids=range(13),
)
def test_no_reply_takes_long_to_read(line: str) -> None:
    started = time.process_time()
    extract_source(line * (MANY // len(line) or 1), ENTRIES)
    assert time.process_time() - started < 4


def test_names_are_those_of_python() -> None:
    names = defined_names("import os\nif os:\n    a = b = 1\ndef c(d):\n    e = 1\n")
    assert names is not None and sorted(names) == ["a", "b", "c"]
    assert defined_names("def a(:\n") is None
    assert defined_names("x = 1\n" * 20_000) is None
