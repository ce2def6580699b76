"""The names that KernelBench-X's call stage asks of a submission, before it runs the test."""

import ast

from kernelbenchx.catalog.published_tests import published_test

SEPARATOR = "#" * 146
"""What follows it in a file is the file's own test, which the published one replaces."""
OTHER_ENTRY = "kernel_function"


def call_stage_problem(source: str, task: str) -> str | None:
    """Why a submission fails by its names alone; None if it is run with the test."""
    test = published_test(task)
    if test is None:
        return "no test was published for this task"
    written = source.split(SEPARATOR)[0].strip()
    if not written:
        return "the submission is empty"
    try:
        tree = ast.parse(written)
    except (SyntaxError, ValueError, RecursionError) as error:
        return f"syntax error: {error}"
    stem = task.rpartition("/")[2]
    if not _top_level_names(tree) & {stem, OTHER_ENTRY}:
        return f"no top-level function or assignment is called {stem} or {OTHER_ENTRY}"
    return None


def _top_level_names(tree: ast.Module) -> set[str]:
    """Definitions and assignments of single names: no class, no import, no `async def`."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found
