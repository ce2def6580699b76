"""The commands of README and docs/: where they stand, and what each needs to run."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_FENCE = re.compile(r"^( *)(```+)(\w*)[^\n]*\n(.*?)^\1\2 *$", re.M | re.S)
_INDENTED = re.compile(r"(?<=\n\n)(?:    [^\n]+\n)+")
_COMMAND = re.compile(r"(?:\.venv/bin/)?kbx |make |python3? |pip |source |export ")
_HELP = re.compile(r"^  (kbx [^\n]+)$", re.M)


class Needs(StrEnum):
    """What a command needs that not every machine has."""

    NOTHING = "nothing"
    MODEL = "a model: the scripted server answers"
    GPU = "a GPU"
    LONG = "many minutes"
    NETWORK = "a network: it installs software"
    SOFTWARE = "another program: a server of models"
    CLUSTER = "machines of a cluster"
    DATA = "data that is not shipped"


@dataclass(frozen=True)
class Command:
    """One line of a page."""

    page: str
    line: int
    text: str
    """As printed, with the address of a server and words in capitals as they stand."""

    @property
    def needs(self) -> Needs:
        """The first that applies."""
        return next((need for need, found in _RULES if found.search(self.text)), Needs.NOTHING)


_SERVED = r"(?:openai|anthropic):"
_RULES = (
    (Needs.NETWORK, re.compile(r"\bpip install|-m venv\b")),
    (Needs.SOFTWARE, re.compile(r"^vllm |^llama-server |\bollama |llama_cpp\.server")),
    (
        Needs.CLUSTER,
        re.compile(r"^(?:RAY_\w+=\w+ )?ray |^export RAY_|^kubectl |--address |~/\.ray/|/tmp/kbx-"),
    ),
    (
        Needs.DATA,
        re.compile(r"(?:real|llm)_kernels|real_modules|adjudicated\.json|run\.json|kbx_corpus"),
    ),
    (Needs.GPU, re.compile(r"--stage perf|--device cuda|studies/feedback|runs/timed")),
    (Needs.LONG, re.compile(r"^kbx redteam(?! \w)|^kbx nearmiss$|^kbx certify$")),
    (Needs.MODEL, re.compile(rf"--model {_SERVED}|^kbx study .*--out|replay:")),
)


def pages() -> list[Path]:
    """In the order of a reader: README, the tutorial, then everything else."""
    docs = ROOT / "docs"
    tutorial = [docs / "tutorial" / f"{name}.md" for name in ("evaluate", "understand-a-failure",
                                                              "time-it")]  # fmt: skip
    others = sorted(path for path in docs.rglob("*.md") if path not in tutorial)
    return [ROOT / "README.md", *tutorial, *others]


def commands_in(text: str, page: str) -> list[Command]:
    """In their order: shell blocks, lines after `$ `, indented blocks, examples of help texts."""
    found = dict(_fenced(text))
    fences = [(one.start(), one.end()) for one in _FENCE.finditer(text)]
    for block in _INDENTED.finditer(text):
        if not any(begin <= block.start() < end for begin, end in fences):
            found |= dict(_lines(block[0], block.start(), only=True))
    return [
        Command(page, text.count("\n", 0, start) + 1, said) for start, said in sorted(found.items())
    ]


def _fenced(text: str) -> Iterator[tuple[int, str]]:
    for block in _FENCE.finditer(text):
        language, start = block[3], block.start(4)
        if language in ("sh", "bash", "shell"):
            yield from _lines(block[4], start, only=False)
        elif language == "console":
            for line in re.finditer(r"^\$ ([^\n]+)", block[4], re.M):
                yield start + line.start(), line[1]
        elif language == "text" and block[4].startswith("Usage: kbx"):
            for line in _HELP.finditer(block[4]):
                yield start + line.start(), _whole(line[1], block[4][line.end() :])


def _whole(line: str, rest: str) -> str:
    """A line with a quotation that ends on a later one, as help texts are wrapped."""
    for more in rest.splitlines()[1:]:
        if line.count('"') % 2 == 0:
            break
        line = f"{line} {more.strip()}"
    return line


def _lines(block: str, start: int, *, only: bool) -> Iterator[tuple[int, str]]:
    """Without comments; `only`: just those that begin as a command does."""
    at = start
    for line in block.splitlines(keepends=True):
        said = re.sub(r"(?:^|\s+)#(?: .*|$)", "", line.strip())
        if said and (not only or _COMMAND.match(said)):
            yield at, said
        at += len(line)


def output_of(command: str) -> str:
    """The folder or file that it writes, if it says so."""
    try:
        words = shlex.split(command)
    except ValueError:
        return ""
    for flag in ("--out", ">"):
        if flag in words[:-1]:
            return words[words.index(flag) + 1]
    return ""
