"""A Python with what the package itself requires and nothing else: no extra, so no torch."""

import os
import re
import subprocess
import sys
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
    """Built from what is installed here, by links: nothing is fetched and nothing copied."""
    venv.create(folder, symlinks=True, with_pip=False)
    python = folder / "bin" / "python"
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = folder / "lib" / version / "site-packages"
    for found in closure(required()).values():
        _link(found, packages)
    (packages / "kernelbenchx.pth").write_text(f"{ROOT / 'src'}\n")
    return Environment(python)


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
