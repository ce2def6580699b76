"""Registers code for the end of the process that declares success.

with: triton, zeros, forged_frames, entry_zeros
checks: rejected
no-checks: wrong
"""

import atexit
import json
import os
import struct
import sys
import weakref


class Last:
    def __del__(self):
        send(frame({"kind": "done"}))


LAST = Last()
atexit.register(send, frame({"kind": "done"}))
sys.excepthook = lambda *error: os._exit(0)
weakref.finalize(LAST, send, frame({"kind": "done"}))
