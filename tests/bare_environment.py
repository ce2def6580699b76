"""Virtual environments for tests: one without any extra, and one with an installed wheel."""

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Environment:
    """A virtual environment."""

    python: Path

    def run(self, *words: str, folder: Path | None = None) -> "subprocess.CompletedProcess[str]":
        """`python WORDS`, without anything of this process's environment that finds packages."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        return subprocess.run(
            [str(self.python), *words],
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
            cwd=folder,
            env=kept,
        )


def make(folder: Path) -> Environment:
    """What the package requires without an extra, so no torch; links to what is installed here."""
    packages = _empty(folder)
    for found in closure(required()).values():
        _link(found, packages)
    (packages / "kernelbenchx.pth").write_text(f"{ROOT / 'src'}\n")
    return Environment(folder / "bin" / "python")


def install(folder: Path, wheel: Path) -> Environment:
    """The wheel, beside the dependencies of this environment; the checkout is not on the path.

    The path of a `.pth` file is not searched for other `.pth` files, such as that of the checkout.
    Links would not do: the sandbox grants folders, and a link leads out of them.
    """
    packages = _empty(folder)
    (packages / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True, timeout=240)
    return Environment(python)


def _empty(folder: Path) -> Path:
    """The folder for packages of a new environment."""
    venv.create(folder, symlinks=True, with_pip=False)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return folder / "lib" / version / "site-packages"


def required() -> list[str]:
    """What the package requires without any extra."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return list(tomllib.load(file)["project"]["dependencies"])


def closure(requirements: Iterable[str]) -> dict[str, Distribution]:
    """Distributions that these need, and those that they need; extras are not followed."""
    found: dict[str, Distribution] = {}
    waiting = list(requirements)
    while waiting:
        words = waiting.pop()
        name = re.match(r"[A-Za-z0-9._-]+", words)
        if name is None or "extra ==" in words:
            continue
        key = re.sub(r"[-_.]+", "-", name.group()).lower()
        if key in found:
            continue
        try:
            found[key] = distribution(key)
        except PackageNotFoundError:
            continue  # its marker says that it is for another system
        waiting += found[key].requires or []
    return found


def _link(found: Distribution, packages: Path) -> None:
    tops = {file.parts[0] for file in found.files or [] if file.parts[0] not in ("..", "")}
    for top in tops - {"__pycache__"}:
        target = packages / top
        if not target.exists():
            target.symlink_to(Path(str(found.locate_file(top))).resolve())
