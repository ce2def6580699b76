import json
import subprocess
import sys
from pathlib import Path

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.core.errors import BrokenTask


@pytest.mark.parametrize("name", catalog.names())
def test_facts_read_from_the_file_equal_the_loaded_task(name: str) -> None:
    read, task = facts(name), catalog.load(name)
    assert read.entry == task.entry
    assert read.form == task.form
    assert read.difficulty == task.difficulty
    assert read.audit == task.audit
    assert read.writes == task.writes
    assert read.inert == task.inert
    assert read.randomness == task.randomness
    assert read.contract.kind == type(task.contract).__name__
    assert read.dtypes == tuple(str(dtype).removeprefix("torch.") for dtype in task.dtypes)
    parameters = task.signature.parameters.values()
    assert [(p.name, p.kind, p.has_default) for p in read.parameters] == [
        (p.name, p.kind.name, p.default is not p.empty) for p in parameters
    ]


@pytest.mark.parametrize("name", catalog.names())
def test_published_names_categories_and_codes_are_kept(name: str, shared: Path) -> None:
    rows = [json.loads(line) for line in _lines(shared / "data/catalogue.jsonl")]
    published = next(row for row in rows if row["name"] == facts(name).name)
    assert facts(name).published == published["category"]
    assert facts(name).difficulty == published["difficulty"]
    audited = _lines(shared / "data/audit.csv")
    codes = next(line for line in audited if line.split(",")[1] == facts(name).name).split(",")[3]
    assert set(facts(name).audit) == set(codes.split())


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


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x = (", "never closed"),
        ("TASK = 3\n", "not made by Task"),
        ("TASK = Task(reference=f)\n", "not defined"),
        ("def f(x): ...\nTASK = Task(reference=f)\n", "missing"),
        ("def f(x): ...\nTASK = Task(reference=f, difficulty=1 + g())\n", "not a literal"),
        ("TASK = replace(other.TASK, difficulty=1)\n", "not imported"),
    ],
)
def test_a_file_that_does_not_keep_to_the_form_is_an_error(
    text: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "math").mkdir()
    (tmp_path / "math" / "broken.py").write_text(text)
    monkeypatch.setattr(catalog, "ROOT", tmp_path)
    with pytest.raises(BrokenTask, match=why):
        facts("math/broken")
