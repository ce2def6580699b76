"""What a value of a submission may be, as far as its source tells."""

import ast
from dataclasses import dataclass

from kernelbenchx.checks.scopes import Function


@dataclass(frozen=True)
class Dotted:
    """Something imported, or a builtin, under its full name: `torch.nn.functional.softmax`."""

    path: str


@dataclass(frozen=True, eq=False)
class _Node:
    node: ast.AST

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, _Node) and other.node is self.node

    def __hash__(self) -> int:
        return hash((type(self).__name__, id(self.node)))


@dataclass(frozen=True, eq=False)
class Local(_Node):
    """A function, lambda or class of the file itself."""

    node: Function | ast.ClassDef


@dataclass(frozen=True, eq=False)
class Method(_Node):
    """A function of the file whose first argument is already given."""

    node: Function


@dataclass(frozen=True, eq=False)
class Instance(_Node):
    """An object of a class of the file."""

    node: ast.ClassDef


@dataclass(frozen=True, eq=False)
class Launcher(_Node):
    """`kernel[grid]` or `kernel.run`: calling it launches."""

    node: Function


@dataclass(frozen=True)
class Tensor:
    """A tensor; `moved` when its device is not surely that of the entry's arguments."""

    moved: bool = False


Plain = Dotted | Local | Method | Instance | Launcher | Tensor


@dataclass(frozen=True)
class Held:
    """Inside a container, however deep."""

    item: Plain


Tag = Plain | Held
Tags = frozenset[Tag]
NOTHING: Tags = frozenset()
TENSOR: Tags = frozenset({Tensor()})
MOVED: Tags = frozenset({Tensor(moved=True)})


def inside(tags: Tags) -> Tags:
    """The tags of a container that holds values with `tags`."""
    return frozenset(tag if isinstance(tag, Held) else Held(tag) for tag in tags)


def elements(tags: Tags) -> Tags:
    """The tags of what one may take out: an element, or a container again."""
    taken = {tag.item for tag in tags if isinstance(tag, Held)}
    return frozenset(taken) | frozenset(t for t in tags if isinstance(t, Held | Tensor))


def loose(tags: Tags) -> frozenset[Plain]:
    """All tags without their containers."""
    return frozenset(tag.item if isinstance(tag, Held) else tag for tag in tags)


def has_tensor(tags: Tags) -> bool:
    """Whether the value itself may be a tensor."""
    return any(isinstance(tag, Tensor) for tag in tags)


def holds_tensor(tags: Tags) -> bool:
    """Whether the value may be a tensor or contain one."""
    return any(isinstance(tag, Tensor) for tag in loose(tags))


def dotted(tags: Tags) -> list[str]:
    """The full names among the tags, sorted."""
    return sorted(tag.path for tag in tags if isinstance(tag, Dotted))
