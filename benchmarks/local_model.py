"""Runs docs/how-to/run-a-local-model.md from top to bottom and prints the output.

    python benchmarks/local_model.py [--built] > benchmarks/local_model.txt

With `--built` the environment of the server is taken as it is, since compiling takes long. The run
and what is made of it must not be there yet: a run that is, would only be gone on with.
"""

import argparse
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "how-to" / "run-a-local-model.md"
SERVER = "llama_cpp.server"
"""In the command that does not end by itself."""
START_S = 120.0
WIDTH = 120
"""Columns of what is printed."""


def commands(page: str) -> list[str]:
    """The lines of all blocks that a shell is to read."""
    return _lines(page, "sh")


def shown(page: str) -> list[str]:
    """The lines of all blocks that show what came out."""
    return _lines(page, "")


def _lines(page: str, language: str) -> list[str]:
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", page, flags=re.M | re.S)
    return [line for kind, text in blocks if kind == language for line in text.splitlines()]


def run(command: str) -> None:
    """One command of the page; ends this program where it fails."""
    print(f"$ {command}", flush=True)
    environment = {**os.environ, "COLUMNS": str(WIDTH), "NO_COLOR": "1"}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    print("\n".join(line.rstrip() for line in done.stdout.splitlines()), flush=True)
    if done.returncode:
        sys.exit(f"that failed with {done.returncode}")


@contextmanager
def served(command: str) -> Iterator[None]:
    """The server, from when it answers until the page is at its end."""
    port = command.rpartition("--port ")[2]
    print(f"$ {command} &", flush=True)
    process = subprocess.Popen(
        ["bash", "-c", f"exec {command}"], cwd=ROOT, stdout=sys.stderr, stderr=sys.stderr
    )
    try:
        until = time.monotonic() + START_S
        while not _answers(f"http://127.0.0.1:{port}/v1/models"):
            if process.poll() is not None or time.monotonic() > until:
                sys.exit("the server does not answer")
            time.sleep(0.5)
        yield
    finally:
        process.terminate()
        process.wait()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def main() -> None:
    """All commands in their order."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--built", action="store_true")
    options = parser.parse_args()
    lines = commands(PAGE.read_text(encoding="utf-8"))
    (at,) = [number for number, line in enumerate(lines) if SERVER in line]
    for line in lines[:at]:
        if not options.built:
            run(line)
    with served(lines[at]):
        for line in lines[at + 1 :]:
            run(line)


if __name__ == "__main__":
    main()
