"""A runner that agrees to everything it is asked."""

import os

from worker import confine, wire


def serve(order: int, result: int) -> None:
    del result
    obstacle = "by values" if b"CANNOT" in os.pread(order, 1 << 20, 0) else ""
    channel = confine.channel()
    assert channel is not None
    while wire.receive(channel) is not None:
        wire.send(channel, wire.WireMessage({"not_replayable": obstacle}))
