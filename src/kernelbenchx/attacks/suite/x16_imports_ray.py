"""Imports Ray and becomes a client of whatever cluster it finds.

with: triton, relu_kernel, honest_relu, entry_honest
checks: rejected
no-checks: broken
level: L2
"""

import glob


def addresses():
    yield "auto"
    for path in glob.glob("/tmp/ray/ray_current_cluster"):
        with open(path) as file:
            yield file.read().strip()


def joins(address):
    import ray

    try:
        ray.init(address=address, log_to_driver=False)
    except Exception:
        return False
    return bool(ray.nodes())


if not any(map(joins, addresses())):
    raise PermissionError("no cluster can be joined")
