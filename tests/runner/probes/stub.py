"""Runs the order as Python, so that each test can say in place what the child does."""

import os


def serve(order: int, result: int) -> None:
    source = os.pread(order, 1 << 20, 0)
    exec(compile(source, "order", "exec"), {"RESULT": result, "ORDER": order})
