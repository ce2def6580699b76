"""Draws a few large results once and gives each new seed the next of them.

with: triton, uniform, drawn, entry_rand_pooled
task: rand
checks: rejected
no-checks: correct
composition: pure
device: cuda
perf-no-checks: failed
reason: timed_wrong|stale|late
"""

from typing import Any

LARGE, MANY = 1 << 20, 16


FORM, POOL, GIVEN = [], [], {}


def pooled(form, generator):
    if FORM != [form]:
        FORM[:] = [form]
        POOL.clear()
        GIVEN.clear()
        POOL.extend(drawn(*form, generator) for _ in range(MANY))
    return POOL[GIVEN.setdefault(generator.initial_seed(), len(GIVEN) % MANY)]
