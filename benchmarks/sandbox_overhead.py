"""Prints what a confined child costs at each level: start, end, and everything between.

python benchmarks/sandbox_overhead.py [plain|compile|cuda ...]
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from kernelbenchx.runner.isolation import Identity, Level, WorkerIsolation, detect
from kernelbenchx.runner.scratch import Scratch
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.runner.zygote_process import Start
from kernelbenchx.worker.limits import Limits

ROUNDS = 50


def measure(kind: str, isolation: WorkerIsolation, module: Path) -> None:
    start = Start(main=f"{module.stem}:serve", modules=(module,))
    began = time.perf_counter()
    with Scratch() as scratch, Zygote(kind, isolation, jobs=1, start=start) as zygote:
        warm_s = time.perf_counter() - began
        order, result = scratch.order("nothing", b""), scratch.result("nothing")
        samples = []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            ending = zygote.run(order, result, Limits())
            samples.append(1e3 * (time.perf_counter() - began))
            if not ending.clean:
                raise SystemExit(f"{kind} at {isolation.level}: {ending}")
    label = f"{isolation.level} {isolation.identity}"
    quick, typical = min(samples), statistics.median(samples)
    print(
        f"{kind:10} {label:10} warm-up {warm_s:5.2f} s   child {typical:5.1f} ms (best {quick:.1f})"
    )


def main() -> None:
    found = detect()
    print(f"this machine: {found}")
    chosen = [WorkerIsolation(Level.L1), WorkerIsolation(Level.L2, (), found.landlock_abi), found]
    if found.identity != Identity.MAPPED:
        chosen.append(WorkerIsolation(found.level, (), found.landlock_abi, Identity.MAPPED))
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder) / "nothing.py"
        module.write_text("def serve(order, result):\n    pass\n")
        for kind in sys.argv[1:] or ["plain"]:
            for isolation in chosen:
                if isolation.level <= found.level:
                    measure(kind, isolation, module)


if __name__ == "__main__":
    main()
