"""`tasks` and `task`: the catalogue from Python, without torch."""

from dataclasses import dataclass, field

from kernelbenchx import catalog
from kernelbenchx.catalog.certificates import grade_of, standing
from kernelbenchx.catalog.facts import Facts, facts
from kernelbenchx.catalog.statement import statement
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.arguments import describe_type
from kernelbenchx.core.grades import Grade


@dataclass(frozen=True)
class TaskInfo:
    """What a task asks for, and what is known about it."""

    name: str
    """`category/name`."""
    category: str
    entry: str
    """The function or class that a submission defines."""
    signature: str
    description: str
    dtypes: tuple[str, ...]
    difficulty: int
    """1 to 5."""
    facts: Facts = field(repr=False, compare=False)
    """All fields of the catalogue's index."""

    @property
    def certified(self) -> bool:
        """Whether its certificate is valid, at any grade."""
        return standing(self.name)

    @property
    def grade(self) -> Grade:
        """Its grade: `certified` or `imported`; for KernelBench problems `witnessed`,
        `discriminating`, `unsound as published` or `imported`."""
        return grade_of(self.name)

    @property
    def statement(self) -> str:
        """What a model may be shown, in Markdown: no case, no answer."""
        return statement(self.name).text()

    @property
    def reference(self) -> str:
        """The source of the task file, with the reference in torch."""
        return catalog.path_of(self.name).read_text(encoding="utf-8")

    @property
    def witness(self) -> str:
        """The source of a kernel that passes."""
        return witness_source(self.name)


def tasks(*patterns: str) -> list[TaskInfo]:
    """Tasks by name, `category/name` or glob, such as `fusion/*`; all without a pattern."""
    return [_info(name) for name in catalog.select(*map(_text, patterns))]


def task(name: str) -> TaskInfo:
    """The one task of that name."""
    return _info(catalog.select_one(_text(name)))


def _info(name: str) -> TaskInfo:
    known = facts(name)
    return TaskInfo(
        name=name,
        category=known.category,
        entry=known.entry,
        signature=known.signature,
        description=known.description,
        dtypes=known.dtypes,
        difficulty=known.difficulty,
        facts=known,
    )


def _text(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"task() and tasks() take names, not {describe_type(name)}")
    return name
