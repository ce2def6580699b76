"""Pack a Ray that is small enough to carry to a machine where nothing can be installed.

    python scripts/trim_ray.py carry/ray.tar.xz [--ray 2.60.0] [--python 3.12]

Downloads the wheels of Ray and of the packages that it needs for x86_64, leaves out libraries,
tests and the dashboard's pages, strips its programs and packs the rest. Needs pip, binutils and a
network. numpy is not packed. On the other machine, extract it and run Ray as a module:

    mkdir /tmp/ray-site && tar -xJf carry/ray.tar.xz -C /tmp/ray-site
    PYTHONPATH=/tmp/ray-site python3 -m ray.scripts.scripts start --head --include-dashboard=false
"""

import argparse
import lzma
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

NEEDED = (
    "click",
    "filelock",
    "jsonschema",
    "msgpack",
    "packaging",
    "protobuf",
    "pyyaml",
    "requests",
)
"""By Ray itself; `attrs`, `referencing` and others come with these."""
LEFT_OUT = (
    "ray/cpp", "ray/dashboard/client", "ray/data", "ray/jars", "ray/llm", "ray/rllib",
    "ray/serve", "ray/train", "ray/tune",
)  # fmt: skip
"""None is imported by a node, an actor or a driver without these libraries."""
PLATFORMS = ("manylinux2014_x86_64", "manylinux_2_28_x86_64")
MOST_BYTES = 60 << 20
_ELF = b"\x7fELF"


def download(wheels: Path, python: str, requirements: Sequence[str], *, alone: bool) -> None:
    """Wheels for x86_64, whatever this machine is."""
    platforms = [word for one in PLATFORMS for word in ("--platform", one)]
    words = ["--python-version", python, *platforms, "--only-binary=:all:", "--quiet"]
    words += ["--no-deps"] if alone else []
    command = [sys.executable, "-m", "pip", "download", *words, "--dest", str(wheels)]
    subprocess.run([*command, *requirements], check=True)


def is_left_out(name: str) -> bool:
    """Whether a file of a wheel is not needed, by its path there."""
    parts = name.split("/")
    return "tests" in parts[:-1] or any(name.startswith(f"{one}/") for one in LEFT_OUT)


def unpack(wheel: Path, folder: Path) -> None:
    """What is needed of it; programs stay executable."""
    with zipfile.ZipFile(wheel) as archive:
        for one in archive.infolist():
            if one.is_dir() or is_left_out(one.filename):
                continue
            path = Path(archive.extract(one, folder))
            path.chmod((one.external_attr >> 16) & 0o777 or 0o644)


def strip(folder: Path) -> None:
    """Remove symbols that no loader reads."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and _starts_with(path, _ELF):
            subprocess.run(["strip", "--strip-unneeded", str(path)], check=True)


def _starts_with(path: Path, wanted: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(wanted)) == wanted


def pack(folder: Path, out: Path) -> None:
    """Everything in the folder, with names relative to it."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with (
        lzma.open(out, "wb", preset=9 | lzma.PRESET_EXTREME) as file,
        tarfile.open(fileobj=file, mode="w") as archive,
    ):
        for path in sorted(folder.iterdir()):
            archive.add(path, path.name, filter=_without_owner)


def _without_owner(one: tarfile.TarInfo) -> tarfile.TarInfo:
    one.uid = one.gid = one.mtime = 0
    one.uname = one.gname = ""
    return one


def main() -> int:
    """Download, trim, pack and say how large it is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path, help="the archive to write")
    parser.add_argument("--ray", default="2.60.0", help="version of Ray")
    parser.add_argument("--python", default="3.12", help="version of the other machine's Python")
    options = parser.parse_args()
    if shutil.which("strip") is None:
        parser.error("strip is missing: install binutils")
    with tempfile.TemporaryDirectory(prefix="trim-ray-") as name:
        wheels, site = Path(name) / "wheels", Path(name) / "site"
        download(wheels, options.python, [f"ray=={options.ray}"], alone=True)
        download(wheels, options.python, NEEDED, alone=False)
        for wheel in sorted(wheels.glob("*.whl")):
            unpack(wheel, site)
        strip(site)
        pack(site, options.out)
    size = options.out.stat().st_size
    print(f"{options.out}: {size / 2**20:.1f} MiB")
    return int(size > MOST_BYTES)


if __name__ == "__main__":
    sys.exit(main())
