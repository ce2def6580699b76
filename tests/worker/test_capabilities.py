"""Rights that were given up are gone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kernelbenchx.worker import capabilities

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="capabilities are Linux's")

CODE = """
import os, sys
from kernelbenchx.worker import capabilities
capabilities.renounce(int(sys.argv[1]) if sys.argv[1] else None)
print(os.getuid(), os.getgid(), len(os.getgroups()))
print(*[line.split()[1] for line in open("/proc/self/status") if line.startswith("Cap")])
try:
    os.setuid(0)
except PermissionError:
    print("refused")
"""


def renounced(uid: str) -> list[str]:
    source = Path(capabilities.__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", CODE, uid],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(source)},
    )
    return done.stdout.split()


def test_every_capability_goes_and_the_user_stays() -> None:
    uid, _, _, *sets = renounced("")
    assert int(uid) == os.getuid()
    held = sets[:5] if os.geteuid() == 0 else sets[:3]
    assert {int(bits, 16) for bits in held} == {0}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may become another user")
def test_another_user_has_no_way_back() -> None:
    uid, gid, groups, *_, last = renounced("61234")
    assert (uid, gid, groups, last) == ("61234", "61234", "0", "refused")
