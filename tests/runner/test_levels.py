"""What each level stops: every refusal stands beside the level at which it is possible."""

import os
import socket
import stat
import sys
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import numpy
import pytest

import kernelbenchx.core
from kernelbenchx.runner.isolation import Identity, Level, WorkerIsolation
from kernelbenchx.runner.scratch import Scratch
from kernelbenchx.runner.zygote import Zygote
from kernelbenchx.runner.zygote_process import Start

from .conftest import QUICK, STUB, Warm, isolation_at

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="L2 and L3 are Linux's")

ATTEMPT = """
def attempt(name, action):
    try:
        print(name, "got", action())
    except OSError as error:
        print(name, "refused", error.errno)
"""


def outcome(warm: Warm, action: str) -> str:
    """`got` or `refused`."""
    ran = warm.run(
        f"{ATTEMPT}\nimport os, socket, ctypes, signal\nattempt('it', lambda: ({action}))"
    )
    assert ran.ending.clean, ran
    return ran.log.split()[1]


def expected(warm: Warm) -> str:
    """Possible at L1, refused from L2 on."""
    return "got" if warm.level == "L1" else "refused"


def test_no_variable_of_ours_reaches_a_child(monkeypatch: pytest.MonkeyPatch, level: str) -> None:
    monkeypatch.setenv("KBX_SECRET", "token")
    monkeypatch.setenv("LD_PRELOAD", "")
    with Scratch() as scratch, Zygote("plain", isolation_at(level), start=STUB) as zygote:
        warm = Warm(zygote, scratch, level)
        names = warm.run("import os; print(*os.environ)").log.split()
    assert "KBX_SECRET" not in names
    assert "LD_PRELOAD" not in names
    assert {"PATH", "HOME", "TMPDIR", "TRITON_CACHE_DIR", "LANG"} <= set(names)


def test_a_token_of_ray_cannot_be_read_even_where_packages_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, level: str
) -> None:
    tmp_path.chmod(0o755)
    for name in ("token", "module"):
        (tmp_path / name).write_text("kept")
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(tmp_path / "token"))
    start = replace(STUB, sites=(tmp_path,))
    with Scratch() as scratch, Zygote("plain", isolation_at(level), start=start) as zygote:
        warm = Warm(zygote, scratch, level)
        reads = [f"open({str(tmp_path / name)!r}).read() or 1 / 0" for name in ("module", "token")]
        found = [
            warm.run(f"try:\n    print({one})\nexcept Exception:\n    print('-')").log
            for one in reads
        ]
    assert found == ["kept\n", "kept\n" if level == "L1" else "-\n"]


def test_a_child_holds_five_descriptors(warm: Warm) -> None:
    source = """
        import os
        for number in range(4096):
            try:
                os.fstat(number)
            except OSError:
                continue
            print(number)
    """
    assert warm.run(source).log.split() == ["0", "1", "2", "3", "4"]


def test_order_is_not_writable_and_result_not_readable(warm: Warm) -> None:
    assert outcome(warm, "os.write(ORDER, b'x')") == "refused"
    assert outcome(warm, "os.read(RESULT, 1)") == "refused"
    assert outcome(warm, "os.write(RESULT, b'x')") == "got"


def test_order_and_result_cannot_be_opened_again_from_l2_on(warm: Warm) -> None:
    for number in (3, 4):
        assert outcome(warm, f"open('/proc/self/fd/{number}', 'r+b').close()") == expected(warm)


def test_a_sealed_child_cannot_change_the_mode_of_files_from_l2_on(
    sealed: Warm, tmp_path: Path
) -> None:
    (tmp_path / "file").touch(mode=0o644)
    assert outcome(sealed, f"os.chmod({str(tmp_path / 'file')!r}, 0)") == expected(sealed)
    assert (stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0) == (sealed.level == "L1")


def test_the_package_is_not_importable_from_a_child(warm: Warm) -> None:
    ran = warm.run("import kernelbenchx")
    assert "ModuleNotFoundError" in ran.log


def test_our_own_source_is_not_readable_from_l2_on(warm: Warm) -> None:
    source = Path(kernelbenchx.core.__file__)
    assert outcome(warm, f"open({str(source)!r}).close()") == expected(warm)
    assert outcome(warm, f"os.listdir({str(source.parents[1])!r})") == expected(warm)


def test_files_of_the_user_are_not_readable_from_l2_on(warm: Warm, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("42")
    assert outcome(warm, f"open({str(secret)!r}).read()") == expected(warm)


def test_installed_packages_stay_importable_but_not_writable(warm: Warm) -> None:
    assert outcome(warm, "__import__('numpy.version').__name__") == "got"
    assert outcome(warm, "__import__('colorsys').__name__") == "got"
    if warm.level != "L1":
        for module in (numpy, os):
            path = str(module.__file__)
            assert outcome(warm, f"open({path!r}, 'a').close()") == "refused"
            assert outcome(warm, f"open({path!r} + '.pth', 'w').close()") == "refused"


def test_the_copy_of_the_worker_is_not_writable_from_l2_on(warm: Warm) -> None:
    location = "__import__('worker').__path__[0] + '/server.py'"
    assert outcome(warm, f"open({location}).close()") == "got"
    if warm.level == "L1" and os.geteuid() == 0:
        return
    assert outcome(warm, f"open({location}, 'a').close()") == "refused"


def test_a_child_writes_in_its_own_folder_only(warm: Warm, tmp_path: Path) -> None:
    assert outcome(warm, "open('mine', 'w').close()") == "got"
    assert outcome(warm, "__import__('tempfile').mkdtemp()") == "got"
    assert outcome(warm, "open('/dev/null', 'w').write('x')") == "got"
    assert outcome(warm, "len(os.urandom(4)), open('/dev/zero', 'rb').read(1)") == "got"
    assert outcome(warm, f"open({str(tmp_path / 'x')!r}, 'w').close()") == expected(warm)
    if warm.level != "L1":
        assert outcome(warm, "open('/etc/kbx', 'w').close()") == "refused"
        assert outcome(warm, "open('/kbx-test', 'w').close()") == "refused"


def test_nothing_of_one_child_is_left_for_the_next(warm: Warm) -> None:
    warm.run("open('left', 'w').write('x'); import os; os.mkdir('triton')")
    assert warm.run("import os; print(os.listdir())").log == "[]\n"


def test_the_network_is_out_of_reach_from_l2_on(warm: Warm) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        tcp = f"socket.create_connection(('127.0.0.1', {port}), 2).close()"
        assert outcome(warm, tcp) == expected(warm)
        udp = f"socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {port}))"
        assert outcome(warm, udp) == expected(warm)


def test_unix_sockets_of_the_machine_are_out_of_reach_from_l2_on(
    warm: Warm, tmp_path: Path
) -> None:
    for address in (str(tmp_path / "socket"), "\0kbx-test-abstract"):
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(address)
            listener.listen()
            connect = f"socket.socket(socket.AF_UNIX).connect({address!r})"
            assert outcome(warm, connect) == expected(warm)


def test_other_processes_are_out_of_reach_from_l2_on(warm: Warm) -> None:
    trusted = os.getpid()
    if os.geteuid() == 0:
        assert outcome(warm, f"open('/proc/{trusted}/environ').read(0)") == expected(warm)
        assert outcome(warm, f"open('/proc/{trusted}/mem', 'rb').close()") == expected(warm)
    assert outcome(warm, f"os.kill({trusted}, 0)") == expected(warm)


def test_the_warm_parent_is_out_of_reach_from_l2_on(warm: Warm) -> None:
    if warm.level != "L1":
        assert outcome(warm, "open(f'/proc/{os.getppid()}/environ').read()") == "refused"
        assert outcome(warm, "open(f'/proc/{os.getppid()}/mem', 'rb').close()") == "refused"


SYSCALLS = {
    "ptrace": "check(libc.ptrace(0, 0, 0, 0))",
    "unshare user": "check(libc.unshare(0x10000000))",
    "mount": "check(libc.mount(b'x', b'.', b'tmpfs', 0, None))",
    "chroot": "check(libc.chroot(b'.'))",
    "dumpable": "check(libc.prctl(4, 1, 0, 0, 0))",
    "death signal": "check(libc.prctl(1, 0, 0, 0, 0))",
    "memfd": "os.memfd_create('x')",
    "shared memory": "check(libc.shmget(0, 4096, 0o1600))",
    "limits of another": "__import__('resource').prlimit(os.getppid() or 2, 7)",
    "socket pair": "socket.socketpair()[0].close()",
}


@pytest.mark.parametrize("name", SYSCALLS)
def test_dangerous_system_calls_are_refused_from_l2_on(warm: Warm, name: str) -> None:
    if warm.level == "L1":
        pytest.skip("L1 does not filter system calls")
    prelude = """
        import os, ctypes, socket
        libc = ctypes.CDLL(None, use_errno=True)
        def check(returned):
            if returned < 0:
                raise OSError(ctypes.get_errno(), "refused")
            return returned
    """
    source = dedent(prelude) + ATTEMPT + f"\nattempt('it', lambda: {SYSCALLS[name]})"
    assert warm.run(source).log.split()[:3] == ["it", "refused", "1"]


def test_no_rights_are_left_from_l2_on(warm: Warm) -> None:
    status = warm.run("print(open('/proc/self/status').read())").log
    sets = [line.split()[1] for line in status.splitlines() if line.startswith("Cap")]
    assert len(sets) == 5
    if warm.level == "L1":
        return
    held = sets if os.geteuid() == 0 else sets[:3]
    assert {int(bits, 16) for bits in held} == {0}
    assert "NoNewPrivs:\t1" in status
    assert "Seccomp:\t2" in status


def test_at_l3_a_child_is_alone_and_somebody_else(warm: Warm) -> None:
    pid, uid = map(int, warm.run("import os; print(os.getpid(), os.getuid())").log.split())
    if not warm.level.startswith("L3"):
        assert pid != 1
        assert uid == os.getuid()
        return
    visible = warm.run("import os; print(*filter(str.isdigit, os.listdir('/proc')))").log
    assert (pid, visible) == (1, "1\n")
    assert uid != 0


def test_at_l3_the_root_holds_no_home_and_no_run_folder(warm: Warm) -> None:
    names = warm.run("import os; print(*os.listdir('/'))").log.split()
    if warm.level.startswith("L3"):
        assert {"home", "run", "var", "mnt", "boot"}.isdisjoint(names)
        assert {"usr", "proc", "dev", "etc", "kbx"} <= set(names)


@pytest.mark.parametrize("identity", [Identity.OTHER, Identity.MAPPED, Identity.SAME])
@pytest.mark.parametrize("mode", [0o700, 0o755])
def test_installations_in_folders_of_their_owner_alone_work_at_l3(
    tmp_path: Path, identity: Identity, mode: int
) -> None:
    found = isolation_at("L3")
    if os.geteuid() != 0 and identity != Identity.MAPPED:
        pytest.skip("needs root")
    site = tmp_path / "owner" / "site"
    site.mkdir(parents=True)
    (site / "lately.py").write_text("ANSWER = 42\n")
    site.chmod(mode)
    site.parent.chmod(0o700)
    start = Start(main=STUB.main, modules=STUB.modules, sites=(site,))
    isolation = WorkerIsolation(Level.L3, (), found.landlock_abi, identity)
    with Scratch() as scratch, Zygote("plain", isolation, start=start) as zygote:
        warm = Warm(zygote, scratch, "L3")
        assert warm.run("import lately; print(lately.ANSWER)", QUICK).log == "42\n"
        assert outcome(warm, f"open({str(site / 'new')!r}, 'w')") == "refused"
    assert stat.S_IMODE(site.stat().st_mode) == mode
