import ast
import importlib
import itertools
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import kernelbenchx.tasks
from kernelbenchx import catalog
from kernelbenchx.catalog import facts as module
from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.errors import BrokenTask
from kernelbenchx.core.record import to_json


@pytest.mark.parametrize("name", catalog.names())
def test_facts_of_the_index_equal_the_loaded_task(name: str) -> None:
    read, task = facts(name), catalog.load(name)
    assert read.entry == task.entry
    assert read.form == task.form
    assert read.difficulty == task.difficulty
    assert read.audit == task.audit
    assert set(read.covered) == set(task.audit)
    assert read.scopes[0] == "core"
    assert task.space is None or {*task.space.scopes, "scale"} == {*read.scopes}
    assert read.writes == task.writes
    assert read.inert == task.inert
    assert read.randomness == task.randomness
    assert read.contract.kind == type(task.contract).__name__
    assert read.dtypes == tuple(str(dtype).removeprefix("torch.") for dtype in task.dtypes)
    parameters = task.signature.parameters.values()
    assert [(p.name, p.kind, p.has_default) for p in read.parameters] == [
        (p.name, p.kind.name, p.default is not p.empty) for p in parameters
    ]


@pytest.mark.parametrize("name", catalog.function_names())
def test_published_names_categories_and_codes_are_kept(name: str, shared: Path) -> None:
    rows = [json.loads(line) for line in _lines(shared / "data/catalogue.jsonl")]
    published = next(row for row in rows if row["name"] == facts(name).name)
    assert facts(name).published == published["category"]
    # Eight files of 16-bit variants are not among the 176 listed tasks: neither graded nor audited.
    graded = facts(name).difficulty if published["in_176"] else None
    assert graded == published["difficulty"]
    audited = [line.split(",") for line in _lines(shared / "data/audit.csv")]
    codes = [line[3] for line in audited if line[1] == facts(name).name]
    assert len(codes) == published["in_176"]
    assert set(facts(name).audit) == set(" ".join(codes).split())


OTHER_SIGNATURES = {
    # Without scales no code but 0 would be rounded, and `approximate` would change nothing.
    "activation/gelu_int8": "gelu_int8(input, approximate='none', *, scale_in=1.0, scale_out=1.0)",
    # One name for the tensor that is written, in all tasks.
    "activation/tanh": "tanh(input, out=None)",
    # One step of the published class: its tensors in place of `params`.
    "optimizer/Adam": "Adam(param, grad, exp_avg, exp_avg_sq, step, lr=0.001, betas=(0.9, 0.999), "
    "eps=1e-08, weight_decay=0)",
}
"""What counts where the recorded signature of a published task does not, and why."""


@pytest.mark.parametrize("name", catalog.function_names())
def test_parameters_are_the_published_ones(name: str, shared: Path) -> None:
    published = OTHER_SIGNATURES.get(name) or _published_signature(shared, name)
    assert _differences(facts(name).signature, published) == []


def test_every_signature_that_counts_instead_is_needed(shared: Path) -> None:
    for name, other in OTHER_SIGNATURES.items():
        assert _differences(other, _published_signature(shared, name)), name


@pytest.mark.parametrize(
    ("own", "differ"),
    [
        ("f(input: Tensor, p: float=0.50, *, out=None) -> Tensor", []),
        ("f(x, /, p=0.5, *, out=None)", []),  # its name is of no use to a caller
        ("f(x, p=0.5, *, out=None)", ["x for input"]),
        ("f(input, p=0.1, *, out=None)", ["p=0.1 for p=0.5"]),
        ("f(input, p, *, out=None)", ["p for p=0.5"]),
        ("f(input, *, p=0.5, out=None)", ["*, p=0.5 for p=0.5"]),
        ("f(p=0.5, input=None, *, out=None)", ["p=0.5 for input", "input=None for p=0.5"]),
        ("f(input, p=0.5)", ["nothing for *, out=None"]),
        ("f(input, p=0.5, *, out=None, eps=0)", ["*, eps=0 for nothing"]),
    ],
)
def test_parameters_that_differ_are_named(own: str, differ: list[str]) -> None:
    assert _differences(own, "f(input, p=0.5, *, out=None)") == differ


def _published_signature(shared: Path, name: str) -> str:
    rows = map(json.loads, _lines(shared / "data/catalogue.jsonl"))
    return next(str(row["signature"]) for row in rows if row["name"] == facts(name).name)


def _differences(own: str, published: str) -> list[str]:
    """Parameters by place: name, default, and whether only a keyword gives it.

    Parameters that are positional-only here may have another name there: no call can use it.
    """
    free, given = _parameters(own)
    _, wanted = _parameters(published)
    pairs = list(itertools.zip_longest(given, wanted, fillvalue="nothing"))
    some = [(a.partition("=")[1:], b.partition("=")[1:]) for a, b in pairs[:free]]
    found = [pair for pair, (a, b) in zip(pairs, some, strict=False) if a != b]
    found += [pair for pair in pairs[free:] if pair[0] != pair[1]]
    return [f"{a} for {b}" for a, b in found]


def _parameters(signature: str) -> tuple[int, list[str]]:
    """How many are positional-only, and each as it is written, without its type."""
    made = ast.parse(f"def {signature}: ...").body[0]
    assert isinstance(made, ast.FunctionDef)
    found = made.args
    places = [*found.posonlyargs, *found.args]
    defaults = [None] * (len(places) - len(found.defaults)) + list(found.defaults)
    written = [_written(one, value) for one, value in zip(places, defaults, strict=True)]
    written += [f"*{found.vararg.arg}"] if found.vararg else []
    by_name = zip(found.kwonlyargs, found.kw_defaults, strict=True)
    written += [f"*, {_written(one, value)}" for one, value in by_name]
    return len(found.posonlyargs), written + ([f"**{found.kwarg.arg}"] if found.kwarg else [])


def _written(parameter: ast.arg, default: ast.expr | None) -> str:
    return parameter.arg + (f"={ast.unparse(default)}" if default is not None else "")


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_reading_facts_imports_neither_torch_nor_triton() -> None:
    program = (
        "import sys; from kernelbenchx import catalog;"
        "from kernelbenchx.catalog.statement import statement;"
        "[statement(name).text() for name in catalog.names()];"
        "sys.exit(bool({'torch', 'triton', 'numpy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


TASK = """import torch
from kernelbenchx.spec import Call, Close, Cost, Task


def broken(x: torch.Tensor) -> torch.Tensor:
    return x


TASK = Task(
    reference=broken, inputs=Call, cost=Cost, contract=Close(), checks=(), timings=(),
    mutants=(), dtypes=(torch.float32,), difficulty=1,
)
"""


@pytest.fixture
def edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file of a task that no index knows."""
    path = tmp_path / "edited" / "broken.py"
    path.parent.mkdir()
    path.write_text(TASK)
    load = catalog.load
    monkeypatch.setattr(kernelbenchx.tasks, "__path__", [str(tmp_path)])
    monkeypatch.setattr(catalog, "ROOT", tmp_path)
    importlib.invalidate_caches()
    yield path
    for one in [one for one in sys.modules if one.startswith("kernelbenchx.tasks.edited")]:
        del sys.modules[one]
    load.cache_clear()
    facts.cache_clear()


def test_a_reference_may_be_made_by_a_function(edited: Path) -> None:
    made = "def made():\n    def broken(x):\n        return -x * 2\n    return broken\n\n\nTASK ="
    text = TASK.replace("TASK =", made).replace("reference=broken", "reference=made()")
    edited.write_text(text.replace("def broken(x: torch", "def other(x: torch"))
    assert facts("edited/broken").signature == "broken(x)"
    assert facts("edited/broken").structure.arithmetic == 1


@pytest.mark.usefixtures("edited")
def test_a_task_that_the_index_does_not_know_is_loaded() -> None:
    assert facts("edited/broken").signature == "broken(x: torch.Tensor) -> torch.Tensor"


def test_a_file_that_changed_is_loaded_and_others_are_not(
    edited: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = facts("edited/broken")
    index = edited.with_name("index.json")
    monkeypatch.setattr(module, "INDEX", index)
    for digest, difficulty in ((known.digest, 5), ("of the file before", 1)):
        written = msgspec.structs.replace(known, difficulty=5, digest=digest)
        index.write_bytes(to_json({"edited/broken": written}))
        module._index.cache_clear()
        facts.cache_clear()
        assert facts("edited/broken").difficulty == difficulty
    module._index.cache_clear()


def test_without_torch_an_index_that_is_out_of_date_says_what_to_do(
    edited: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_name: str) -> None:
        raise ModuleNotFoundError("No module named 'torch'")

    monkeypatch.setattr(catalog, "load", missing)
    with pytest.raises(BrokenTask, match="make index"):
        facts("edited/broken")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x = (", "never closed"),
        ("TASK = 3\n", "TASK is a int"),
        ("from kernelbenchx.spec import Task\nTASK = Task(difficulty=1)\n", "missing"),
        (TASK.replace("reference=broken", "reference=lambda x: x"), "not defined by"),
        (TASK.replace("reference=broken", "reference=torch.relu"), "no source"),
        (TASK.replace("TASK =", "broken.__name__ = 'other'\nTASK ="), "not defined as other"),
    ],
)
def test_a_file_that_does_not_keep_to_the_form_is_an_error(
    text: str, why: str, edited: Path
) -> None:
    edited.write_text(text)
    with pytest.raises(BrokenTask, match=why):
        facts("edited/broken")
