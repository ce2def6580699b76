"""Access control of a cluster: Ray runs the code of every client that its ports accept."""

import ipaddress
import os
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kernelbenchx.core.errors import BadInput
from kernelbenchx.runner.readable_paths import ray_token_file

LOCAL = "local"
"""The address of a cluster that this process starts for itself."""

_MODE, _TOKEN, _TOKEN_PATH = "RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"
_FILES = "RAY_TMPDIR"
_MOST_LETTERS = 25
"""Longest folder below which Ray puts sockets: their paths may have 107 letters."""
_STRICT = (2, 59)
_OTHERS = 0o077
_PROBE_S = 60.0


def require_access(address: str | None) -> None:
    """Refuse a remote cluster that others can use; keep others from a local one.

    Call it before Ray is imported, which reads these variables then.
    """
    where = resolve_address(address)
    if where == LOCAL:
        _protect_own_cluster()
    elif not _is_loopback(where):
        _require_token(where)
        _require_refusal(where)


def resolve_address(address: str | None) -> str:
    """`local` or HOST:PORT; without an address, and for `auto`, RAY_ADDRESS decides first."""
    wanted = address or LOCAL
    if address in (None, "", "auto"):
        wanted = os.environ.get("RAY_ADDRESS") or wanted
    if wanted == "auto":
        wanted = _running_here()
    if wanted != LOCAL:
        _host(wanted)
    return wanted


def _running_here() -> str:
    """The cluster that `ray start` has started on this machine."""
    temporary = os.environ.get(_FILES) or tempfile.gettempdir()
    try:
        return (Path(temporary) / "ray" / "ray_current_cluster").read_text().strip()
    except OSError:
        raise BadInput(
            "no Ray cluster runs on this machine; start one, or name HOST:PORT"
        ) from None


def _host(address: str) -> str:
    host, colon, port = address.rpartition(":")
    if not (host and colon and port.isdecimal()) or "//" in host:
        raise BadInput(f"{address}: not an address; give HOST:PORT of the head node, or auto")
    return host.strip("[]")


def _is_loopback(address: str) -> bool:
    """Whether every address of the name is this machine's alone."""
    host = _host(address)
    try:
        found = {str(one[4][0]) for one in socket.getaddrinfo(host, None)}
    except OSError as error:
        raise BadInput(f"{address}: unknown host: {error}") from None
    return all(ipaddress.ip_address(one.partition("%")[0]).is_loopback for one in found)


def _require_token(address: str) -> None:
    """Token mode, and a token that no other user of this machine can read."""
    if os.environ.get(_MODE, "").lower() != "token":
        raise BadInput(
            f"{address} is not on this machine: start every node of the cluster with "
            f"{_MODE}=token, and set it here, too"
        )
    if os.environ.get(_TOKEN):
        return
    path = ray_token_file()
    try:
        mode = path.stat().st_mode
    except OSError:
        raise BadInput(
            f"{path}: no Ray token; copy it from the head node, where "
            "`ray get-auth-token --generate` makes one"
        ) from None
    if mode & _OTHERS:
        raise BadInput(f"{path}: other users can read this token; run `chmod 600 {path}`")


def _require_refusal(address: str) -> None:
    """Ask the cluster itself without a token: the client's settings say nothing about it."""
    if not _answers(address, {}):
        raise BadInput(f"{address}: no Ray cluster answers there to this token")
    if _answers(address, {_MODE: "disabled", _TOKEN: "", _TOKEN_PATH: ""}):
        raise BadInput(
            f"{address}: the cluster accepts clients without a token; "
            f"start every node again with {_MODE}=token"
        )


def _answers(address: str, variables: dict[str, str]) -> bool:
    """Ask in a separate process: a wrong token ends Ray's client, and a token is read only once."""
    python = [sys.executable, "-P", "-m", "ray.scripts.scripts"]
    command = [*python, "health-check", "--address", address]
    changed = {name: os.environ[name] for name in os.environ.keys() - variables.keys()}
    changed |= {name: value for name, value in variables.items() if value}
    try:
        asked = subprocess.run(
            command, env=changed, capture_output=True, timeout=_PROBE_S, check=False
        )
    except subprocess.TimeoutExpired:
        return False
    return asked.returncode == 0


@contextmanager
def private_sessions() -> Iterator[None]:
    """Put Ray's files in a folder that only this user can enter: Ray's own is open to all."""
    before = os.environ.get(_FILES)
    usual = tempfile.gettempdir()
    where = usual if len(usual) < _MOST_LETTERS else "/tmp"
    with tempfile.TemporaryDirectory(
        prefix="kbx-", dir=where, ignore_cleanup_errors=True
    ) as folder:
        os.environ[_FILES] = before or folder
        try:
            yield
        finally:
            del os.environ[_FILES]
            os.environ.update({} if before is None else {_FILES: before})


def _switch_tokens_on() -> None:
    """A loaded Ray has read the variable: from 2.59 on, it is strict without one."""
    if (ray := sys.modules.get("ray")) is None:
        os.environ.setdefault(_MODE, "token")
    elif _MODE not in os.environ and _version(ray.__version__) < _STRICT:
        raise BadInput(f"set {_MODE}=token before you import ray {ray.__version__}")


def _version(said: str) -> tuple[int, int]:
    major, minor = said.split(".")[:2]
    return int(major), int(minor)


def _protect_own_cluster() -> None:
    """The ports are open to the network all the same: only clients with a token are served.

    Ray would create the token, too, but readable by every user of this machine.
    """
    _switch_tokens_on()
    if os.environ.get(_MODE, "token").lower() != "token" or os.environ.get(_TOKEN):
        return
    path = ray_token_file()
    try:
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as file:
                file.write(secrets.token_hex(32))
        elif path.stat().st_mode & _OTHERS:
            path.chmod(0o600)
    except OSError as error:
        raise BadInput(f"{path}: cannot keep a Ray token there: {error.strerror}") from None
