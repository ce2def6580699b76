"""What a process takes to begin to use a card: `python benchmarks/card_contexts.py`.

Answers are checked in a process for each submission, and the driver lets one after the other in.
Processes are forked from one that has loaded torch, as the harness does it, some at once, with as
many queues as the driver gives by itself and with as few as are asked for where nothing is timed.
"""

import os
import sys
import time
from statistics import median

import torch
from _reports import Report, parser_of, setting

from kernelbenchx.evaluate.machine import environment
from kernelbenchx.worker.sessions import FEW_QUEUES

AT_ONCE = (1, 4, 16)
ROUNDS = 3
LEAST_SAVED = 0.3
"""Of the time with sixteen at once: less would not be worth a setting."""


def child(settings: dict[str, str]) -> int:
    """What every worker does at least: memory on the card, a kernel, its result."""
    os.environ.update(settings)
    try:
        torch.ones(1 << 20, device="cuda").add_(1.0).cpu()
    except (RuntimeError, AssertionError) as error:  # the latter from a torch without CUDA
        print(error, file=sys.stderr)
        return 1
    return 0


def together_s(count: int, settings: dict[str, str]) -> float:
    """From the first fork until the last of them is gone."""
    started = time.monotonic()
    children = []
    for _ in range(count):
        pid = os.fork()
        if pid == 0:
            os._exit(child(settings))
        children.append(pid)
    if any(os.waitpid(pid, 0)[1] for pid in children):
        raise SystemExit("a process could not use the card")
    return time.monotonic() - started


def main() -> int:
    """Both settings in turns, since the first of all is slower."""
    options = parser_of(__doc__).parse_args()
    report = Report()
    found: dict[tuple[int, str], list[float]] = {}
    for _ in range(ROUNDS):
        for count in AT_ONCE:
            for name, settings in (("as given", {}), ("few", FEW_QUEUES)):
                found.setdefault((count, name), []).append(together_s(count, settings) / count)
    report.say(setting(environment("cuda")))  # now: who has used a card cannot fork for it
    rows = [
        (count, *(f"{median(found[count, name]):.3f}" for name in ("as given", "few")))
        for count in AT_ONCE
    ]
    report.table(("processes at once", "s for each, queues as given", "few queues"), rows)
    last = [median(found[AT_ONCE[-1], name]) for name in ("as given", "few")]
    saved = 1.0 - last[1] / last[0]
    report.must(f"few queues save {saved:.0%} of the start of {AT_ONCE[-1]} processes at once",
                saved >= LEAST_SAVED)  # fmt: skip
    return report.end({"as_given_s": round(last[0], 3), "few_s": round(last[1], 3)}, options.out)


if __name__ == "__main__":
    sys.exit(main())
