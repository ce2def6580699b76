"""Starts threads until it is stopped and leaves them spinning.

with: triton, relu_kernel, honest_relu, entry_honest
checks: rejected
no-checks: broken
"""

import threading
import time

for _ in range(300):
    threading.Thread(target=time.sleep, args=(20,), daemon=True).start()
time.sleep(20)
