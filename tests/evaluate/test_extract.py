import ast
import time

import pytest

from kernelbenchx.evaluate import extract
from kernelbenchx.evaluate.extract import SEPARATOR, defined_names, extract_source, file_source

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


@pytest.mark.parametrize(
    "kernel",
    [
        "def add(x, y):\n    import torch\n    return torch.add(x, y)\n",
        "try:\n    import torch\nexcept ImportError:\n    pass\n\n\ndef add(x, y):\n    torch\n",
        "def add(x, y):\n    try:\n        pass\n    except OSError as torch:\n        torch\n",
        "def add(x, y):\n    match x:\n        case [*torch]:\n            torch\n",
        "def add(x, y):\n    match x:\n        case {**torch} | torch:\n            torch\n",
        "def add(x, y):\n    return max(x, y)\n",
    ],
)
def test_a_kernel_that_lacks_nothing_is_taken_alone(kernel: str) -> None:
    for before in (
        "import torch\nx = torch.ones(8)\nprint(add(x, x))\n",
        "import torch\nmax = torch.max\n",
    ):
        assert extract_source(fenced(before) + fenced(kernel), ENTRIES) == kernel
    lacking = "def add(x, y):\n    return torch.add(x, y)\n"
    assert extract_source(fenced("import torch\n") + fenced(lacking), ENTRIES) != lacking


def test_an_example_of_the_use_is_no_part_of_the_program() -> None:
    entry = "def add(x, y):\n    return torch.add(x, y)\n"
    example = "import torch\nprint(add(torch.ones(8), 1))\n"
    assert extract_source(fenced(example) + fenced(entry), ENTRIES) == entry
    setup = "import torch\nprint(torch.ones(8))\n"
    assert extract_source(fenced(setup) + fenced(entry), ENTRIES) == f"import torch\n\n\n{entry}"


def test_of_an_earlier_block_only_what_is_needed_is_taken() -> None:
    earlier = """import os, torch; print("é"); SIZE = WIDTH * 2; print(SIZE)
WIDTH = 4
unused = torch.ones(8)
if WIDTH:
    run = 1
    print(run)
try:
    import triton
except ImportError:
    triton = None
@triton.jit
def kernel(unused):  # as it is written
    size()
def size():
    return SIZE
kernel[(1,)](unused)
"""
    taken = """import os, torch

SIZE = WIDTH * 2

WIDTH = 4

try:
    import triton
except ImportError:
    triton = None

@triton.jit
def kernel(unused):  # as it is written
    size()

def size():
    return SIZE
"""
    entry = "def add(x, y):\n    torch.add(x)\n    kernel[(1,)](x)\n    return run\n"
    program = extract_source(fenced(earlier) + fenced(entry), ENTRIES)
    assert program == f"{taken}\n\n{entry}"
    other = entry.replace("kernel", "x")
    program = extract_source(fenced(earlier) + fenced(other), ENTRIES)
    assert program == f"import os, torch\n\n\n{other}"


def test_the_nearest_definition_is_taken() -> None:
    first, second = "def scale(x):\n    return 1\n", "def scale(x):\n    return 2\n"
    entry = "def add(x, y):\n    return scale(x)\n"
    program = extract_source(fenced(first) + fenced(second) + fenced(entry), ENTRIES)
    assert program == f"{second}\n\n{entry}"
    again = "def scale(x):\n    return old(x)\n"
    program = extract_source(fenced("old = abs\n") + fenced(again) + fenced(entry), ENTRIES)
    assert program == f"old = abs\n\n\n{again}\n\n{entry}"


def test_a_block_of_the_future_stays_python_when_it_is_joined() -> None:
    future = "from __future__ import annotations\n"
    entry = "\n\ndef add(x, y):\n    return torch.add(x, y)\n"
    program = extract_source(fenced(future + "import torch\n") + fenced(future + entry), ENTRIES)
    assert defined_names(program) == frozenset({"add"})
    assert program.count(future) == program.count("import torch") == 1
    compile(program, "add.py", "exec")
    with pytest.raises(SyntaxError):
        compile(f"import torch\n{future}{entry}", "add.py", "exec")


DOCSTRING = f'"""As in\n\n{fenced(PROGRAM)}"""\n'
OTHERWISE = {
    "typed": "add: object = max\n",
    "under a condition": "if True:\n    add = max\n",
    "one of two": "a, add = 1, max\n",
    "tried": "try:\n    def add(x, y): pass\nfinally:\n    pass\n",
    "nowhere": "pass\n",
}


@pytest.mark.parametrize("way", OTHERWISE)
def test_what_is_python_as_a_whole_is_the_program(way: str) -> None:
    text = DOCSTRING + OTHERWISE[way]
    assert file_source(text, ENTRIES) == extract_source(text, ENTRIES) == text
    for reply in (f"So:\n{text}", fenced(PROGRAM) + text):
        assert extract_source(reply, ENTRIES) == PROGRAM


@pytest.mark.parametrize("spoiled", ["x = = 1\n", "\0\n", "x = 1\n" * 60_000, "\n\n", "x = 1"])
def test_a_file_of_python_is_its_own_source(spoiled: str) -> None:
    text = DOCSTRING + spoiled
    assert file_source(text, ENTRIES) == text
    assert file_source(text.replace("\n", "\r\n"), ENTRIES) == text
    assert file_source(f"{text}\n{SEPARATOR}\nadd(1)\n", ENTRIES) == f"{text}\n"
    for start in ("", "\n \n", "\ufeff"):
        assert file_source(f"{start}{fenced(PROGRAM)}{spoiled}", ENTRIES) == PROGRAM


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


def test_a_lone_block_is_taken_without_being_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    real = extract._tree

    def watched(text: str) -> ast.Module | None:
        seen.append(text)
        return real(text)

    monkeypatch.setattr(extract, "_tree", watched)
    program = "def relu(x):\n    return x\n"
    assert extract_source(f"```python\n{program}```\n", ("relu",)) == program
    assert seen == []
    other = "def gelu(x):\n    return x\n"
    both = f"```python\n{other}```\n\n```python\n{program}```\n"
    assert extract_source(both, ("relu",)) == program
    assert set(seen) == {program, other}
