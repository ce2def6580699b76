import hashlib
import json
from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.report.build import APP, build
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation


def test_the_site_is_complete(site: Path) -> None:
    assert (site / "index.html").is_file()
    assert {path.name for path in (site / "app").iterdir()} == {"app.js", "app.css", "LICENSES.txt"}
    assert len(list((site / "data" / "tasks").iterdir())) == 12


def test_a_report_is_replaced_and_anything_else_is_not(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "site"
    build([run], out)
    (out / "data" / "old.js").write_text("stale")
    build([run], out)
    assert not (out / "data" / "old.js").exists()
    other = tmp_path / "photos"
    other.mkdir()
    (other / "me.jpg").write_text("precious")
    with pytest.raises(BadInput, match="exists and is not a kbx report"):
        build([run], other)
    assert (other / "me.jpg").read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["photos", "site"]


def test_where_nothing_can_be_written_the_error_names_the_folder(run: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    long = tmp_path / ("a" * 300)
    for out, why in (
        (Path("/proc/site"), "No such file|Permission denied|not permitted"),
        (tmp_path / "file" / "site", "file is a file"),
        (tmp_path / "file" / "deep" / "site", "Not a directory"),
        (long, "File name too long"),
    ):
        with pytest.raises(BadInput, match=f"cannot write the report {out}: .*({why})"):
            build([run], out)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_run_without_evaluations_is_refused(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path / "empty")):
        pass
    with pytest.raises(BadInput, match="hold no evaluation"):
        build([tmp_path / "empty"], tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_a_run_of_the_interpreter_makes_a_report(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path / "run")) as database:
        database.append("key", evaluation("mine"), "source")
    built = build([tmp_path / "run"], tmp_path / "site")
    assert (built.evaluations, built.tasks, built.methods) == (1, 1, 1)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_app_is_built_from_its_sources_as_they_are() -> None:
    folder = APP.parent
    kept = json.loads((APP / "digests.json").read_text())
    sources = [folder / name for name in ("build.mjs", "package.json", "package-lock.json")]
    sources += [folder / "tsconfig.json", *sorted((folder / "source").rglob("*"))]
    found = {
        path.relative_to(folder).as_posix(): _digest(path) for path in sources if path.is_file()
    }
    assert found == kept["sources"], "the sources of the app changed: run `make site`"


def test_the_built_files_are_as_the_build_left_them() -> None:
    kept = json.loads((APP / "digests.json").read_text())["built"]
    shipped = {f"built/{path.name}" for path in APP.iterdir()} - {"built/digests.json"}
    assert kept == {name: _digest(APP.parent / name) for name in shipped}


def test_every_bundled_package_ships_its_licence() -> None:
    licences = (APP / "LICENSES.txt").read_text()
    wanted = json.loads((APP.parent / "package.json").read_text())["dependencies"]
    assert [name for name in wanted if f"{name} {wanted[name]} (" not in licences] == []


def test_sources_of_the_app_are_short_and_make_no_markup_of_text() -> None:
    for path in (APP.parent / "source").rglob("*.ts*"):
        text = path.read_text()
        assert len(text.splitlines()) <= 300, path
        for forbidden in ("innerHTML", "dangerouslySetInnerHTML", "insertAdjacentHTML", "eval("):
            assert forbidden not in text, path
