"""Marks what Triton's front end visits, and compares it with what the interpreter ran."""

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from triton.compiler.code_generator import CodeGenerator
from triton.language.core import constexpr, tensor

from ..body_marks import Mark, describe_function, describe_value, name_function


@dataclass
class Visits:
    """What the front end saw of each function of one form."""

    ran: Mapping[str, list[Any]]
    """By function: the marks of the interpreter, each with its line."""
    _marks: dict[str, set[Mark]] = field(default_factory=lambda: defaultdict(set))
    _free: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    """Nodes of which the compiler does not know more than that they are reached."""
    marked: dict[int, frozenset[int]] = field(default_factory=dict)
    """By the id of a function that the front end is in: the nodes that the interpreter marked."""

    def enter(self, function: Any) -> frozenset[int]:
        """The marked nodes of a function."""
        marks = self.ran.get(name_function(function.fn), ())
        self.marked[id(function)] = frozenset(mark[0] for mark in marks)
        return self.marked[id(function)]

    def note(self, function: Any, node: ast.AST, value: Any) -> None:
        """Note the value of a marked node."""
        name, place = name_function(function.fn), int(vars(node)["place"])
        if isinstance(node, ast.FunctionDef):
            self._marks[name].add((place, describe_function(function.fn, function.raw_src)))
        elif isinstance(node, ast.stmt):
            self._marks[name].add((place, ""))
        elif isinstance(value, tensor):
            self._free[name].add(place)
        else:
            self._marks[name].add((place, describe_value(value)))
            if hasattr(node, "decides"):
                holds = bool(value.value if isinstance(value, constexpr) else value)
                self._marks[name] |= {(place, str(holds)), (place, f"= {holds}")}

    def differences(self) -> Iterator[tuple[int, str]]:
        """Line and sentence of each node that interpreter and compiler marked differently."""
        for name, marks in self.ran.items():
            found = {}
            for place, text, line in sorted(marks):
                if place in self._free[name] or (place, text) in self._marks[name]:
                    continue
                known = sorted(one for at, one in self._marks[name] if at == place)
                # The message of an assertion that holds is no part of what is compiled.
                if known or not text.startswith("="):
                    found[place] = line, _sentence(place, text, known)
            yield from sorted(found.values())


def _sentence(place: int, text: str, known: list[str]) -> str:
    if not known or not text:
        return "runs in the interpreter and not in the compiled kernel"
    if place == 0:
        return "has another text or other defaults in the interpreter than in the compiled kernel"
    here, there = (one.removeprefix("= ") for one in (text, known[0]))
    return f"is {here} in the interpreter and {there} in the compiled kernel"


@contextmanager
def visiting(ran: Mapping[str, list[Any]]) -> Iterator[Visits]:
    """Watch the front end inside."""
    visits, original = Visits(ran), CodeGenerator.visit
    known = visits.marked

    def visit(self: Any, node: Any) -> Any:
        result = original(self, node)
        function = self.jit_fn
        marked = known.get(id(function))
        if getattr(node, "place", -1) in (visits.enter(function) if marked is None else marked):
            visits.note(function, node, result)
        return result

    CodeGenerator.visit = visit
    try:
        yield visits
    finally:
        CodeGenerator.visit = original
