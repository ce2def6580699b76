"""A parent that has compiled one small kernel leaves nothing behind but a warm compiler."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

WORKER = Path(__file__).parents[3] / "src" / "kernelbenchx"

SCRIPT = """
from worker.cross_compile import install, prewarm
import tempfile

import triton
from triton import knobs

before = knobs.cache.dir
from triton.runtime import cache
named = cache.triton_key
prewarm("gfx942")
assert cache.triton_key is named
prewarm("gfx942", by_version=True)
assert cache.triton_key() == triton.__version__
assert knobs.cache.dir == before
assert tempfile.tempdir is None
compilation = install("sm_90", all_configurations=False, seed=0)
assert compilation.kernels == [] and compilation.launched == []
"""


@pytest.mark.slow
def test_warming_writes_into_no_cache_that_stays(tmp_path: Path) -> None:
    cache, temporary = tmp_path / "cache", tmp_path / "temporary"
    temporary.mkdir()
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(WORKER), os.environ.get("PYTHONPATH", "")]),
        "TRITON_CACHE_DIR": str(cache),
        "TMPDIR": str(temporary),
    }
    subprocess.run([sys.executable, "-c", SCRIPT], env=environment, check=True, timeout=250)
    assert not cache.exists()
    assert list(temporary.iterdir()) == []
