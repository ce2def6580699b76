"""Run every command of README and docs/ as it is printed.

    python scripts/run_docs_commands.py [--gpu] [--long] [--page PART] [--list]

Pages run one after another, each in a folder of its own with the files that it speaks of; the
pages of the tutorial share one. Commands that name a model are answered by a scripted server on
this machine: only addresses of servers are replaced, and words in capitals such as RUN. Commands
that take many minutes run with --long. With --gpu those run that need a GPU, and the pages they
stand on; all others run anywhere. What needs a network, another program or data that is not
shipped is listed. Exit status 1: a command failed.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parent))

from docs_commands import ROOT, Command, Needs, commands_in, output_of, pages

from generate.loopback import Loopback
from kernelbenchx.catalog.witness import witness_source
from problem_files import WITNESS
from published_problems import SCALED
from scripted_models import RIGHT, Skill, server

LIMIT_S = 900
MODELS = ("gpt-4.1-mini", "smollm2", "m")
SKILLS = {name: {"relu": Skill(RIGHT)} for name in MODELS}
"""All others, and these for other tasks, write prose."""
PLACEHOLDERS = {
    r"RUN\.\.\.|\bRUN\b": "runs/refine",
    r"\bSITE\b": "site-of-a-run",
    r"\bMODEL\b": "m",
    r"\bSEED\b": "1",
}
LISTED = (Needs.NETWORK, Needs.SOFTWARE, Needs.CLUSTER, Needs.DATA)


def as_run(text: str, models: Loopback) -> str:
    """With addresses of servers and words in capitals replaced."""
    root = models.root if "anthropic:" in text else models.url
    said = re.sub(r"https?://[\w.]+(?::\d+)?(?:/v1)?", root, text)
    for word, value in PLACEHOLDERS.items():
        said = re.sub(word, value, said)
    return said


def prepare(folder: Path) -> None:
    """What the pages speak of: a Python, sample files, and a run of the demo."""
    tools = folder / ".venv" / "bin"
    tools.mkdir(parents=True)
    for name, words in (("kbx", "-m kernelbenchx"), ("python", ""), ("python3", "")):
        shim = tools / name
        shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n', encoding="utf-8")
        shim.chmod(0o755)
    (tools / "activate").write_text("", encoding="utf-8")
    for name in ("examples", "scripts", "benchmarks", "Makefile", "pyproject.toml",
                 "constraints-cpu.txt"):  # fmt: skip
        (folder / name).symlink_to(ROOT / name)
    (folder / ".venv" / ".ready").touch()  # make finds its environment
    (folder / "predictions.jsonl").write_text(
        '{"file": "Activation/relu.py", "predict": "import torch\\n"}\n', encoding="utf-8"
    )
    witness = witness_source("activation/gelu")
    (folder / "mykernel.py").write_text(witness, encoding="utf-8")
    _write(folder / "prices.toml", _block("docs/how-to/run-a-model.md", "toml"))
    square, solution = _python_blocks("CONTRIBUTING.md")[:2]
    _write(folder / "mytasks/tasks/math/square.py", square)
    _write(folder / "mytasks/witnesses/math/square.py", solution)
    for level, name in ((1, "19_ReLU"), (2, "12_Scaled")):
        _write(folder / f"kernelbench/level{level}/{name}.py", SCALED)
    _write(folder / "kernelbench/runs/mine/level_1_problem_19_sample_0_kernel.py", WITNESS)
    _write(folder / "relu.py", witness_source("activation/relu"))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _block(page: str, language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```", (ROOT / page).read_text("utf-8"), re.M | re.S)
    assert found is not None, page
    return found[1]


def _python_blocks(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text("utf-8"), re.M | re.S)


def title_files(page: str, before: int) -> Iterator[tuple[str, str]]:
    """Files that a page shows before a line."""
    text = (ROOT / page).read_text("utf-8")
    for found in re.finditer(r'^```\w+ title="([^"]+)"\n(.*?)^```', text, re.M | re.S):
        if text.count("\n", 0, found.start()) < before:
            yield found[1], found[2]


class Runner:
    """Runs commands, and remembers what they left and what was not made."""

    def __init__(self, models: Loopback, *, gpu: bool, long: bool) -> None:
        self.models = models
        self.allowed = {Needs.NOTHING, Needs.MODEL}
        self.allowed |= ({Needs.GPU} if gpu else set()) | ({Needs.LONG} if long else set())
        self.counts: Counter[str] = Counter()
        self.failed: list[str] = []
        self._missing: set[str] = set()
        self._environment: dict[str, str] = {}

    def page(self, commands: list[Command], folder: Path) -> None:
        """All commands of a page, in order, in this folder."""
        self._missing, self._environment = set(), {}
        for command in commands:
            for name, text in title_files(command.page, command.line):
                (folder / name).write_text(text, encoding="utf-8")
            print(f"{self._one(command, folder)}  {command.page}:{command.line}  {command.text}",
                  flush=True)  # fmt: skip

    def _one(self, command: Command, folder: Path) -> str:
        said = as_run(command.text, self.models)
        if command.needs not in self.allowed or any(one in said for one in self._missing):
            if wrote := output_of(said):
                self._missing.add(wrote)
            kind = "listed" if command.needs in LISTED else "skipped"
            self.counts[kind] += 1
            need = command.needs if command.needs not in self.allowed else "what was not made"
            return f"{kind} ({need})"
        if said.startswith("export "):
            name, _, _ = said.removeprefix("export ").partition("=")
            self._environment[name] = "placeholder"
            self.counts["ran"] += 1
            return "ran"
        return self._run(command, said, folder)

    def _run(self, command: Command, said: str, folder: Path) -> str:
        begun = time.monotonic()
        path = f"{folder / '.venv' / 'bin'}:{os.environ['PATH']}"
        environment = {
            **os.environ,
            "PATH": path,
            "NO_COLOR": "1",
            "VIRTUAL_ENV": str(folder / ".venv"),
            "OPENAI_BASE_URL": self.models.url,
            "ANTHROPIC_BASE_URL": self.models.root,
            **self._environment,
        }
        try:
            done = subprocess.run(
                ["bash", "-c", said], cwd=folder, env=environment, capture_output=True, text=True,
                timeout=LIMIT_S, check=False,
            )  # fmt: skip
            code, why = done.returncode, (done.stderr.strip() or done.stdout.strip())[-300:]
        except subprocess.TimeoutExpired:
            code, why = -1, f"no end after {LIMIT_S} s"
        if code:
            self.failed.append(f"{command.page}:{command.line}: {said}\n    exit {code}: {why}")
        self.counts["failed" if code else "ran"] += 1
        return f"{'FAILED' if code else 'ran'} ({time.monotonic() - begun:.0f} s)"


def runs_of_others(where: Path, models: Loopback) -> Path:
    """Runs that pages read and do not make: of the demo, of a model, of KernelBench modules."""
    prepare(where)
    asked = f"--model openai:m --base-url {models.url} --tasks gelu --stage check"
    for words in (
        "demo",
        f"generate --method refine -o rounds=2 {asked} --out runs/refine",
        "eval kernelbench/runs/mine --problems kernelbench --device interpreter --out runs/mine",
    ):
        command = [sys.executable, "-m", "kernelbenchx", *words.split()]
        subprocess.run(command, cwd=where, check=True, capture_output=True)
    for name in ("a", "b"):
        shutil.copytree(where / "runs" / "refine", where / "runs" / name)
    return where / "runs"


def read_first(commands: list[str]) -> list[str]:
    """Runs that commands read before one of them has written them."""
    read, written = [], set()
    for said in commands:
        wrote = output_of(said)
        named = re.findall(r"(?<![\w/])runs/([\w-]+)", said)
        read += [name for name in named if f"runs/{name}" not in (wrote, *written)]
        read += ["demo"] if said in ("kbx demo", "make demo") else []  # minutes, and made before
        written |= {wrote} - {""}
    return list(dict.fromkeys(read))


def chosen_pages(part: str, *, gpu: bool) -> dict[str, list[Command]]:
    """The commands of pages, by page; the tutorial's pages build on each other."""
    found = {}
    for path in pages():
        page = str(path.relative_to(ROOT))
        every = commands_in(path.read_text("utf-8"), page)
        needed = any(one.needs is Needs.GPU for one in every) or page.startswith("docs/tutorial/")
        if part in page and (needed or not gpu):
            found[page] = every
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gpu", action="store_true", help="pages with commands that need a GPU")
    parser.add_argument("--long", action="store_true", help="also commands that take many minutes")
    parser.add_argument(
        "--page", action="append", help="only pages with this in their path; may be repeated"
    )
    parser.add_argument("--list", action="store_true", help="print commands and what they need")
    options = parser.parse_args()
    found: dict[str, list[Command]] = {}
    for part in options.page or [""]:
        found |= chosen_pages(part, gpu=options.gpu)
    if options.list:
        for one in (one for every in found.values() for one in every):
            print(f"{one.page}:{one.line}  [{one.needs}]  {one.text}")
        return 0
    with tempfile.TemporaryDirectory() as temporary, server(SKILLS) as models:
        runner = Runner(models, gpu=options.gpu, long=options.long)
        try:
            run_pages(found, runner, Path(temporary))
        finally:  # also what was found before an interrupt
            print()
            print(", ".join(f"{count} {kind}" for kind, count in sorted(runner.counts.items())))
            for failed in runner.failed:
                print(failed)
    return int(bool(runner.failed))


def run_pages(found: dict[str, list[Command]], runner: Runner, temporary: Path) -> None:
    """Each in a folder with the runs that it reads first; the tutorial's pages share one."""
    base = runs_of_others(temporary / "base", runner.models)
    for page, commands in found.items():
        tutorial = page.startswith("docs/tutorial/")
        folder = temporary / ("tutorial" if tutorial else re.sub(r"\W", "_", page))
        if commands and not folder.exists():
            prepare(folder)
            for name in read_first([as_run(one.text, runner.models) for one in commands]):
                if (base / name).is_dir():
                    shutil.copytree(base / name, folder / "runs" / name)
        runner.page(commands, folder)


if __name__ == "__main__":
    sys.exit(main())
