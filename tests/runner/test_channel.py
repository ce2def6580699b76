"""A child that is talked with while it runs, and what it cannot do with that."""

import fcntl
import mmap
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from kernelbenchx.runner.isolation import detect
from kernelbenchx.runner.pending_child import PendingChild
from kernelbenchx.runner.scratch import Scratch
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.worker import wire

from .conftest import QUICK, STUB, Warm

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory files are Linux's")

SIZE = 1 << 16
SEALS = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL

MAPS = """
    import mmap, os
    from worker import confine, wire
    channel = confine.channel()
    while (message := wire.receive(channel, descriptors=1)) is not None:
        (descriptor,) = message.descriptors
        with mmap.mmap(descriptor, 0) as memory:
            memory[0:5] = memory[0:5].upper()
        try:
            os.ftruncate(descriptor, 0)
            shrunk = True
        except OSError:
            shrunk = False
        os.close(descriptor)
        wire.send(channel, wire.WireMessage({"shrunk": shrunk}, message.body[::-1]))
    os.write(RESULT, b"heard the end")
"""


def start(warm: Warm, name: str, source: str) -> tuple[PendingChild, socket.socket]:
    ours, theirs = socket.socketpair()
    ours.settimeout(60)
    order = warm.scratch.order(name, dedent(source).encode())
    with theirs:
        pending = warm.zygote.start(order, warm.scratch.result(name), QUICK, theirs.fileno())
    return pending, ours


@pytest.fixture
def memory() -> Iterator[int]:
    descriptor = os.memfd_create("exchange", os.MFD_ALLOW_SEALING | os.MFD_CLOEXEC)
    os.ftruncate(descriptor, SIZE)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, SEALS)
    yield descriptor
    os.close(descriptor)


def _maps_what_it_is_given(warm: Warm, memory: int) -> None:
    pending, ours = start(warm, "maps", MAPS)
    with ours, mmap.mmap(memory, SIZE) as mapped:
        for word in (b"hello", b"again"):
            mapped[0:5] = word
            wire.send(ours, wire.WireMessage({}, b"body", (memory,)))
            answer = wire.receive(ours)
            assert answer is not None, pending.wait(60.0)
            assert (answer.header, answer.body) == ({"shrunk": False}, b"ydob")
            assert mapped[0:5] == word.upper()
        ours.shutdown(socket.SHUT_WR)
        assert pending.wait(60.0).clean
    assert warm.scratch.result("maps").read_bytes() == b"heard the end"


def test_memory_passed_over_it_is_shared(warm: Warm, memory: int) -> None:
    _maps_what_it_is_given(warm, memory)
    assert warm.still_works()


def test_also_with_a_child_that_may_start_nothing(sealed: Warm, memory: int) -> None:
    _maps_what_it_is_given(sealed, memory)


@pytest.mark.slow
def test_also_with_a_child_for_a_card(memory: int) -> None:
    with Scratch() as scratch, Zygote("cuda", detect(), jobs=1, start=STUB) as zygote:
        _maps_what_it_is_given(Warm(zygote, scratch, detect().level), memory)


COUNTS = """
    import mmap
    from worker import confine, wire
    message = wire.receive(confine.channel(), descriptors=1)
    with mmap.mmap(message.descriptors[0], 0) as memory:
        while memory[8] == 0:
            memory[0:8] = (int.from_bytes(memory[0:8], "little") + 1).to_bytes(8, "little")
"""


def _is_stopped_and_goes_on(warm: Warm, memory: int) -> None:
    held = len(list(Path("/proc/self/fd").iterdir()))
    pending, ours = start(warm, "counts", COUNTS)
    process = pending.process(60)
    assert process is not None
    with ours, mmap.mmap(memory, SIZE) as mapped:
        wire.send(ours, wire.WireMessage({}, b"", (memory,)))
        for _ in range(3):
            goes_on(mapped)
            signal.pidfd_send_signal(process, signal.SIGSTOP)
            time.sleep(0.02)
            before = mapped[0:8]
            time.sleep(0.1)
            assert mapped[0:8] == before
            signal.pidfd_send_signal(process, signal.SIGCONT)
        goes_on(mapped)
        mapped[8] = 1
        assert pending.wait(60.0).clean
    with pytest.raises(ProcessLookupError):
        signal.pidfd_send_signal(process, signal.SIGCONT)
    os.close(process)
    assert len(list(Path("/proc/self/fd").iterdir())) == held


def goes_on(mapped: mmap.mmap) -> None:
    before, until = mapped[0:8], time.monotonic() + 60
    while mapped[0:8] == before:
        assert time.monotonic() < until


def test_a_child_can_be_stopped_and_goes_on(warm: Warm, memory: int) -> None:
    _is_stopped_and_goes_on(warm, memory)
    assert warm.still_works()


def test_also_one_that_may_start_nothing(sealed: Warm, memory: int) -> None:
    _is_stopped_and_goes_on(sealed, memory)


def test_a_stopped_child_can_be_ended(warm: Warm) -> None:
    pending, ours = start(warm, "stopped", "import time; time.sleep(60)")
    process = pending.process(60)
    assert process is not None
    with ours:
        signal.pidfd_send_signal(process, signal.SIGSTOP)
        pending.kill()
        assert pending.wait(60.0).over == "cancelled"
    os.close(process)
    assert warm.still_works()


def test_a_child_without_a_channel_is_not_announced(warm: Warm) -> None:
    order = warm.scratch.order("alone", b"import time; time.sleep(0.2)")
    pending = warm.zygote.start(order, warm.scratch.result("alone"), QUICK)
    assert pending.process(0.05) is None
    assert pending.wait(60.0).clean
    assert pending.process(60) is None


DESCRIPTORS = """
    import os, subprocess
    for number in range(4096):
        try:
            os.fstat(number)
        except OSError:
            continue
        print(number, end=" ", flush=True)
    subprocess.run(["/bin/ls", "/proc/self/fd/6"])
"""


def test_a_child_holds_six_descriptors_with_it_and_five_without(warm: Warm) -> None:
    pending, ours = start(warm, "six", DESCRIPTORS)
    with ours:
        log = pending.wait(60.0).log
    assert log.startswith("0 1 2 3 4 6 ")
    assert "cannot access" in log  # a program that it starts does not have it
    assert warm.run(DESCRIPTORS).log.startswith("0 1 2 3 4 /bin/ls: ")


def test_a_child_without_a_channel_can_see_that(warm: Warm) -> None:
    ran = warm.run("from worker import confine; print(confine.channel())")
    assert ran.log == "None\n"


@pytest.mark.parametrize("way", ["os._exit(0)", "os.kill(os.getpid(), 9)", "os.close(6)", "1 / 0"])
def test_the_other_end_sees_a_child_go(warm: Warm, way: str) -> None:
    pending, ours = start(warm, "goes", f"import os\n{way}")
    with ours:
        assert wire.receive(ours) is None
    pending.wait(60.0)
    assert warm.still_works()


def test_no_other_child_holds_it_open(warm: Warm) -> None:
    first, ours = start(warm, "first", "import os; os.read(6, 1)")
    second, other = start(warm, "second", "import os; os.read(6, 1)")
    with ours, other:
        other.sendall(b"x")
        assert second.wait(60.0).clean
        assert wire.receive(other) is None
        ours.close()
        assert first.wait(60.0).clean


def test_what_a_child_says_neither_hangs_nor_fills_us(warm: Warm) -> None:
    sources = {
        "half": ("import os, time; os.write(6, b'half'); time.sleep(60)", TimeoutError),
        "huge": ("import os, time; os.write(6, b'\\xff' * 8); time.sleep(60)", wire.BadMessage),
        "gift": (
            "import time\nfrom worker import confine, wire\n"
            "wire.send(confine.channel(), wire.WireMessage({}, b'', (0, 1, 2)))\ntime.sleep(60)",
            wire.BadMessage,
        ),
    }
    for name, (source, error) in sources.items():
        pending, ours = start(warm, name, source)
        process = pending.process(60)  # one descriptor is held for the child from here on
        assert process is not None
        os.close(process)
        held = len(list(Path("/proc/self/fd").iterdir()))
        with ours:
            ours.settimeout(1 if error is TimeoutError else 60)
            with pytest.raises(error):
                wire.receive(ours)
            assert len(list(Path("/proc/self/fd").iterdir())) == held
        pending.kill()
        assert pending.wait(60.0).over == "cancelled"
    assert warm.still_works()


def test_a_channel_is_no_way_to_other_sockets(warm: Warm, tmp_path: Path) -> None:
    listener = socket.socket(socket.AF_UNIX)
    with listener:
        listener.bind(str(tmp_path / "socket"))
        listener.listen()
        source = f"""
            import os, socket
            try:
                socket.socket(socket.AF_UNIX).connect({str(tmp_path / "socket")!r})
                os.write(6, b"got")
            except OSError:
                os.write(6, b"refused")
        """
        pending, ours = start(warm, "connects", source)
        with ours:
            said = ours.recv(100)
        pending.wait(60.0)
    assert said == (b"got" if warm.level == "L1" else b"refused")
