"""A new root holds what was asked for, read-only, with the hidden parts empty."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kernelbenchx.runner import readable_paths
from kernelbenchx.runner.isolation import Level, detect

INSIDE = """
import json, os, sys
from kernelbenchx.worker import namespaces, private_root
at, roots, hidden = sys.argv[1], *map(json.loads, sys.argv[2:4])
namespaces.enter(mapped=os.geteuid() != 0)
private_root.build(at, tuple(roots), tuple(hidden))
private_root.switch(at)

def attempt(action):
    try:
        return action()
    except OSError as error:
        return type(error).__name__ if error.errno != 30 else "read-only"

print(json.dumps({
    "pid": os.getpid(),
    "root": sorted(os.listdir("/")),
    **{path: attempt(lambda: sorted(os.listdir(path))) for path in json.loads(sys.argv[4])},
    "write": attempt(lambda: open("/new", "w").close()),
    "write bound": attempt(lambda: open(roots[0] + "/new", "w").close()),
    "write private": attempt(lambda: open(private_root.PRIVATE + "/new", "w").close()),
    "link": os.path.realpath("/tmp"),
}))
"""


def inside(at: Path, roots: list[Path], hidden: list[Path], listed: list[Path]) -> Any:
    if sys.platform != "linux" or detect().level < Level.L3:
        pytest.skip("needs namespaces")
    source = Path(readable_paths.__file__).parents[2]
    lists = [json.dumps([str(path) for path in paths]) for paths in (roots, hidden, listed)]
    done = subprocess.run(
        [sys.executable, "-c", INSIDE, str(at), *lists],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(source), *sys.path])},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_root_holds_only_what_was_asked_for(tmp_path: Path) -> None:
    at, open_, shut = tmp_path / "at", tmp_path / "open", tmp_path / "owner/shut"
    for folder in (at, open_ / "secret", shut / "inner"):
        folder.mkdir(parents=True)
    (open_ / "secret/answer").touch()
    (shut / "inner/file").touch()
    (tmp_path / "alias").symlink_to("open")
    shut.chmod(0o700)
    shut.parent.chmod(0o700)
    roots = [open_, shut, tmp_path / "alias"]
    listed = [open_, open_ / "secret", shut, shut / "inner", tmp_path / "alias", tmp_path]
    facts = inside(at, roots, [open_ / "secret"], listed)
    assert facts["pid"] == 1
    assert set(facts["root"]) == {"dev", "etc", "kbx", "proc", tmp_path.parts[1]} | {"tmp"}
    assert facts[str(open_)] == ["secret"]
    assert facts[str(open_ / "secret")] == []
    assert facts[str(shut)] == ["inner"]
    assert facts[str(shut / "inner")] == ["file"]
    assert facts[str(tmp_path / "alias")] == ["secret"]
    assert facts[str(tmp_path)] == ["alias", "open", "owner"]


def test_only_the_private_folder_may_be_written(tmp_path: Path) -> None:
    at, root = tmp_path / "at", tmp_path / "root"
    at.mkdir()
    root.mkdir()
    facts = inside(at, [root], [], [])
    assert facts["write"] == "read-only"
    assert facts["write bound"] == "read-only"
    assert facts["write private"] is None
    assert not (root / "new").exists()
