"""Attempts as counts of successes by task and method: all that a binomial model needs of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.authors import author_names
from kernelbenchx.analysis.kernel_selection import kept_at_the_end, number_answers

Numbers = NDArray[np.float64]

POOLED = "(pooled)"


@dataclass(frozen=True, kw_only=True)
class Counts:
    """A row of both arrays is a task, a column a method."""

    tasks: tuple[str, ...]
    categories: tuple[str, ...]
    methods: tuple[str, ...]
    category_of: NDArray[np.intp]
    """The category of each task, as its place in `categories`."""
    successes: Numbers
    trials: Numbers

    @property
    def n(self) -> int:
        """Attempts."""
        return int(self.trials.sum())

    @property
    def sizes(self) -> NDArray[np.intp]:
        """Tasks in each category."""
        return np.bincount(self.category_of, minlength=len(self.categories))

    def cells(self) -> tuple[Numbers, Numbers]:
        """Successes and trials by category and method."""
        member = self.membership()
        return member.T @ self.successes, member.T @ self.trials

    def membership(self) -> Numbers:
        """Tasks by categories: 1 where a task is in it."""
        each = np.arange(len(self.categories))
        return np.asarray(self.category_of[:, None] == each, dtype=np.float64)

    def without_method(self, name: str) -> "Counts":
        """Counts without one method."""
        keep = [at for at, one in enumerate(self.methods) if one != name]
        kept = replace(
            self,
            methods=tuple(self.methods[at] for at in keep),
            successes=self.successes[:, keep],
            trials=self.trials[:, keep],
        )
        return kept._of_tasks(kept.trials.sum(axis=1) > 0)

    def without_category(self, name: str) -> "Counts":
        """Its tasks left out."""
        return self._of_tasks(self.category_of != self.categories.index(name))

    def without_tasks(self, names: Iterable[str]) -> "Counts":
        """These tasks left out."""
        return self._of_tasks(~np.isin(self.tasks, list(names)))

    def pool_small(self, most_tasks: int) -> "Counts":
        """Categories of so few tasks become one."""
        small = {
            name for name, size in zip(self.categories, self.sizes, strict=True)
            if size <= most_tasks
        }  # fmt: skip
        named = [self.categories[at] for at in self.category_of]
        return self.assign_categories([POOLED if name in small else name for name in named])

    def pool_singletons(self) -> "Counts":
        """Categories of one task as one category: one task does not show how tasks differ."""
        return self.pool_small(1) if (self.sizes == 1).sum() > 1 else self

    def relabel_tasks(self, moved: Mapping[str, str]) -> "Counts":
        """Some tasks put in other categories; those that are not here change nothing."""
        named = [self.categories[at] for at in self.category_of]
        pairs = zip(self.tasks, named, strict=True)
        return self.assign_categories([moved.get(task, category) for task, category in pairs])

    def assign_categories(self, names: Sequence[str]) -> "Counts":
        """Every task with the category given for it; a category without tasks is gone."""
        categories = tuple(sorted(set(names)))
        place = {name: at for at, name in enumerate(categories)}
        return replace(
            self, categories=categories, category_of=np.array([place[name] for name in names], int)
        )

    def _of_tasks(self, keep: NDArray[np.bool_]) -> "Counts":
        kept = replace(
            self,
            tasks=tuple(np.array(self.tasks, dtype=object)[keep]),
            category_of=self.category_of[keep],
            successes=self.successes[keep],
            trials=self.trials[keep],
        )
        return kept.assign_categories([self.categories[at] for at in kept.category_of])


def count_successes(
    attempts: Sequence[Attempt],
    succeeded: Callable[[Attempt], bool],
    level: Callable[[Attempt], str] | None = None,
) -> Counts:
    """One trial for every kernel that is kept; categories and methods in order of name. Levels of
    another factor may stand in place of methods."""
    final = last_rounds(attempts)
    authors = author_names(final)
    named = [level(one) if level else authors[one.method, one.model] for one in final]
    category = {one.task: one.category for one in final}
    tasks = tuple(sorted(category, key=lambda task: (category[task], task)))
    methods = tuple(sorted(set(named)))
    row = {task: at for at, task in enumerate(tasks)}
    column = {name: at for at, name in enumerate(methods)}
    successes = np.zeros((len(tasks), len(methods)))
    trials = np.zeros_like(successes)
    pairs = zip(final, named, strict=True)
    at = np.array([(row[one.task], column[name]) for one, name in pairs], dtype=int)
    if len(final):
        np.add.at(trials, (at[:, 0], at[:, 1]), 1.0)
        np.add.at(successes, (at[:, 0], at[:, 1]), [float(succeeded(one)) for one in final])
    bare = Counts(
        tasks=tasks, categories=(), methods=methods, successes=successes, trials=trials,
        category_of=np.zeros(0, dtype=int),
    )  # fmt: skip
    return bare.assign_categories([category[task] for task in tasks])


def last_rounds(attempts: Iterable[Attempt]) -> list[Attempt]:
    """What a method hands in: the kernel that is kept at the end. What several machines judged
    counts once, as the first of them found it; void evaluations count nowhere."""
    counted = [one for one in attempts if one.counts]
    lines = number_answers(counted, [one.sample for one in counted]).tolist()
    named = zip(counted, lines, strict=True)
    places: dict[tuple[object, ...], int] = {}
    answers = [
        places.setdefault((one.run, one.task, one.method, one.model, line), len(places))
        for one, line in named
    ]
    once: dict[tuple[object, ...], Attempt] = {}
    for row in kept_at_the_end(counted, np.asarray(answers, np.int64)).tolist():
        one = counted[row]
        same = (one.task, one.method, one.model, one.sample, one.round, one.digest)
        once.setdefault(same, one)
    return list(once.values())
