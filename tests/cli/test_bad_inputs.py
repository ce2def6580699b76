"""What cannot be read is one line and exit code 2; the good file beside it is judged."""

import gzip
import json
import os
import socket
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from cli_types import Kbx
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.submission import Submission
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from samples import evaluation

RELU = witness_source("activation/relu")
Make = Callable[[Path], Path]


def _file(name: str, content: bytes | str) -> Make:
    def make(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def _named(name: bytes) -> Make:
    """A file with a task that nobody knows, whose name is these bytes."""

    def make(folder: Path) -> Path:
        path = folder / os.fsdecode(name)
        path.write_text(RELU)
        return path

    return make


def _row(**values: object) -> Make:
    return _file("set.jsonl", json.dumps(values))


def _folder(*names: str) -> Make:
    def make(folder: Path) -> Path:
        for name in names:
            path = folder / "mine" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("class Model: ...\n")
        (folder / "mine").mkdir(exist_ok=True)
        return folder / "mine"

    return make


def _at(name: str, create: Callable[[Path], object]) -> Make:
    def make(folder: Path) -> Path:
        create(folder / name)
        return folder / name

    return make


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        here = Path.cwd()
        os.chdir(path.parent)  # the path of a socket is short
        made.bind(path.name)
        os.chdir(here)


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate((64 << 20) + 1)


def _run(change: Callable[[Path], object], *, empty: bool = False) -> Make:
    """A run with evaluations, and then something happens to its database."""

    def make(folder: Path) -> Path:
        with writing(RunFolder(folder / "run")) as database:
            for number in range(0 if empty else 60):
                kept = Submission(name=f"k{number}", task="activation/relu", source=RELU * 20)
                one = evaluation(kept.name)
                database.append(f"{number:064}", one, f"{kept.source}{number}")
        change(folder / "run" / "run.sqlite")
        return folder / "run"

    return make


def _sql(*statements: str) -> Callable[[Path], None]:
    def change(database: Path) -> None:
        connection = sqlite3.connect(database)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()

    return change


def _cut(share: float) -> Callable[[Path], None]:
    def change(database: Path) -> None:
        os.truncate(database, int(database.stat().st_size * share))

    return change


def _overwrite(start: float, length: int, value: bytes = b"\xa5") -> Callable[[Path], None]:
    """From a share of the file on, so many bytes."""

    def change(database: Path) -> None:
        with database.open("r+b") as file:
            file.seek(int(database.stat().st_size * start))
            file.write(value * length)

    return change


def _replace(content: bytes) -> Callable[[Path], object]:
    return lambda database: database.write_bytes(content)


def _make_foreign(database: Path) -> None:
    database.unlink()
    _sql("CREATE TABLE t (x)")(database)


def _study(folder: Path) -> Path:
    _run(lambda _: None)(folder / "study" / "runs")
    (folder / "study" / "study.json").write_text("{}")
    return folder / "study"


def _mistyped(folder: Path) -> Path:
    _run(lambda _: None)(folder)
    return folder / "rnu"


BAD: dict[str, tuple[Make, str]] = {
    # Names and paths.
    "missing": (lambda folder: folder / "nowhere.py", "does not exist"),
    "mistyped": (lambda folder: folder / "realu.py", "did you mean"),
    "mistyped run": (_mistyped, "did you mean"),
    "in a file": (lambda folder: folder / "relu.py" / "x.py", "does not exist"),
    "too long a name": (lambda folder: folder / ("x" * 300 + ".py"), "File name too long"),
    "unknown task": (_named(b"plotting.py"), "no task called 'plotting'"),
    "line break in a name": (_named(b"a\nb.py"), "no task called 'a b'"),
    "escape codes in a name": (_named(b"\x1b[31mred.py"), "no task called"),
    "carriage return in a name": (_named(b"a\rb.py"), "no task called 'a b'"),
    "line separator in a name": (_named("a\u2028b.py".encode()), "no task called 'a b'"),
    "turned text in a name": (_named("a\u202eb.py".encode()), "no task called 'a b'"),
    "bell in a name": (_named(b"a\x07b.py"), "no task called 'a b'"),
    "a name that is not UTF-8": (_named(b"\xff\xfe.py"), "no task called"),
    "markup in a name": (_named(b"[bold]x.py"), "[bold]x.py"),
    "a problem that is not here": (
        _named(b"level_1_problem_9999_sample_0_kernel.py"),
        "--problems",
    ),
    "no suffix": (_file("relu", RELU), "expected a .py"),
    "notebook": (_file("relu.ipynb", "{}"), "expected a .py"),
    "JSON": (_file("relu.json", "{}"), "expected a .py"),
    "archive": (_file("relu.zip", b"PK\x03\x04"), "expected a .py"),
    "bytecode": (_file("relu.pyc", b"\xa7\r\r\n"), "expected a .py"),
    "device": (lambda _: Path("/dev/zero"), "expected a .py"),
    # Files.
    "pipe": (_at("relu__pipe.py", os.mkfifo), "is not a file"),
    "pipe of rows": (_at("rows.jsonl", os.mkfifo), "is not a file"),
    "socket": (_at("relu__s.py", _socket), "is not a file"),
    "dead link": (_at("relu__d.py", lambda path: path.symlink_to("gone")), "does not exist"),
    "link to itself": (_at("relu__l.py", lambda path: path.symlink_to(path.name)), ""),
    "too large": (_at("relu__large.py", _sparse), "larger than 64 MiB"),
    "Latin-1": (_file("relu__l1.py", b"# na\xefve\n"), "not UTF-8"),
    "UTF-16": (_file("relu__u16.py", RELU.encode("utf-16")), "not UTF-8"),
    "half a character": (_file("relu__half.py", RELU.encode() + b"# \xe2\x88"), "not UTF-8"),
    "half of a pair": (_file("relu__pair.py", b"# \xed\xa0\x80\n"), "not UTF-8"),
    "compressed": (_file("relu__gz.py", gzip.compress(RELU.encode())), "not UTF-8"),
    "pickled": (_file("relu__p.py", b"\x80\x04N."), "not UTF-8"),
    "picture": (_file("relu__png.md", b"\x89PNG\r\n\x1a\n\xff"), "not UTF-8"),
    "reply in Latin-1": (_file("relu__r.txt", b"r\xe9ponse"), "not UTF-8"),
    "CUDA in Latin-1": (_file("relu__c.cu", b"// \xe9\n"), "not UTF-8"),
    # Data sets.
    "no rows": (_file("set.jsonl", ""), "holds no rows"),
    "blank rows": (_file("set.jsonl", "\n \n\n"), "holds no rows"),
    "no JSON": (_file("set.jsonl", "file,predict\n"), "set.jsonl:1: not JSON"),
    "cut off": (_file("set.jsonl", '{"file": "relu.py", "pre'), "not JSON"),
    "single quotes": (_file("set.jsonl", "{'file': 'relu.py'}"), "not JSON"),
    "two objects in a row": (_file("set.jsonl", "{} {}"), "not JSON"),
    "list": (_file("set.jsonl", "[]"), "expected an object"),
    "number": (_file("set.jsonl", "7"), "expected an object"),
    "null": (_file("set.jsonl", "null"), "expected an object"),
    "key twice": (_file("set.jsonl", '{"file": "a", "file": "b"}'), "comes twice"),
    "nested too deeply": (_file("set.jsonl", "[" * 200_000), "nested too deeply"),
    "huge number": (_file("set.jsonl", '{"id": ' + "9" * 5000 + "}"), "not JSON"),
    "rows in Latin-1": (_file("set.jsonl", b'{"file": "\xe9"}'), "not UTF-8"),
    "rows in UTF-16": (_file("set.jsonl", '{"file": 1}'.encode("utf-16")), "not UTF-8"),
    "too long a row": (_file("set.jsonl", b" " * (16 << 20) + b"{}"), "longer than 16 MiB"),
    "no reply": (_row(file="relu.py"), "expected text in `predict`"),
    "reply is null": (_row(file="relu.py", predict=None), "expected text in `predict`"),
    "reply is a list": (_row(file="relu.py", predict=[RELU]), "expected text in `predict`"),
    "no task": (_row(predict=RELU), "expected text in `file`"),
    "task is a number": (_row(file=3, predict=RELU), "expected text in `file`"),
    "no entry": (_row(instruction="write relu", predict=RELU), "expected text in `file`"),
    "control characters in an id": (_row(id="a\x1b[2J\nb", file=3, predict=""), "`file`"),
    # Folders.
    "empty folder": (_folder(), "holds no submission"),
    "folder of notes": (_folder("notes.txt", "README.md"), "holds no submission"),
    "folder of KernelBench": (_folder("level1/19_ReLU.py", "level2/1_X.py"), "--problems"),
    "KernelBench as it is cloned": (_folder("KernelBench/level1/19_ReLU.py"), "--problems"),
    "file of KernelBench": (
        lambda folder: _folder("level1/19_ReLU.py")(folder) / "level1/19_ReLU.py",
        "--problems",
    ),
    "folder named as a file": (_at("relu__f.py", Path.mkdir), "holds no submission"),
    "study": (_study, "it is a study: name one of its 1 runs, such as"),
    "folder of runs": (lambda folder: _study(folder) / "runs", "it holds runs"),
    # Runs.
    "run without evaluations": (_run(lambda _: None, empty=True), "holds no submission"),
    "database as a file": (
        lambda folder: _run(lambda _: None)(folder) / "run.sqlite",
        "expected a .py",
    ),
    "empty database": (_run(_replace(b"")), "run"),
    "text as a database": (_run(_replace(b"no database " * 99)), "not a run"),
    "database of something else": (
        _run(_make_foreign),
        "run",
    ),
    "database of another version": (_run(_sql("PRAGMA user_version = 77")), "schema"),
    "table that is missing": (_run(_sql("DROP TABLE sources")), "sources"),
    "record that is a list": (_run(_sql("UPDATE evaluations SET record = '[]'")), "run.sqlite"),
    "record of another kind": (_run(_sql("UPDATE evaluations SET record = '{}'")), "run.sqlite"),
    "record that is a number": (_run(_sql("UPDATE evaluations SET record = 7")), "run.sqlite"),
    "header alone": (_run(lambda database: os.truncate(database, 100)), "run"),
    "half a database": (_run(_cut(0.5)), "run.sqlite"),
    "almost a database": (_run(_cut(0.97)), "run.sqlite"),
    "damaged header": (_run(_overwrite(0, 16)), "not a run"),
    "page size of zero": (
        _run(lambda database: _patch(database, 16, b"\0\0")),
        "run.sqlite",
    ),
    "damaged schema": (_run(lambda database: _patch(database, 100, b"\xa5" * 400)), "run.sqlite"),
    "damaged pages": (_run(_overwrite(0.2, 40_000)), "run.sqlite"),
}


def _patch(database: Path, at: int, value: bytes) -> None:
    with database.open("r+b") as file:
        file.seek(at)
        file.write(value)


@pytest.mark.parametrize("name", BAD)
def test_a_bad_input_is_one_line_and_the_good_file_is_judged(
    kbx_here: Kbx, tmp_path: Path, name: str
) -> None:
    make, words = BAD[name]
    (tmp_path / "relu.py").write_text(RELU)
    bad = make(tmp_path)
    out = tmp_path / "out"
    said = kbx_here("eval", bad, tmp_path / "relu.py", "--stage", "check", "--out", out)
    assert said.returncode == 2, said.stderr
    (line,) = [one for one in said.stderr.splitlines() if one.startswith("not judged, ")]
    assert words in line and line.isprintable()
    assert said.stderr.splitlines()[1:] == ["evaluating 1 submission", "  [1/1] relu: reached"]
    alone = kbx_here("eval", bad, "--stage", "check", "--out", out)
    assert alone.returncode == 2 and alone.stdout == ""
    assert alone.stderr.startswith("kbx: ") and alone.stderr.count("\n") == 1


def test_there_are_enough_bad_inputs() -> None:
    assert len(BAD) >= 60
