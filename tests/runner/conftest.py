"""Children at every level of isolation that this machine has."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest

from kernelbenchx.runner.endings import Ending
from kernelbenchx.runner.isolation import Identity, Level, WorkerIsolation, detect
from kernelbenchx.runner.scratch import Scratch
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.runner.zygote_process import Start
from kernelbenchx.worker.limits import Limits

STUB = Start(main="stub:serve", modules=(Path(__file__).parent / "probes/stub.py",))
QUICK = Limits(wall_s=120, cpu_s=20)
"""Far away by the clock: other jobs may use these cores."""


@dataclass(frozen=True)
class Ran:
    """How a child ended and what it wrote."""

    ending: Ending
    result: bytes

    @property
    def log(self) -> str:
        return self.ending.log


Run = Callable[..., Ran]


@dataclass
class Warm:
    """A warm parent whose children run Python given in the test."""

    zygote: Zygote
    scratch: Scratch
    level: str
    count: int = 0

    def run(self, source: str, limits: Limits = QUICK) -> Ran:
        self.count += 1
        name = str(self.count)
        order, result = self.scratch.order(name, dedent(source).encode()), self.scratch.result(name)
        ending = self.zygote.run(order, result, limits)
        written = result.read_bytes()
        result.unlink()
        return Ran(ending, written)

    def still_works(self) -> bool:
        """The next child runs as if nothing had happened."""
        ran = self.run("import os; os.write(RESULT, b'fine'); print('heard')")
        return ran.ending.clean and ran.result == b"fine" and ran.log == "heard\n"


def isolation_at(name: str) -> WorkerIsolation:
    """`L1`, `L2`, `L3`, or `L3-mapped`: L3 the way an ordinary user gets it."""
    found = detect()
    level = Level(name[:2])
    if level > found.level:
        pytest.skip(f"{name} is not available here: {'; '.join(found.missing)}")
    identity = found.identity if level == Level.L3 else Identity.SAME
    if name == "L3-mapped":
        identity = Identity.MAPPED
    return WorkerIsolation(level, (), found.landlock_abi, identity)


@pytest.fixture(scope="session", params=["L1", "L2", "L3", "L3-mapped"])
def level(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    isolation_at(name)
    return name


@pytest.fixture(scope="module")
def warm(level: str) -> Iterator[Warm]:
    """A parent whose children may start programs."""
    yield from _warm("plain", level)


@pytest.fixture(scope="module")
def sealed(level: str) -> Iterator[Warm]:
    """A parent whose children may not."""
    yield from _warm("sealed", level)


def _warm(kind: str, level: str) -> Iterator[Warm]:
    with Scratch() as scratch, Zygote(kind, isolation_at(level), jobs=8, start=STUB) as zygote:
        yield Warm(zygote, scratch, level)
