"""Run the commands of docs/tutorial and show, or write, what they print.

    python scripts/run_tutorial.py [--write]

Every `console` block holds one command after `$ ` and its output. Blocks with a title are files of
the tutorial. The pages run in their order in one temporary folder, without a GPU; `sh` blocks are
not run. Without --write the exit status says whether the pages show what the commands print.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = tuple(
    ROOT / "docs" / "tutorial" / f"{name}.md"
    for name in ("evaluate", "understand-a-failure", "time-it")
)
BLOCK = re.compile(
    r'^(````?)(?:console\n\$ ([^\n]+)\n|python title="([^"]+)"\n)(.*?)^\1$', re.M | re.S
)
LIMIT_S = 300


def refreshed(page: str, folder: Path) -> str:
    """The page with the real output of its commands; its files are written to the folder."""

    def block(found: re.Match[str]) -> str:
        fence, command, file, text = found.groups()
        if file:
            (folder / file).write_text(text, encoding="utf-8")
            return found[0]
        return f"{fence}console\n$ {command}\n{run(command, folder)}{fence}"

    return BLOCK.sub(block, page)


def run(command: str, folder: Path) -> str:
    """What a command prints; `kbx` is that of this Python."""
    tools = folder / ".bin"
    tools.mkdir(exist_ok=True)
    shim = tools / "kbx"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m kernelbenchx "$@"\n')
    shim.chmod(0o755)
    if not (folder / "examples").exists():
        (folder / "examples").symlink_to(ROOT / "examples")
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "NO_COLOR": "1"}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{command}: exit {done.returncode}\n{done.stderr}")
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())


def steady(text: str) -> str:
    """Without what differs between machines: the isolation level."""
    return re.sub(r"isolation L\d", "isolation L3", text)


def main(write: bool) -> int:
    """All pages; 1 if one shows something else than its commands print."""
    stale = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in PAGES:
            old = path.read_text(encoding="utf-8")
            new = refreshed(old, Path(folder))
            if steady(old) != steady(new):
                stale += 1
                print(f"{path.relative_to(ROOT)} is {'written' if write else 'stale'}")
                if write:
                    path.write_text(new, encoding="utf-8")
    return int(stale > 0 and not write)


if __name__ == "__main__":
    sys.exit(main("--write" in sys.argv[1:]))
