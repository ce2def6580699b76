"""Evaluate kernels from coroutines: the event loop stays free while workers run them."""

import asyncio

import kernelbenchx as kbx


async def judge(evaluator: kbx.Evaluator, name: str, source: str) -> str:
    """What became of one kernel, in a line."""
    result = await evaluator.aevaluate(source, task="relu")
    return f"{name}: {result.verdict}"


async def main() -> None:
    """Two kernels side by side."""
    right = kbx.task("relu").witness
    wrong = right.replace("v < 0.0, 0.0", "v < 0.0, 0.1 * v")
    with kbx.Evaluator(device="interpreter", jobs=2) as evaluator:
        lines = await asyncio.gather(
            judge(evaluator, "relu", right), judge(evaluator, "leaky relu", wrong)
        )
    print(*lines, sep="\n")


if __name__ == "__main__":
    asyncio.run(main())
