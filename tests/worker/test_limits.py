"""Limits cross as JSON and bind the process that applies them."""

import os
import resource
import sys

import pytest

from kernelbenchx.worker.limits import MIB, Limits, apply_rlimits, limits_from_json
from kernelbenchx.worker.settings import KINDS


def test_they_come_back_equal() -> None:
    limits = Limits(wall_s=1.5, memory_bytes=7, processes=3)
    assert limits_from_json(limits.to_json()) == limits
    with pytest.raises(TypeError):
        limits_from_json('{"colour": 1}')


@pytest.mark.skipif(sys.platform != "linux", reason="reads limits as Linux keeps them")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("kind", ["interpret", "cuda"])
def test_they_bind(kind: str) -> None:
    limits = Limits(cpu_s=1.2, memory_bytes=64 * MIB, result_bytes=5, scratch_bytes=9)
    child = os.fork()
    if child == 0:
        apply_rlimits(limits, KINDS[kind], own_uid=False)
        held = {
            resource.RLIMIT_CPU: (2, 3),
            resource.RLIMIT_FSIZE: (9, 9),
            resource.RLIMIT_CORE: (0, 0),
        }
        right = all(resource.getrlimit(which) == values for which, values in held.items())
        bounded = resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
        # A card's driver reserves more address space than any limit would allow.
        os._exit(0 if right and bounded == (kind != "cuda") else 1)
    _, status = os.waitpid(child, 0)
    assert status == 0
