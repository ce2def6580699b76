"""The wheel that users install: what is in it, what it says of itself, and that it works."""

import configparser
import json
import subprocess
import sys
import tomllib
from email.message import Message
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest

import bare_environment
import kernelbenchx
from bare_environment import Environment

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "kernelbenchx"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the checkout, as pip builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=240)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    with ZipFile(wheel) as opened:
        return {name.removeprefix("kernelbenchx/") for name in opened.namelist()}


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    with ZipFile(wheel) as opened:
        (name,) = [one for one in opened.namelist() if one.endswith(".dist-info/METADATA")]
        return Parser().parsestr(opened.read(name).decode())


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return bare_environment.install(tmp_path_factory.mktemp("installed"), wheel)


def test_it_has_the_code_the_samples_and_the_built_app(names: set[str]) -> None:
    samples = {f"demo/{path.name}" for path in (PACKAGE / "demo").iterdir() if path.is_file()}
    built = {f"report/site/built/{path.name}" for path in (PACKAGE / "report/site/built").iterdir()}
    assert len(samples) == 15 and len(built) == 5
    code = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py")}
    studies = {f"study/shipped/{path.name}" for path in (PACKAGE / "study/shipped").iterdir()}
    assert len(studies) == 3
    assert samples | built | code | studies | {"py.typed", "catalog/index.json"} <= names


def test_it_has_no_sources_of_the_app_and_nothing_but_the_package(names: set[str]) -> None:
    site = {name for name in names if name.startswith("report/site/")}
    assert site == {name for name in site if name.startswith("report/site/built/")}
    assert (PACKAGE / "report/site/source").is_dir(), "they stay in the repository"
    strange = [
        name for name in names if ".dist-info/" not in name and not (PACKAGE / name).exists()
    ]
    assert strange == []
    assert not any("__pycache__" in name or "node_modules" in name for name in names)


def test_its_version_is_that_of_the_package_and_written_once(metadata: Message) -> None:
    assert metadata["Version"] == kernelbenchx.__version__
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "version" not in project and project["dynamic"] == ["version"]


def test_it_names_the_pythons_that_it_supports(metadata: Message) -> None:
    classifiers = metadata.get_all("Classifier", [])
    known = [one.rpartition(" ")[2] for one in classifiers if ":: Python :: 3." in one]
    assert known == ["3.11", "3.12", "3.13"]
    assert metadata["Requires-Python"] == "<3.14,>=3.11"
    assert "Typing :: Typed" in classifiers and metadata["License-Expression"] == "Apache-2.0"


def test_the_command_has_a_name_that_no_other_package_has(wheel: Path) -> None:
    with ZipFile(wheel) as opened:
        (name,) = [one for one in opened.namelist() if one.endswith("entry_points.txt")]
        said = configparser.ConfigParser()
        said.read_string(opened.read(name).decode())
    scripts = dict(said["console_scripts"])
    assert set(scripts) == {"kbx", "kernelbenchx"} and len(set(scripts.values())) == 1


def test_it_points_at_no_address_that_is_not_known(metadata: Message) -> None:
    assert metadata.get_all("Project-URL") is None and metadata["Home-page"] is None


@pytest.mark.slow
def test_the_demo_runs_from_it(installed: Environment, tmp_path: Path) -> None:
    found = installed.run("-c", "import kernelbenchx; print(kernelbenchx.__file__)")
    assert Path(found.stdout.strip()).is_relative_to(installed.python.parents[1]), found.stderr
    words = ("demo", "relu__*", "gelu__honest", "--out", "runs/demo", "--json")
    done = installed.run("-m", "kernelbenchx", *words, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["outcomes"] == {
        "gelu__honest": "correct",
        "relu__assumes_contiguous": "broken",
        "relu__does_not_compile": "broken",
        "relu__in_cuda": "void",
        "relu__reads_the_disk": "rejected",
        "relu__torch_only": "rejected",
    }
    assert "app.js" in (tmp_path / said["report"]).read_text()


def test_what_is_no_sample_is_refused_in_one_line(installed: Environment, tmp_path: Path) -> None:
    done = installed.run("-m", "kernelbenchx", "demo", "rellu", folder=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "no sample kernel is called 'rellu'" in done.stderr
    assert list(tmp_path.iterdir()) == []
