"""What the tree promises: small files with one job, torch only where it is needed, tests beside."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "kernelbenchx"
DEMO = PACKAGE / "demo"
"""Sample submissions: read as text, one of them not even Python."""
SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != DEMO)
NO_JOB = {"utils", "util", "helpers", "common", "misc", "base", "manager"}
MOST_LINES = 400

TESTED_ELSEWHERE = {
    "attacks/suite": "tests/attacks runs every attack",
    "attacks/controls": "tests/attacks runs every control",
    "attacks/preludes": "tests/attacks runs every attack, with its preludes",
    "tasks": "tests/tasks certifies every task",
    "witnesses": "tests/tasks certifies every task",
    "worker/interpreter": "tests/worker/interpreter probes every repair in a process of its own",
    "worker/main.py": "tests/evaluate/test_pipeline.py, through real workers",
    "worker/own_test.py": "tests/evaluate/test_own_tests.py, through real workers",
    "worker/sessions.py": "tests/evaluate/test_pipeline.py, through real workers",
    "worker/launch_counter.py": "tests/gpu: there are no launches to count without a card",
    "worker/provenance.py": "tests/attacks: memory that no kernel filled",
    "evaluate/stages.py": "tests/evaluate/test_pipeline.py",
    "evaluate/settings_resolution.py": "tests/evaluate/test_session.py",
    "evaluate/run_seed.py": "tests/evaluate/test_session.py",
    "evaluate/workers.py": "tests/evaluate/test_pipeline.py",
    "evaluate/cross_compile.py": "tests/cli/test_compile_.py",
    "cluster/pool_actor.py": "tests/cluster/test_actor_pool.py",
    "certify/wrong_answers.py": "tests/certify/test_certifying.py",
    "certify/task_form.py": "tests/certify/test_certifying.py",
    "certify/valid_outputs.py": "tests/certify/test_certifying.py",
    "certify/problems": "tests/certify/test_problem_certificates.py",
    "catalog/weights.py": "tests/catalog/test_problems.py",
    "core/grades.py": "tests/catalog/test_certificates.py",
    "spec/problem.py": "tests/tasks/test_kernelbench_problems.py",
    "spec/families/problem.py": "tests/tasks/test_kernelbench_problems.py",
    "spec/graph_changes.py": "tests/spec/test_graph_mutants.py",
    "spec/graph_reductions.py": "tests/spec/test_graph_mutants.py",
    "spec/operation.py": "tests/spec/test_graph_mutants.py",
    "spec/forward_interceptor.py": "tests/spec/test_rounded_steps.py",
    "spec/intermediates.py": "tests/spec/test_rounded_steps.py",
    "spec/product_terms.py": "tests/spec/test_rounded_steps.py",
    "spec/reordered_sums.py": "tests/spec/test_rounded_steps.py",
    "spec/textbook_formulas.py": "tests/spec/test_rounded_steps.py",
    "problem_worker/serve.py": "tests/runner/test_problem_files.py, through a real sandbox",
    "runner/toolchain.py": "tests/evaluate/test_session.py",
}
"""Where the test is that has another name."""

DECLARATIONS = frozenset(
    {
        "checks/torch_operators.py",
        "cli/model_options.py",
        "core/environment.py",
        "core/errors.py",
        "core/outcome.py",
        "core/trial.py",
        "evaluate/evaluation_state.py",
        "evaluate/engine.py",
        "evaluate/watcher.py",
        "generate/method.py",
        "generate/model.py",
        "study/study_schema.py",
        "spec/contract.py",
        "spec/cost.py",
        "spec/mutants.py",
        "worker/timing/program.py",
    }
)
"""Files without behaviour of their own: records, protocols, exceptions."""

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
    "analysis",
    "report",
    "export",
    "catalog.digests",
    "catalog.facts",
    "catalog.index",
    "catalog.statement",
    "catalog.source_structure",
    "catalog.certificates",
    "catalog.witness",
    "cli.main",
    "cli.tasks",
    "cli.show",
    "cli.evaluation_detail",
    "cli.evaluation_json",
    "cli.export",
    "cli.generate",
    "cli.study",
    "cli.activity",
    "cli.query",
    "cli.analyze",
    "cli.analysis_registry",
    "cli.tables",
    "evaluate.session",
    "evaluator",
    "generate",
    "study",
    "measure.statistics",
    "measure.aggregates",
    "measure.suite",
    "rewards",
    "runs",
    "task_info",
)


def _name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def _python(program: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        timeout=240,
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
    document = (ROOT / "docs" / "explanation" / "architecture.md").read_text()
    tree = document.partition("## The tree")[2].partition("\n## ")[0]
    named = {name for name, _ in _rows(tree)}
    packages = {
        _name(init.parent)
        for init in SOURCES
        if init.stem == "__init__" and init.parent != PACKAGE and init.parent.parent.name != "tasks"
    }
    assert named == packages | {"witnesses", "demo"}, "which are read, and are no packages"


def _rows(document: str) -> list[tuple[str, str]]:
    """Packages and their layers, as the document has them."""
    return re.findall(r"^\| `([a-z_/]+)/` \| (\d+|-) \|", document, flags=re.M)


def test_the_document_has_the_layers_that_are_enforced() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    lines = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    enforced = {
        name.removeprefix("kernelbenchx."): str(layer)
        for layer, line in enumerate(reversed(lines), 1)
        for name in line.split(" | ")
    }
    rows = _rows((ROOT / "docs" / "explanation" / "architecture.md").read_text())
    assert rows
    for name, layer in rows:
        assert layer == enforced.get(name.partition("/")[0], "-"), name


def test_sessions_are_opened_by_the_evaluator() -> None:
    """All others use the public API; models leave more in a run than it offers."""
    files = [*SOURCES, *(ROOT / "scripts").glob("*.py"), *(ROOT / "benchmarks").glob("*.py")]
    opened = re.compile(r"^ *from kernelbenchx\.evaluate\.session import .*\bRunSession\b", re.M)
    found = {path.name for path in files if opened.search(path.read_text())}
    assert found == {"evaluator.py", "write_run.py"}


def test_every_source_file_has_its_test() -> None:
    missing = set()
    for path in SOURCES:
        name = _name(path)
        exempt = path.stem.startswith("__") or any(name.startswith(f) for f in TESTED_ELSEWHERE)
        mirrored = ROOT / "tests" / path.parent.relative_to(PACKAGE) / f"test_{path.stem}.py"
        if not exempt and not mirrored.is_file():
            missing.add(name)
    assert missing == DECLARATIONS


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
        (("show", "gelu", "--witness"), "def gelu("),
        (("eval", "--help"), "--device"),
        (("generate", "--help"), "one_shot"),
    ],
)
def test_commands_without_torch(arguments: tuple[str, ...], said: str) -> None:
    done = _python(BAN + KBX, *arguments)
    assert done.returncode == 0, done.stderr
    assert said in done.stdout


@pytest.mark.parametrize(
    "words", [("query", "RUN", "select submission from evaluations"), ("show", "RUN", "mine")]
)
def test_runs_are_read_without_torch(tmp_path: Path, words: tuple[str, ...]) -> None:
    from kernelbenchx.store.database import writing
    from kernelbenchx.store.layout import RunFolder
    from samples import evaluation, timed

    with writing(RunFolder(tmp_path)) as database:
        database.append("key", evaluation("mine", performance=timed()), "source")
    done = _python(BAN + KBX, *(word.replace("RUN", str(tmp_path)) for word in words))
    assert done.returncode == 0, done.stderr
    assert "mine" in done.stdout


def test_a_command_that_needs_torch_says_so_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "relu.py").write_text("def relu(input): return input\n")
    done = _python(ABSENT + KBX, "eval", str(tmp_path / "relu.py"), "--out", str(tmp_path / "run"))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "install the extra" in done.stderr
