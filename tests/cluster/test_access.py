"""Which clusters are refused; each refusal stands beside what is accepted."""

import os
import socket
import stat
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from kernelbenchx.cluster import access
from kernelbenchx.cluster.access import require_access, resolve_address
from kernelbenchx.core.errors import BadInput

ELSEWHERE = "192.0.2.7:6379"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, no variable of Ray, and no cluster that could be asked."""
    for name in [name for name in os.environ if name.startswith("RAY_")]:
        monkeypatch.delenv(name)
    for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN"):  # restored, whatever a test leaves there
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.delitem(sys.modules, "ray", raising=False)  # as another test may have left it
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr(access, "_answers", lambda _, variables: not variables)
    return tmp_path


@pytest.fixture
def token(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Token mode, with a token as it must be."""
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    path = home / ".ray" / "auth_token"
    path.parent.mkdir()
    path.write_text("0" * 64)
    path.chmod(0o600)
    return path


def test_a_cluster_elsewhere_with_a_private_token_is_accepted(token: Path) -> None:
    require_access(ELSEWHERE)
    assert stat.S_IMODE(token.stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [None, "disabled", ""])
def test_without_token_mode_it_is_refused(
    token: Path, monkeypatch: pytest.MonkeyPatch, mode: str | None
) -> None:
    monkeypatch.delenv("RAY_AUTH_MODE")
    if mode is not None:
        monkeypatch.setenv("RAY_AUTH_MODE", mode)
    with pytest.raises(BadInput, match="RAY_AUTH_MODE=token, and set it here"):
        require_access(ELSEWHERE)


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660])
def test_a_token_that_others_can_read_is_refused_and_left_as_it_is(token: Path, mode: int) -> None:
    token.chmod(mode)
    with pytest.raises(BadInput, match=f"other users can read this token; run `chmod 600 {token}`"):
        require_access(ELSEWHERE)
    assert stat.S_IMODE(token.stat().st_mode) == mode
    token.chmod(0o400)
    require_access(ELSEWHERE)


def test_a_token_may_come_in_a_variable_or_in_another_file(
    token: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = token.rename(token.with_name("other"))
    with pytest.raises(BadInput, match="no Ray token; copy it from the head node"):
        require_access(ELSEWHERE)
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(other))
    require_access(ELSEWHERE)
    other.chmod(0o644)
    with pytest.raises(BadInput, match="other users can read"):
        require_access(ELSEWHERE)
    monkeypatch.setenv("RAY_AUTH_TOKEN", "0" * 64)  # Ray asks for it first
    require_access(ELSEWHERE)


def test_a_cluster_that_serves_clients_without_a_token_is_refused(
    token: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "_answers", lambda *_: True)
    with pytest.raises(BadInput, match="accepts clients without a token"):
        require_access(ELSEWHERE)
    monkeypatch.setattr(access, "_answers", lambda *_: False)
    with pytest.raises(BadInput, match="no Ray cluster answers there to this token"):
        require_access(ELSEWHERE)


@pytest.mark.parametrize("address", ["127.0.0.1:6379", "[::1]:6379", "localhost:6379"])
def test_loopback_needs_no_token_and_any_other_address_does(address: str) -> None:
    require_access(address)
    for other in (ELSEWHERE, "[2001:db8::1]:6379", "0.0.0.0:6379"):
        with pytest.raises(BadInput, match="is not on this machine"):
            require_access(other)


def test_what_is_no_address_is_refused() -> None:
    for address in ("ray://192.0.2.7:10001", "192.0.2.7", ":6379", "192.0.2.7:port"):
        with pytest.raises(BadInput, match="not an address; give HOST:PORT"):
            resolve_address(address)
    assert resolve_address(ELSEWHERE) == ELSEWHERE


def test_a_name_that_nothing_knows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(host: str, _port: object) -> object:
        raise socket.gaierror(f"no {host}")

    require_access("localhost:6379")
    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(BadInput, match="unknown host: no head"):
        require_access("head:6379")


def test_a_variable_decides_where_no_address_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    assert resolve_address(None) == resolve_address("local") == "local"
    monkeypatch.setenv("RAY_ADDRESS", ELSEWHERE)
    assert resolve_address(None) == resolve_address("auto") == ELSEWHERE
    assert resolve_address("local") == "local"
    assert resolve_address("127.0.0.1:6379") == "127.0.0.1:6379"
    with pytest.raises(BadInput, match="is not on this machine"):
        require_access(None)


def test_auto_is_the_cluster_that_runs_here(home: Path) -> None:
    with pytest.raises(BadInput, match="no Ray cluster runs on this machine"):
        require_access("auto")
    running = home / "tmp" / "ray" / "ray_current_cluster"
    running.parent.mkdir(parents=True)
    running.write_text(f"{ELSEWHERE}\n")
    assert resolve_address("auto") == ELSEWHERE
    assert resolve_address(None) == "local"
    with pytest.raises(BadInput, match="is not on this machine"):
        require_access("auto")
    running.write_text("127.0.0.1:6379")
    require_access("auto")


def test_a_cluster_of_our_own_gets_a_token_that_only_this_user_can_read(home: Path) -> None:
    require_access(None)
    made = home / ".ray" / "auth_token"
    assert os.environ["RAY_AUTH_MODE"] == "token"
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    said = made.read_text()
    assert len(said) == 64
    made.chmod(0o644)  # as Ray writes it
    require_access("local")
    assert (stat.S_IMODE(made.stat().st_mode), made.read_text()) == (0o600, said)


def test_ray_that_is_loaded_is_left_to_its_own_rule_where_that_is_strict(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(__version__="2.59.0"))
    require_access("local")
    assert "RAY_AUTH_MODE" not in os.environ
    assert stat.S_IMODE((home / ".ray" / "auth_token").stat().st_mode) == 0o600
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(__version__="2.58.1"))
    with pytest.raises(BadInput, match=r"set RAY_AUTH_MODE=token before you import ray 2\.58\.1"):
        require_access("local")
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    require_access("local")


def test_files_of_a_cluster_of_our_own_lie_where_no_other_user_can_enter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chosen = os.environ["RAY_TMPDIR"]
    with access.private_sessions():
        assert os.environ["RAY_TMPDIR"] == chosen
    monkeypatch.delenv("RAY_TMPDIR")
    with access.private_sessions():
        folder = Path(os.environ["RAY_TMPDIR"])
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        (folder / "ray").mkdir()
    assert not folder.exists() and "RAY_TMPDIR" not in os.environ
    monkeypatch.setattr(tempfile, "tempdir", f"/{'long' * 10}")
    with access.private_sessions():
        assert Path(os.environ["RAY_TMPDIR"]).parent == Path("/tmp")


def test_a_token_of_the_user_is_kept_and_so_is_a_choice_against_it(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_AUTH_TOKEN", "1" * 64)
    require_access("local")
    monkeypatch.delenv("RAY_AUTH_TOKEN")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    require_access("local")
    assert os.environ["RAY_AUTH_MODE"] == "disabled"
    assert not (home / ".ray").exists()
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    (home / ".ray").write_text("a file where the folder should be")
    with pytest.raises(BadInput, match="cannot keep a Ray token there"):
        require_access("local")
