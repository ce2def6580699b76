"""Loops for ever, deaf to every signal that can be ignored.

with: triton, relu_kernel, honest_relu, entry_honest
checks: rejected
no-checks: broken
times-out: yes
"""

import signal

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        continue
while True:
    pass
