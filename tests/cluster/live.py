"""A real cluster of one node, in a process of its own and with a token of its own."""

import contextlib
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

_PROGRAM = """
import sys
import ray
ray.init(address="local", num_cpus=1, include_dashboard=False, object_store_memory=80 << 20,
         log_to_driver=False, configure_logging=False)
held = ray.put(bytes(1 << 20))
print(ray.get_runtime_context().gcs_address, flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def cluster(home: Path) -> Iterator[dict[str, str]]:
    """The variables with which a client of it is served; its address is among them."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    with subprocess.Popen(
        [sys.executable, "-c", _PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**plain, **token, "HOME": str(home)},
        text=True,
    ) as node:
        assert node.stdout is not None and node.stdin is not None
        address = node.stdout.readline().strip()
        try:
            yield {**token, "RAY_ADDRESS": address}
        finally:
            node.stdin.close()
            node.wait()
