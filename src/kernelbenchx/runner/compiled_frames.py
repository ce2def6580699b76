"""What a child compiled ahead, packed for other children of the same submission."""

from typing import Any

from kernelbenchx.runner.sanitize import plain
from kernelbenchx.worker.frames import Malformed, pack, unpack
from kernelbenchx.worker.triton_cache import KERNELS, KIND, MOST_BYTES, OBSTACLE

MOST_ENTRIES = 1000
MOST_KERNELS = 256


def pack_compiled(result: bytes, most_bytes: int = MOST_BYTES) -> bytes:
    """Whole frames up to the first byte that does not parse, as far as there is room.

    They go to the submission's own processes as they are: nothing here looks into them.
    """
    kept: list[bytes] = []
    left = most_bytes
    try:
        for frame in unpack(result):
            if frame.header.get("kind") != KIND:
                continue
            one = pack(frame.header, frame.payload)
            left -= len(one)
            if left < 0 or len(kept) == MOST_ENTRIES:
                break
            kept.append(one)
    except (Malformed, RecursionError):
        pass
    return b"".join(kept)


def foresees_obstacle(result: bytes) -> bool:
    """Whether launches are unlikely to be replayable; a guess of an untrusted process."""
    try:
        return any(
            frame.header.get("kind") == OBSTACLE and bool(frame.header.get("why"))
            for frame in unpack(result)
        )
    except (Malformed, RecursionError):
        return False


def kernels_in(result: bytes) -> list[Any]:
    """What its kernels need of the GPU, as an untrusted process reports it; printable."""
    found: list[Any] = []
    try:
        for frame in unpack(result):
            told = frame.header.get("kernels")
            if frame.header.get("kind") == KERNELS and isinstance(told, list):
                found += plain(told[: MOST_KERNELS - len(found)])
    except (Malformed, RecursionError):
        pass
    return found
