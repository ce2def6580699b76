"""Evaluate one kernel in three lines; run it from the root of the checkout."""

import kernelbenchx as kbx

result = kbx.evaluate("examples/submissions/relu__assumes_contiguous.py", task="relu")
print(result.verdict, result.core_correct, kbx.reward(result).value)
