"""What a Ray node keeps on its machine, with nothing behind it: attacks on one find this one."""

import contextlib
import secrets
import socket
from collections.abc import Iterator
from pathlib import Path

TOKEN_VARIABLE = "RAY_AUTH_TOKEN"
PROGRAM = "raylet"
"""What the command line of Ray's process on each node has in it."""
_SHARED = Path("/dev/shm")


class FakeCluster:
    """Sockets, shared memory, a session's folder and a token, below an existing folder."""

    def __init__(self, folder: Path) -> None:
        self.secret = secrets.token_hex(32)
        session = folder / "ray" / "session_0"
        sockets = session / "sockets"
        sockets.mkdir(parents=True)
        self._sockets = list(_listening(sockets / "plasma_store", sockets / PROGRAM))
        token = folder / ".ray" / "auth_token"
        token.parent.mkdir()
        self._memory = _SHARED / f"{folder.name}-plasma"
        for path in (session / "node_ip_address.json", token):
            path.write_text(self.secret)
        if _SHARED.is_dir():
            self._memory.write_text(self.secret)

    def drain_contacts(self) -> list[str]:
        """Connections since the last time."""
        found = set()
        for one in self._sockets:
            with contextlib.suppress(BlockingIOError):
                while True:
                    one.accept()[0].close()
                    found.add("a connection to a socket of a Ray node arrived")
        return sorted(found)

    def close(self) -> None:
        """Close what listens and free the memory; the folder is its owner's."""
        for one in self._sockets:
            one.close()
        self._memory.unlink(missing_ok=True)


def _listening(*paths: Path) -> Iterator[socket.socket]:
    """None where the folder's path is too long for sockets."""
    for path in paths:
        one = socket.socket(socket.AF_UNIX)
        one.setblocking(False)
        try:
            one.bind(str(path))
            one.listen(16)
        except OSError:
            one.close()
        else:
            yield one
