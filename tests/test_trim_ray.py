"""What of Ray's wheels is carried to a machine without a network."""

import tarfile
import zipfile
from pathlib import Path

import pytest

from script_files import script

TRIM = script("trim_ray")


@pytest.mark.parametrize(
    ("name", "left_out"),
    [
        ("ray/_raylet.so", False),
        ("ray/dashboard/agent.py", False),
        ("ray/dashboard/client/build/index.html", True),
        ("ray/jars/ray_dist.jar", True),
        ("ray/serve/api.py", True),
        ("ray/server.py", False),
        ("msgpack/tests/test_a.py", True),
        ("tests.py", False),
    ],
)
def test_libraries_pages_and_tests_are_left_out(name: str, left_out: bool) -> None:
    assert TRIM.is_left_out(name) is left_out


def test_programs_stay_executable_in_the_archive(tmp_path: Path) -> None:
    wheel, folder, out = tmp_path / "a.whl", tmp_path / "site", tmp_path / "deep" / "a.tar.xz"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, mode in (
            ("ray/core/raylet", 0o755),
            ("ray/a.py", 0o644),
            ("ray/tune/a.py", 0o644),
        ):
            member = zipfile.ZipInfo(name)
            member.external_attr = mode << 16
            archive.writestr(member, "text")
    TRIM.unpack(wheel, folder)
    TRIM.strip(folder)  # nothing of it is a program for this machine
    TRIM.pack(folder, out)
    with tarfile.open(out) as packed:
        modes = {one.name: one.mode for one in packed if one.isfile()}
    assert modes == {"ray/a.py": 0o644, "ray/core/raylet": 0o755}
