"""Filters attempts by category, task, model or method."""

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.model_request import ModelRequest
from kernelbenchx.core.errors import BadInput


@dataclass(frozen=True, kw_only=True)
class AttemptFilter:
    """Words of each kind, any of which may match; no word of a kind matches everything."""

    categories: tuple[str, ...] = ()
    """As in tables or as the folder is named; upper and lower case are equal."""
    tasks: tuple[str, ...] = ()
    """`relu`, `activation/relu` or a pattern such as `activation/*`."""
    models: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    """As in tables, or the first word of it."""

    def __bool__(self) -> bool:
        return bool(self.categories or self.tasks or self.models or self.methods)

    def includes(self, one: Attempt) -> bool:
        """Whether the filter includes an attempt."""
        return all(_any(words, match, one) for words, match in self._kinds().values())

    def includes_request(self, one: ModelRequest) -> bool:
        """Whether the filter includes a model request."""
        return self.names(one.task, one.method, one.model)

    def names(self, task: str, method: str, model: str) -> bool:
        """Whether the filter matches these names of task, method and model."""
        return (
            _any(self.categories, _in_folder, task)
            and _any(self.tasks, _is_task, task)
            and _any(self.methods, _is_method, method)
            and _any(self.models, matches_pattern, model)
        )

    def pick(self, attempts: Sequence[Attempt]) -> list[Attempt]:
        """The attempts that match; a word that matches no attempt is an error."""
        for kind, (words, match) in self._kinds().items():
            for word in words:
                if attempts and not any(match(one, word) for one in attempts):
                    raise BadInput(_describe_unknown(kind, word, attempts))
        found = [one for one in attempts if self.includes(one)]
        if attempts and not found:
            raise BadInput("no evaluation has all that was asked for: " + self.words)
        return found

    @property
    def words(self) -> str:
        """The filter in words: `category Math, method geak`."""
        kinds = (kind for kind, (words, _) in self._kinds().items() if words)
        return ", ".join(f"{kind} {' or '.join(self._kinds()[kind][0])}" for kind in kinds)

    def _kinds(self) -> "dict[str, tuple[tuple[str, ...], Callable[[Attempt, str], bool]]]":
        return {
            "category": (self.categories, _in_category),
            "task": (self.tasks, lambda one, word: _is_task(one.task, word)),
            "model": (self.models, lambda one, word: matches_pattern(one.model, word)),
            "method": (self.methods, lambda one, word: _is_method(one.method, word)),
        }


ALL = AttemptFilter()


def _any(words: Sequence[str], match: Callable[[Any, str], bool], one: object) -> bool:
    return not words or any(match(one, word) for word in words)


def _in_category(one: Attempt, word: str) -> bool:
    return _plain(word) == _plain(one.category) or _in_folder(one.task, word)


def _in_folder(task: str, word: str) -> bool:
    return _plain(word) == _plain(task.partition("/")[0])


def _is_task(task: str, word: str) -> bool:
    plain = task if "/" in word else task.partition("/")[2]
    return matches_pattern(plain, word)


def _is_method(method: str, word: str) -> bool:
    return matches_pattern(method, word) or method.partition(" ")[0] == word


def matches_pattern(name: str, word: str) -> bool:
    """Exactly, or as a pattern with `*`."""
    return name == word or fnmatchcase(name, word)


def _plain(category: str) -> str:
    """`LinearAlgebra` and `linear_algebra` are one."""
    return category.replace("_", "").replace(" ", "").lower()


def _describe_unknown(kind: str, word: str, attempts: Sequence[Attempt]) -> str:
    known = sorted({_name(kind, one) for one in attempts} - {""})
    near = difflib.get_close_matches(word, known, n=3)
    there = near or known[:5]
    more = ", …" if not near and len(known) > 5 else ""
    hint = f"; there are {', '.join(there)}{more}" if there else ""
    return f"no evaluation has the {kind} {word!r}{hint}"


def _name(kind: str, one: Attempt) -> str:
    if kind == "task":
        return one.task.partition("/")[2]
    return str(getattr(one, kind))
