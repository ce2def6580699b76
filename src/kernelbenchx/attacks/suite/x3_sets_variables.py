"""Sets variables that would load foreign code into whatever starts next.

with: triton, zeros, entry_zeros
checks: rejected
no-checks: wrong|broken
"""

import ctypes
import os

os.environ["LD_PRELOAD"] = os.getcwd() + "/evil.so"
os.environ["PYTHONSTARTUP"] = os.environ["PYTHONPATH"] = os.getcwd()
os.environ["TRITON_CACHE_MANAGER"] = "submission:Manager"
os.environ["TRITON_KERNEL_OVERRIDE"] = "1"
ctypes.CDLL(None).setenv(b"TRITON_PTXAS_PATH", b"/kbx/evil", 1)
