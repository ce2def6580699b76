"""Models of known skill behind a server on this machine: right, broken, wrong or late, by task.

A skill says what a model writes for a task at first, and what it writes once it was told what
became of that. Replies are functions of the conversation alone, as at temperature 0.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from generate.loopback import Answer, Asked, Loopback, Say
from kernelbenchx import catalog
from kernelbenchx.catalog.witness import witness_source

RIGHT, BROKEN, WRONG, PROSE = "right", "broken", "wrong", "prose"
PER_TOKEN = 3
"""Characters."""


@dataclass(frozen=True)
class Skill:
    """For one task."""

    first: str
    later: str = ""
    """The same again where it is empty."""

    def writes(self, *, told: bool) -> str:
        return self.later or self.first if told else self.first


Skills = Mapping[str, Mapping[str, Skill]]
"""By model, then by bare name of the task."""


def kernel(task: str, kind: str) -> str:
    """A whole file for a task, of a kind."""
    if kind == PROSE:
        return "A grid, a block and a mask are all that a kernel needs."
    source = witness_source(task)
    if kind == RIGHT:
        return source
    tree = ast.parse(source)
    stores = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "tl.store"
    ]
    assert stores, task
    for store in stores:
        value = store.args[1]
        store.args[1] = (
            ast.parse("not_defined_here", mode="eval").body
            if kind == BROKEN
            else ast.BinOp(value, ast.Sub(), ast.Constant(3))
        )
    return ast.unparse(ast.fix_missing_locations(tree))


def server(skills: Skills, *, after_s: float = 0.0) -> Loopback:
    """Not yet entered; asks for tasks that a model has no skill for get prose."""

    def answer(asked: Asked) -> Answer:
        return _reply(asked, skills, after_s)

    return Loopback(answer)


def _reply(asked: Asked, skills: Skills, after_s: float) -> Say:
    text = kernel("", PROSE) if (found := _found(asked, skills)) is None else _written(*found)
    usage = {
        "prompt_tokens": len(asked.prompt) // PER_TOKEN,
        "completion_tokens": len(text) // PER_TOKEN + 1,
    }
    return Say(text, usage=usage, after_s=after_s, model=str(asked.body["model"]))


def _found(asked: Asked, skills: Skills) -> tuple[str, str] | None:
    """The task that is asked for, and the kind of kernel that the model writes."""
    told = any(one["role"] == "assistant" for one in asked.messages)
    for name, skill in skills.get(str(asked.body["model"]), {}).items():
        if f"# {name}\n" in asked.prompt:
            task = catalog.select_one(name)
            return task, skill.writes(told=told)
    return None


def _written(task: str, kind: str) -> str:
    text = kernel(task, kind)
    return text if kind == PROSE else f"```python\n{text}\n```"
