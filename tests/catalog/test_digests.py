import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog import digests
from kernelbenchx.catalog.digests import (
    IMPORT,
    certificate_digest,
    collect_imports,
    evaluation_digest,
    task_digest,
)
from kernelbenchx.core.errors import BrokenTask

Digest = Callable[[str], str]
RELU, GELU_BF16 = "activation/relu", "activation/gelu_bf16"
OURS = digests.PACKAGE


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the sources, to be edited."""
    for folder in ("spec", "judge", "tasks", "witnesses", "certify"):
        shutil.copytree(OURS / folder, tmp_path / folder)
    monkeypatch.setattr(digests, "PACKAGE", tmp_path)
    monkeypatch.setattr(catalog, "ROOT", tmp_path / "tasks")
    _forget()
    yield tmp_path
    _forget()


def _forget() -> None:
    kept = (digests.collect_imports, digests._read_imports, digests._defining, digests._text)
    for cached in (*kept, digests._judging_digest):
        cached.cache_clear()


def _changed(package: Path, file: str, name: str) -> list[str]:
    """The digests that differ after an edit of the file."""
    kept: tuple[Digest, ...] = (task_digest, evaluation_digest, certificate_digest)
    before = [one(name) for one in kept]
    with (package / file).open("a") as text:
        text.write("# edited\n")
    _forget()
    pairs = zip(kept, before, strict=True)
    return [one.__name__.removesuffix("_digest") for one, was in pairs if one(name) != was]


@pytest.mark.parametrize(
    ("file", "name", "changed"),
    [
        ("tasks/activation/relu.py", RELU, ["task", "evaluation", "certificate"]),
        ("tasks/activation/gelu.py", GELU_BF16, ["task", "evaluation", "certificate"]),
        ("tasks/activation/gelu.py", RELU, []),
        ("witnesses/activation/relu.py", RELU, ["certificate"]),
        ("witnesses/activation/gelu.py", GELU_BF16, []),
        ("spec/exact.py", RELU, ["evaluation", "certificate"]),
        ("spec/inputs.py", RELU, ["evaluation", "certificate"]),
        ("spec/quantized.py", RELU, ["evaluation"]),
        ("spec/quantized.py", "quantization/matmul_w8a8", ["evaluation", "certificate"]),
        ("spec/sabotage.py", RELU, ["evaluation", "certificate"]),
        ("judge/correctness.py", RELU, ["evaluation"]),
        ("certify/wrong_answers.py", RELU, ["certificate"]),
        ("certify/mutation/operators.py", RELU, ["certificate"]),
        ("certify/mutation/running.py", RELU, []),
        ("certify/certifier.py", RELU, []),
    ],
)
def test_a_digest_changes_with_what_it_depends_on_and_with_nothing_else(
    package: Path, file: str, name: str, changed: list[str]
) -> None:
    assert _changed(package, file, name) == changed


def test_names_that_a_package_exports_lead_to_the_files_that_define_them() -> None:
    used = {path.stem for path in collect_imports(catalog.path_of("linear_algebra/qr"))}
    assert {"qr", "properties", "decomposition_laws", "task", "cases"} <= used
    assert not {"close", "__init__", "sabotage"} & used


def test_every_import_has_the_form_that_is_looked_for() -> None:
    for folder in ("spec", "tasks"):
        for path in (OURS / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            lines = re.findall(r"^\s*(?:from|import) (?:kernelbenchx|\.).*$", text, re.MULTILINE)
            assert len(lines) == len(IMPORT.findall(text)), path


def test_a_task_without_a_file_is_an_error_that_names_it() -> None:
    with pytest.raises(BrokenTask, match=r"activation/nothing\.py"):
        task_digest("activation/nothing")
