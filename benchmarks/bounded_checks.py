"""How long source checks take on mutated and grown files: none may take more than their limit.

    python benchmarks/bounded_checks.py [--files 10000] [--seed 1]

Every file is made from a kernel of the repository: a witness, an attack, a control or a sample of
the demo. One to four changes are drawn for it: parts are repeated, nested, chained through new
names, moved, exchanged with parts of another kernel or damaged as text. Times are CPU time of the
process that checks, without its start. Exit code 1 if a check takes more than the limit.
"""

import argparse
import ast
import copy
import os
import random
import re
import resource
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from kernelbenchx import catalog
from kernelbenchx.attacks.attack import read_attack, read_control
from kernelbenchx.catalog.facts import facts
from kernelbenchx.checks.checker_process import LIMIT_S, check_bounded
from kernelbenchx.checks.rule import Expectation
from kernelbenchx.core.outcome import Finding
from kernelbenchx.evaluate.expectation import expectation_of
from kernelbenchx.worker.processes import children, cpu_seconds

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "kernelbenchx"
TICK_S = 0.01
"""Of the kernel's clock of CPU time."""
LONGEST_BYTES = 200_000
SIMPLE = "import torch\n"
READ: dict[str, Callable[[Path], str]] = {
    "attacks/suite": lambda path: read_attack(path).source,
    "attacks/controls": lambda path: read_control(path).source,
}
"""Folders whose files are not the whole program."""

Change = Callable[[str, random.Random, str], str]


def seeds() -> list[tuple[str, Expectation]]:
    """Every kernel of the repository, with what its task expects."""
    found = []
    for folder in ("witnesses", "attacks/suite", "attacks/controls", "demo"):
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            text = READ[folder](path) if folder in READ else path.read_text("utf-8")
            name = task_of(folder, path, text)
            if name is not None:
                found.append((text, expectation_of(facts(name), "triton")))
    return found


def task_of(folder: str, path: Path, text: str) -> str | None:
    """Its full name; None where the file is of no task of the catalogue."""
    said = re.search(r"^task: (\S+)$", text, re.MULTILINE)
    if folder == "witnesses":
        name = f"{path.parent.name}/{path.stem}"
    elif said:
        name = said.group(1)
    else:
        name = path.stem.partition("__")[0]
    return catalog.find(name)


def repeated_lines(text: str, draw: random.Random, _: str) -> str:
    """A line or a few, many times; numbers and some names in them differ."""
    lines = text.splitlines(keepends=True)
    start = draw.randrange(len(lines))
    part = "".join(lines[start : start + draw.choice((1, 1, 1, 2, 5))])
    names = sorted(set(re.findall(r"\b[a-z_]\w*\b", part)))
    name = draw.choice(names) if names and draw.random() < 0.6 else ""
    many = many_of(draw, len(part))
    if not name:
        grown = part * many
    else:
        word = re.compile(rf"\b{name}\b")
        last = draw.random() < 0.5
        grown = "".join(
            word.sub(lambda _, i=i: f"{name}{i - (last and draw.random() < 0.5)}", part)
            for i in range(many)
        )
    return "".join([*lines[:start], grown, *lines[start:]])


def many_of(draw: random.Random, size: int) -> int:
    """How often something is repeated: from twice to what a file may hold."""
    most = max(3, LONGEST_BYTES // 2 // max(1, size))
    return int(most ** draw.random()) + 2


def grown_statement(text: str, draw: random.Random, _: str) -> str:
    """A statement, many times in its block: each writes a new name, and reads the one before."""
    tree = ast.parse(text)
    block = draw.choice(blocks(tree))
    place = draw.randrange(len(block))
    spelled = ast.unparse(block[place])
    names = sorted({node.id for node in ast.walk(block[place]) if isinstance(node, ast.Name)})
    name = draw.choice(names) if names else "x"
    written = re.compile(rf"^{name}\b|\b{name}(?= =)|(?<=def ){name}|(?<=class ){name}")
    read = re.compile(rf"\b{name}\b")
    block.insert(place, ast.Expr(ast.Name("kbx_mark")))
    grown = []
    for number in range(min(3000, many_of(draw, len(spelled)))):
        new = written.sub(f"{name}_{number + 1}", spelled)
        grown.append(read.sub(f"{name}_{number}", new))
    return with_lines(ast.unparse(tree), "\n".join(grown))


def with_lines(text: str, lines: str) -> str:
    """Lines in the place of the mark, as far to the right."""
    found = re.search(r"^( *)kbx_mark$", text, re.MULTILINE)
    if found is None:
        return text
    return text[: found.start()] + textwrap.indent(lines, found.group(1)) + text[found.end() :]


def nested_statement(text: str, draw: random.Random, _: str) -> str:
    """A block inside so many others."""
    tree = ast.parse(text)
    block = draw.choice(blocks(tree))
    inner = list(block)
    kinds = (
        "if torch:\n    pass",
        "for i in range(3):\n    pass",
        "while False:\n    pass",
        "with torch.no_grad():\n    pass",
        "try:\n    pass\nfinally:\n    pass",
        "def g():\n    pass",
        "class C:\n    pass",
    )
    for _ in range(draw.choice((2, 5, 15, 18, 19, 40, 90))):
        outer = ast.parse(draw.choice(kinds)).body[0]
        outer.body = inner  # type: ignore[attr-defined]
        inner = [outer]
    block[:] = inner
    return ast.unparse(tree)


def grown_expression(text: str, draw: random.Random, _: str) -> str:
    """An expression inside so many others, or beside as many."""
    tree = ast.parse(text)
    holders = [
        (node, name)
        for node in ast.walk(tree)
        for name, value in ast.iter_fields(node)
        if isinstance(value, ast.expr) and isinstance(getattr(value, "ctx", ast.Load()), ast.Load)
    ]
    node, name = draw.choice(holders)
    one = getattr(node, name)
    forms = ("({0} + {0})", "[{0}, {0}]", "{0}.view(-1)", "{0}[0]", "f({0})", "({0} if x else {0})",
             "(lambda a={0}: a)", "[a for a in [{0}]]", "(-{0})", "({0},)", "{{1: {0}}}",
             "({0} < {0})", "(a := {0})", "f'{{{0}}}'", "getattr({0}, 'x')")  # fmt: skip
    form, spelled = draw.choice(forms), ast.unparse(one)
    depth = draw.choice((2, 4, 8, 12, 20, 60, 150))
    for _ in range(depth):
        if len(spelled) > LONGEST_BYTES // 4:
            break
        spelled = form.format(spelled)
    if draw.random() < 0.3:
        spelled = "[" + ", ".join([spelled] * min(2000, many_of(draw, len(spelled)))) + "]"
    mark = ast.Name(id="kbx_mark", ctx=ast.Load())
    setattr(node, name, mark)
    return ast.unparse(tree).replace("kbx_mark", spelled)


def chained_functions(text: str, draw: random.Random, _: str) -> str:
    """A function so many times, each of which calls others."""
    tree = ast.parse(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    one = draw.choice(functions)
    source = ast.unparse(one)
    many = min(1500, many_of(draw, len(source) + 40))
    called = draw.choice(("{next}", "{other}", "{half}", "{half}(0), {next}", "{other}(0), {half}"))
    head, _, body = source.partition(":\n")
    names = re.compile(rf"(?<=def ){one.name}(?=\()")
    parts = []
    for i in range(many):
        numbers = {"next": i + 1, "other": (i * 7 + 3) % many, "half": i // 2}
        calls = called.format(**{key: f"{one.name}_{value}" for key, value in numbers.items()})
        parts.append(f"{names.sub(f'{one.name}_{i}', head)}:\n    {calls}(0)\n{body}")
    one.body.insert(0, ast.parse(f"{one.name}_0(0)").body[0])
    both = ["\n".join(parts), ast.unparse(tree)]
    draw.shuffle(both)
    return "\n".join(both)


def moved_blocks(text: str, draw: random.Random, other: str) -> str:
    """A statement of another kernel in a block of this one, so many times."""
    tree, theirs = ast.parse(text), ast.parse(other)
    for _ in range(draw.choice((1, 3, 10, 100))):
        block = draw.choice(blocks(tree))
        moved = copy.deepcopy(draw.choice(draw.choice(blocks(theirs))))
        block.insert(draw.randrange(len(block) + 1), moved)
    return ast.unparse(tree)


def joined(text: str, draw: random.Random, other: str) -> str:
    """Two kernels in one file, one of them perhaps several times."""
    return "\n".join([text, *[other] * draw.choice((1, 1, 2, 10, 50))])[:LONGEST_BYTES]


def damaged(text: str, draw: random.Random, other: str) -> str:
    """Characters and lines taken out, exchanged or put in."""
    for _ in range(draw.choice((1, 2, 5, 20))):
        start = draw.randrange(len(text) + 1)
        end = min(len(text), start + draw.choice((0, 1, 2, 10, 100)))
        cut = draw.randrange(len(other))
        what = (
            "",
            other[cut : cut + 30],
            "\n",
            "\0",
            "\ud800",
            "é",
            "(",
            ")",
            "'",
            '"""',
            "\t",
            "    ",
            "\\",
            "9" * 5000,
            "((" * 60,
            "\x0c",
            "\u202e",
            "@",
            ":",
            "async ",
            "*",
        )
        text = text[:start] + draw.choice(what) + text[end:]
    return text


CHANGES: tuple[Change, ...] = (
    repeated_lines,
    grown_statement,
    nested_statement,
    grown_expression,
    chained_functions,
    moved_blocks,
    joined,
    damaged,
)


def blocks(tree: ast.AST) -> list[list[ast.stmt]]:
    """Every list of statements."""
    found, waiting = [], [tree]
    while waiting:
        node = waiting.pop()
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                found.append(block)
                waiting += block
    return found


def make_file(text: str, others: list[str], draw: random.Random) -> tuple[str, str]:
    """A file, and what was done to it; one of five may become as large as checks look at."""
    longest, done = draw.choice((20_000, 20_000, 20_000, 40_000, LONGEST_BYTES)), []
    for _ in range(draw.choice((1, 1, 2, 3, 4))):
        change = draw.choice(CHANGES)
        if len(text) > longest // 2:
            break
        try:
            text = change(text, draw, draw.choice(others))[:longest]
        except (SyntaxError, ValueError, RecursionError, IndexError):  # damaged before, or empty
            continue
        done.append(change.__name__)
    return text, ", ".join(done)


def timed_check(source: str, expectation: Expectation) -> tuple[str, float]:
    """The verdict, and the CPU time of the process that checked."""
    check_bounded(SIMPLE, expectation)  # so that there is a process
    before = used_s()
    report = check_bounded(source, expectation)
    took = used_s() - before
    return verdict(tuple(report.findings), report.composition.value), took


def used_s() -> float:
    """CPU time of all processes that this one started."""

    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    living = sum(map(cpu_seconds, children(os.getpid())))
    return ended.ru_utime + ended.ru_stime + living


def verdict(findings: tuple[Finding, ...], composition: str) -> str:
    """As a table counts it."""
    fatal = [one for one in findings if one.fatal]
    if any("too complex" in one.why for one in fatal):
        return "rejected: source too complex"
    return f"rejected: {fatal[0].rule}" if fatal else composition


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw, kernels, began = random.Random(options.seed), seeds(), time.monotonic()
    others = [text for text, _ in kernels]
    counts: Counter[str] = Counter()
    seconds: list[float] = []
    slow: list[tuple[float, int, str, str]] = []
    sys.setrecursionlimit(20_000)
    for number in range(options.files):
        text, expectation = draw.choice(kernels)
        source, done = make_file(text, others, draw)
        found, took = timed_check(source, expectation)
        counts[found] += 1
        seconds.append(took)
        slow = sorted([*slow, (took, len(source), found, done)], reverse=True)[:10]
        if sys.stderr.isatty() and number % 100 == 0:
            print(f"\r{number}", end="", file=sys.stderr, flush=True)
    over = sum(one > LIMIT_S + 2 * TICK_S for one in seconds)
    print(f"{len(seconds)} files from {len(kernels)} kernels, seed {options.seed}")
    print(f"CPU time: median {sorted(seconds)[len(seconds) // 2]:.2f} s, "
          f"99 % below {sorted(seconds)[len(seconds) * 99 // 100]:.2f} s, "
          f"slowest {max(seconds):.2f} s; over the limit of {LIMIT_S:g} s: {over}\n")  # fmt: skip
    print("| verdict | files |\n|---|---|")
    for name, count in counts.most_common():
        print(f"| {name} | {count} |")
    print("\n| CPU s | bytes | verdict | changes |\n|---|---|---|---|")
    for took, size, found, done in slow:
        print(f"| {took:.2f} | {size} | {found} | {done} |")
    print(f"\n{time.monotonic() - began:.0f} s in all")
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main())
