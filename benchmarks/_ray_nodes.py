"""Nodes of a Ray cluster on this machine, whose processes can be killed and are all remembered."""

import contextlib
import os
import random
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Ray reads these when it is imported. Ports are open to the network: only we have the token.
os.environ.setdefault("RAY_AUTH_MODE", "token")
os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
# Ray would start actors with niceness 15: beside other work they hardly ever run.
os.environ.setdefault("RAY_worker_niceness", "0")

import ray  # noqa: F401 - it brings the psutil that is imported next

import psutil  # isort: skip
from ray.cluster_utils import Cluster  # isort: skip

SMALL = {"object_store_memory": 80 << 20}
WHAT = ("node", "actor", "raylet")
_LOOK_EVERY_S = 0.3


class Nodes:
    """A head without processors, and nodes with one each."""

    def __init__(self, count: int) -> None:
        head = {"num_cpus": 0, "include_dashboard": False, **SMALL}
        self._cluster = Cluster(initialize_head=True, head_node_args=head)
        self._nodes: list[Any] = []
        for _ in range(count):
            self.add()

    @property
    def address(self) -> str:
        """For `--address`."""
        return str(self._cluster.address)

    def add(self) -> None:
        """One node more."""
        self._nodes.append(self._cluster.add_node(num_cpus=1, **SMALL))

    def kill(self, what: str, chance: random.Random) -> bool:
        """SIGKILL for a raylet and all below it, for it alone, or for an actor; False if none."""
        raylets = [node.all_processes["raylet"][0].process.pid for node in self._nodes]
        found = {pid: _below(pid) for pid in raylets}
        with_actor = [pid for pid in raylets if any(map(_is_actor, found[pid]))]
        if not with_actor:
            return False
        chosen = chance.choice(with_actor)
        actors = [one for one in found[chosen] if _is_actor(one)]
        whole = [psutil.Process(chosen), *found[chosen]]
        for one in {"node": whole, "raylet": whole[:1], "actor": actors}[what]:
            with contextlib.suppress(psutil.Error):
                one.send_signal(signal.SIGKILL)
        if what != "actor":
            node = self._nodes.pop(raylets.index(chosen))
            self._cluster.worker_nodes.discard(node)
        return True

    def close(self) -> None:
        """End Ray's processes."""
        self._cluster.shutdown()


class Seen:
    """Remembers every process below this one: those that lose their parents, too."""

    def __enter__(self) -> "Seen":
        self._found: set[psutil.Process] = set()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(_LOOK_EVERY_S):
            self._found.update(psutil.Process().children(recursive=True))

    def ours_after(self, seconds: float) -> list[str]:
        """Actors, and what they started, that still live so many seconds from now."""
        ends = time.monotonic() + seconds
        while (left := sorted(filter(None, map(_words, set(self._found))))) and (
            time.monotonic() < ends
        ):
            time.sleep(_LOOK_EVERY_S)
        return left


def cpu_s() -> float:
    """CPU time of this process, of what lives below it, and of all that has ended there."""
    total, here = 0.0, psutil.Process()
    for one in (here, *here.children(recursive=True)):
        with contextlib.suppress(psutil.Error):
            times = one.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def _words(one: psutil.Process) -> str:
    """What a process of ours is; nothing for one of Ray's own, or one that has ended."""
    with contextlib.suppress(psutil.Error):
        if one.is_running() and one.status() != psutil.STATUS_ZOMBIE:
            line = " ".join(one.cmdline())
            ours = _is_actor(one) or "worker.server" in line or "kbx" in line
            return f"{one.pid} {line[:100]}" if ours else ""
    return ""


def _below(pid: int) -> list[psutil.Process]:
    with contextlib.suppress(psutil.Error):
        return list(psutil.Process(pid).children(recursive=True))
    return []


def _is_actor(one: psutil.Process) -> bool:
    """Its title names the method that it runs."""
    with contextlib.suppress(psutil.Error):
        return " ".join(one.cmdline()).startswith("ray::JudgeActor")
    return False


@contextlib.contextmanager
def driver(*words: str) -> "Iterator[subprocess.Popen[bytes]]":
    """`kbx` with these words, in a process that can be killed."""
    command = [sys.executable, "-c", "from kernelbenchx.cli.main import main; main()", *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


def write_kernels(folder: Path, count: int, share: float) -> None:
    """Samples of the demo under many names, each with another last line; a share never ends."""
    import kernelbenchx

    demo = Path(kernelbenchx.__file__).parent / "demo"
    names = ("gelu__honest", "gelu__always_tanh", "relu__assumes_contiguous", "log1p__naive")
    spins = round(count * share)
    for number in range(count):
        name = "sum__spins" if number < spins else names[number % len(names)]
        source = (demo / f"{name}.py").read_text()
        (folder / f"{name}_{number}.py").write_text(f"{source}\n# {number}\n")
