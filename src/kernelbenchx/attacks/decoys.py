"""Things an attack would like to reach: a process, a secret, open ports; each notices a touch."""

import contextlib
import secrets
import socket
import subprocess
import sys

from kernelbenchx.attacks.fake_cluster import PROGRAM, TOKEN_VARIABLE

PORTS = range(47100, 47110)
UNIX_NAME = "\0kbx-arena"
SECRET_VARIABLE = "KBX_ARENA_SECRET"
BYSTANDER_MARK = "kbx-bystander"
_WAIT_FOR_THE_END = "import sys; sys.stdin.read()"


class Bystander:
    """A process of the same user that has nothing to do with the run and must stay as it is."""

    def __init__(self) -> None:
        self.secret = secrets.token_hex(16)
        self._process = self._start()

    def restart_if_ended(self) -> bool:
        """Start the process again if it was ended or stopped; whether it was."""
        if self._process.poll() is None:
            return False
        self.close()
        self._process = self._start()
        return True

    def close(self) -> None:
        """End it."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.kill()
        self._process.wait()

    def _start(self) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _WAIT_FOR_THE_END, BYSTANDER_MARK, PROGRAM],
            stdin=subprocess.PIPE,
            env={SECRET_VARIABLE: self.secret, TOKEN_VARIABLE: self.secret},
        )


class Listeners:
    """Open ports of this machine that must hear nothing."""

    def __init__(self) -> None:
        self._stream = _bound(socket.AF_INET, socket.SOCK_STREAM)
        self._datagrams = [_bound(socket.AF_INET, socket.SOCK_DGRAM)]
        if sys.platform == "linux":
            self._datagrams.append(_bound(socket.AF_UNIX, socket.SOCK_DGRAM))

    def drain_contacts(self) -> list[str]:
        """What arrived since the last time."""
        found = set()
        with contextlib.suppress(BlockingIOError):
            while True:
                self._stream.accept()[0].close()
                found.add("a TCP connection arrived")
        for listener in self._datagrams:
            kind = "UDP" if listener.family is socket.AF_INET else "unix socket"
            with contextlib.suppress(BlockingIOError):
                while True:
                    listener.recv(64)
                    found.add(f"a {kind} message arrived")
        return sorted(found)

    def close(self) -> None:
        """Close all."""
        for listener in (self._stream, *self._datagrams):
            listener.close()


def _bound(family: socket.AddressFamily, kind: socket.SocketKind) -> socket.socket:
    """Listening at the first free address that attacks know of; else somewhere."""
    one = socket.socket(family, kind)
    one.setblocking(False)
    addresses: list[object] = [("127.0.0.1", port) for port in (*PORTS, 0)]
    if family is not socket.AF_INET:
        addresses = [UNIX_NAME, ""]
    for address in addresses:
        with contextlib.suppress(OSError):
            one.bind(address)  # type: ignore[arg-type]
            break
    if kind is socket.SOCK_STREAM:
        one.listen(16)
    return one
