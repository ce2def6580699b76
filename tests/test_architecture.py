"""What the tree promises: small files with one job, torch only where it is needed, tests beside."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "kernelbenchx"
SOURCES = sorted(PACKAGE.rglob("*.py"))
NO_JOB = {"utils", "util", "helpers", "common", "misc", "base", "manager"}
MOST_LINES = 300

TESTED_ELSEWHERE = {
    "attacks/suite": "tests/attacks runs every attack",
    "attacks/controls": "tests/attacks runs every control",
    "tasks": "tests/tasks certifies every task",
}
"""Folders whose files are data of one form, with one test for all of them."""

WITHOUT_TEST = frozenset(
    {
        "attacks/arena.py",
        "attacks/attack.py",
        "attacks/canaries.py",
        "attacks/omitted.py",
        "attacks/redteam.py",
        "attacks/running.py",
        "attacks/traps.py",
        "certify/answers.py",
        "certify/form.py",
        "certify/valid.py",
        "cli/redteam.py",
        "core/environment.py",
        "core/errors.py",
        "core/evaluation.py",
        "core/outcome.py",
        "core/settings.py",
        "evaluate/attempt.py",
        "evaluate/compile_only.py",
        "evaluate/stages.py",
        "evaluate/workers.py",
        "runner/toolchain.py",
        "spec/call.py",
        "spec/cases.py",
        "spec/contract.py",
        "spec/cost.py",
        "spec/inputs.py",
        "spec/mutants.py",
        "spec/outputs.py",
        "spec/task.py",
        "store/layout.py",
        "store/schema.py",
        "worker/interpreter/arguments.py",
        "worker/interpreter/arithmetic.py",
        "worker/interpreter/blocks.py",
        "worker/interpreter/bodies.py",
        "worker/interpreter/builder.py",
        "worker/interpreter/dots.py",
        "worker/interpreter/driver.py",
        "worker/interpreter/dtypes.py",
        "worker/interpreter/errors.py",
        "worker/interpreter/handles.py",
        "worker/interpreter/language.py",
        "worker/interpreter/launch.py",
        "worker/interpreter/launching.py",
        "worker/interpreter/libdevice.py",
        "worker/interpreter/memory.py",
        "worker/interpreter/recording.py",
        "worker/interpreter/reductions.py",
        "worker/interpreter/rewriting.py",
        "worker/interpreter/rounding.py",
        "worker/interpreter/semantic.py",
        "worker/interpreter/shapes.py",
        "worker/interpreter/storages.py",
        "worker/interpreter/tiles.py",
        "worker/interpreter/tuning.py",
        "worker/interpreter/waiting.py",
        "worker/launches.py",
        "worker/main.py",
        "worker/provenance.py",
        "worker/replies.py",
        "worker/sessions.py",
    }
)
"""Files that have no test of their own yet; the list may only get shorter."""

BAN = """
import sys
class Ban:
    def find_spec(self, name, *where):
        if name.partition(".")[0] in ("torch", "triton"):
            raise ModuleNotFoundError(name + " was imported", name=name)
sys.meta_path.insert(0, Ban())
"""
ABSENT = "import sys\nsys.modules.update(torch=None, triton=None)\n"
KBX = "from kernelbenchx.cli.main import main\nsys.argv = ['kbx', *sys.argv[1:]]\nmain()"
TORCH_FREE = (
    "core",
    "checks",
    "store",
    "catalog.facts",
    "catalog.statement",
    "catalog.certificates",
    "cli.main",
    "cli.tasks",
    "cli.show",
    "cli.query",
)


def _name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def _python(program: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def _modules(name: str) -> list[str]:
    """The module itself, or every module of the package."""
    path = PACKAGE / name.replace(".", "/")
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
    parts = [file.relative_to(PACKAGE.parent).with_suffix("").parts for file in files]
    return [".".join(part for part in one if part != "__init__") for one in parts]


def test_no_source_file_is_long() -> None:
    long = [_name(p) for p in SOURCES if len(p.read_text().splitlines()) > MOST_LINES]
    assert long == []


def test_every_file_is_named_after_its_job() -> None:
    assert [_name(p) for p in SOURCES if p.stem in NO_JOB] == []


def test_every_task_file_defines_one_task() -> None:
    files = [p for p in (PACKAGE / "tasks").glob("*/*.py") if not p.stem.startswith("_")]
    assert files
    for path in files:
        made = [
            target.id
            for node in ast.parse(path.read_text()).body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name) and target.id == "TASK"
        ]
        assert made == ["TASK"], _name(path)


def test_the_document_names_every_package_and_no_other() -> None:
    document = (ROOT / "docs" / "architecture.md").read_text()
    tree = document.partition("## The tree")[2].partition("\n## ")[0]
    named = set(re.findall(r"^\| `([a-z_/]+)/` \|", tree, flags=re.M))
    packages = {
        _name(init.parent)
        for init in SOURCES
        if init.stem == "__init__" and init.parent != PACKAGE and init.parent.parent.name != "tasks"
    }
    assert named == packages


def test_every_source_file_has_its_test() -> None:
    missing = set()
    for path in SOURCES:
        name = _name(path)
        exempt = path.stem.startswith("__") or any(name.startswith(f) for f in TESTED_ELSEWHERE)
        mirrored = ROOT / "tests" / path.parent.relative_to(PACKAGE) / f"test_{path.stem}.py"
        if not exempt and not mirrored.is_file():
            missing.add(name)
    assert missing - WITHOUT_TEST == set()


def test_the_list_of_exceptions_names_files_that_exist() -> None:
    assert {_name(path) for path in SOURCES} >= WITHOUT_TEST


@pytest.mark.parametrize("name", TORCH_FREE)
def test_modules_without_torch(name: str) -> None:
    done = _python(BAN + f"import importlib\nfor m in {_modules(name)}: importlib.import_module(m)")
    assert done.returncode == 0, done.stderr


def test_the_ban_is_real() -> None:
    done = _python(BAN + "import kernelbenchx.spec.task")
    assert done.returncode != 0
    assert "torch was imported" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--help",), "Commands:"),
        (("tasks",), "gelu"),
        (("tasks", "--json"), '"published": "Activation"'),
        (("show", "gelu"), "approximate"),
        (("show", "gelu", "--json"), '"entry": "gelu"'),
        (("eval", "--help"), "--device"),
    ],
)
def test_commands_without_torch(arguments: tuple[str, ...], said: str) -> None:
    done = _python(BAN + KBX, *arguments)
    assert done.returncode == 0, done.stderr
    assert said in done.stdout


def test_query_without_torch(tmp_path: Path) -> None:
    from kernelbenchx.store.database import writing
    from kernelbenchx.store.layout import RunFolder
    from samples import evaluation

    with writing(RunFolder(tmp_path)) as database:
        database.append("key", evaluation("mine"), "source")
    done = _python(BAN + KBX, "query", str(tmp_path), "select submission from evaluations")
    assert done.returncode == 0, done.stderr
    assert "mine" in done.stdout


def test_a_command_that_needs_torch_says_so_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "relu.py").write_text("def relu(input): return input\n")
    done = _python(ABSENT + KBX, "eval", str(tmp_path / "relu.py"), "--out", str(tmp_path / "run"))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "install the extra" in done.stderr
