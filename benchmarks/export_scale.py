"""How long `kbx export transitions` takes and how much memory it needs, by the size of a run.

    python benchmarks/export_scale.py 10000 100000

Runs are invented, with records and sources as long as real ones.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from many_runs import write_run

# Not what `getrusage` says: there a process begins with the memory of the one that started it.
_PROGRAM = """
import sys
from pathlib import Path
from kernelbenchx.cli.main import kbx
kbx(["export", "transitions", *sys.argv[1:]], standalone_mode=False)
(most,) = [line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line]
print("most memory", int(most.split()[1]) // 1024)
"""


def main() -> None:
    """One line for each size and format."""
    sizes = [int(word) for word in sys.argv[1:]] or [10_000]
    print(f"{'evaluations':>12} {'format':>8} {'rows':>8} {'file MB':>8} {'seconds':>8} {'MB':>6}")
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            _measure(Path(folder), size)


def _measure(folder: Path, size: int) -> None:
    samples = max(1, size // (184 * 5 * 3))
    count = write_run(folder / "run", samples=samples, pairs=1)
    for form in ("jsonl", "parquet"):
        out = folder / f"steps.{form}"
        begun = time.perf_counter()
        said = subprocess.run(
            [sys.executable, "-c", _PROGRAM, folder / "run", "--out", out],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        took = time.perf_counter() - begun
        rows = (folder / f"steps.{form}.md").read_text().partition("- Rows: ")[2].split()[0]
        memory = said.rpartition("most memory ")[2].strip()
        megabytes = out.stat().st_size / 1e6
        print(f"{count:>12,} {form:>8} {rows:>8} {megabytes:>8.0f} {took:>8.1f} {memory:>6}")


if __name__ == "__main__":
    main()
