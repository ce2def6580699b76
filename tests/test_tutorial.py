"""The tutorial shows what its commands print."""

from pathlib import Path

import pytest

from script_files import script

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all pages: later pages read the runs of earlier ones."""
    return tmp_path_factory.mktemp("tutorial")


@pytest.mark.slow
def test_pages_show_what_their_commands_print(folder: Path) -> None:
    tutorial = script("run_tutorial")
    for path in tutorial.PAGES:
        page = path.read_text(encoding="utf-8")
        assert "```console\n$ kbx " in page
        shown = tutorial.steady(tutorial.refreshed(page, folder))
        assert shown == tutorial.steady(page), "run python scripts/run_tutorial.py --write"


def test_another_output_is_noticed(tmp_path: Path) -> None:
    page = "```console\n$ echo right\nwrong\n```\n"
    assert script("run_tutorial").refreshed(page, tmp_path) == page.replace("wrong", "right")


def test_a_command_that_fails_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="exit 3"):
        script("run_tutorial").refreshed("```console\n$ exit 3\n```\n", tmp_path)
