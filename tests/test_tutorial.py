"""The tutorial shows what its commands print."""

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]


@cache
def _script() -> ModuleType:
    where = ROOT / "scripts" / "run_tutorial.py"
    spec = importlib.util.spec_from_file_location("run_tutorial", where)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all pages: later pages read the runs of earlier ones."""
    return tmp_path_factory.mktemp("tutorial")


def test_pages_show_what_their_commands_print(folder: Path) -> None:
    script = _script()
    for path in script.PAGES:
        page = path.read_text(encoding="utf-8")
        assert "```console\n$ kbx " in page
        shown = script.steady(script.refreshed(page, folder))
        assert shown == script.steady(page), "run python scripts/run_tutorial.py --write"


def test_another_output_is_noticed(tmp_path: Path) -> None:
    page = "```console\n$ echo right\nwrong\n```\n"
    assert _script().refreshed(page, tmp_path) == page.replace("wrong", "right")


def test_a_command_that_fails_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="exit 3"):
        _script().refreshed("```console\n$ exit 3\n```\n", tmp_path)
