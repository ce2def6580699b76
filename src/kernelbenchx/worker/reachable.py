"""Everything that a submission can reach from its names, and what each object holds."""

import functools
import gc
import operator
import types
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

_PLAIN = frozenset(
    {
        *(bool, int, float, complex, str, bytes, type(None), range, type(...)),
        *(torch.dtype, torch.device, torch.Size, torch.layout, torch.memory_format),
    }
)
"""What has no writable attributes; a class derived from one of these may have some."""
_LEAVES = _PLAIN | {types.ModuleType, types.CodeType, types.FrameType, types.TracebackType}
_LARGE = 100
_CONTAINERS: tuple[Any, ...] = (list, tuple, set, frozenset, deque)
_BUILT_IN = frozenset({dict, *_CONTAINERS})
_FUNCTIONS = (types.FunctionType, types.MethodType, functools.partial)
_OF_KERNELS = ("fn", "base", "configs", "kwargs", "values")
"""Attributes of kernels, tuners, configurations and descriptors that the file gave them."""
_OF_IMPORT = frozenset(
    "__builtins__ __cached__ __file__ __loader__ __spec__ __warningregistry__".split()  # noqa: SIM905
)
_FOREIGN = ("triton", "torch", __name__.partition(".")[0], "logging", "warnings")
"""Packages whose objects change on their own account, such as a tuner's choices."""
_PARTS_OF_MODULES = ("_parameters", "_buffers", "_modules")


@dataclass
class PersistentStorage:
    """The storage of a tensor that outlives calls."""

    path: str
    tensor: torch.Tensor
    copy: torch.Tensor | None = None


@dataclass
class ReachableObjects:
    """Everything that can be reached at one moment."""

    objects: dict[int, tuple[str, Any, Any]] = field(default_factory=dict)
    """By id: the path, the object itself (so that its id is not reused), and what it holds."""
    memory: dict[int, PersistentStorage] = field(default_factory=dict)
    """By address."""


class Walk:
    """From the names of a module to all that they hold, each object once.

    What Triton, torch and the worker keep for themselves is left out.
    """

    def __init__(self, submission: types.ModuleType) -> None:
        self._module = submission.__name__
        self._names = vars(submission)
        self._found = ReachableObjects()
        self._waiting: deque[tuple[str, Any]] = deque()

    def find(self, entry: Any, given: Iterable[Any]) -> ReachableObjects:
        """From the submission's names, the object that is called, and what hangs on arguments."""
        self._note("", self._names, [(n, v) for n, v in self._names.items() if n not in _OF_IMPORT])
        switches = (
            *(torch.is_grad_enabled(), torch.get_default_dtype()),
            *(torch.backends.cudnn.benchmark, torch.backends.cudnn.deterministic),
        )
        self._note("a switch of torch", torch, enumerate(switches))
        if not isinstance(entry, types.FunctionType):
            self._waiting.append(("self", entry))
        self._go_on()
        for number, one in enumerate(tree_leaves(given)):
            if isinstance(one, torch.Tensor) and id(one) not in self._found.objects:
                self._note(f"argument {number}", one, one.__dict__.items(), one.grad)
        self._go_on()
        return self._found

    def _go_on(self) -> None:
        while self._waiting:
            path, value = self._waiting.popleft()
            if id(value) not in self._found.objects:
                self._visit(path, value)

    def _visit(self, path: str, value: Any) -> None:
        read = _reader_of(type(value))  # type: ignore[arg-type]  # a class can be hashed
        read(self, path, value)

    def _dictionary(self, path: str, value: dict[Any, Any]) -> None:
        # Not what a class of the file may put in its place.
        kind = OrderedDict if isinstance(value, OrderedDict) else dict
        items = list(kind.items(value))
        factory = value.default_factory if isinstance(value, defaultdict) else None
        if not self._is_large(path, value, items, chain(*items)):
            self._note(path, value, [*items, *_attributes_of(value)], factory)

    def _container(self, path: str, value: Collection[Any]) -> None:
        kind = next(kind for kind in _CONTAINERS if isinstance(value, kind))
        items = list(kind.__iter__(value))
        if not self._is_large(path, value, items, items):
            self._note(path, value, [*enumerate(items), *_attributes_of(value)])

    def _is_large(self, path: str, value: Any, items: list[Any], inside: Iterable[Any]) -> bool:
        """A long table of plain values, compared as a whole to save time."""
        plain = type(value) in _BUILT_IN and len(items) > _LARGE
        if not plain or not _PLAIN.issuperset(map(type, inside)):
            return False
        self._found.objects[id(value)] = (path, value, ((), items))
        return True

    def _chances(self, path: str, value: torch.Generator) -> None:
        self._note(path, value, (), value.get_state().cpu().numpy().tobytes())

    def _bytes(self, path: str, value: bytearray) -> None:
        self._note(path, value, (), bytes(value))

    def _class(self, path: str, value: type) -> None:
        if value.__module__ == self._module:
            self._note(path, value, vars(value).items())

    def _function(self, path: str, value: types.FunctionType) -> None:
        if value.__globals__ is self._names:
            cells = map(_content, value.__closure__ or ())
            named = zip(value.__code__.co_freevars, cells, strict=True)
            inside = [*named, *value.__dict__.items()]
            self._note(path, value, inside, value.__defaults__, value.__kwdefaults__)

    def _partial(self, path: str, value: functools.partial[Any]) -> None:
        parts = (value.func, value.args, value.keywords)
        self._note(path, value, value.__dict__.items(), *parts)

    def _generator(self, path: str, value: Any) -> None:
        frame = value.gi_frame
        local = frame.f_locals if frame else {}
        self._note(path, value, local.items(), frame.f_lasti if frame else -1)
        # A loop's iterator, or the generator that it waits for, has no name.
        inner = (one for one in gc.get_referents(value) if type(one) not in _LEAVES)
        self._waiting += ((path, one) for one in inner)

    def _object(self, path: str, value: Any) -> None:
        package = type(value).__module__.partition(".")[0]
        if package in _FOREIGN and not isinstance(value, torch.nn.Module):
            self._foreign(path, value)
            return
        walks = hasattr(type(value), "__next__") and package != self._module
        place = _place_of(value) if walks else None
        self._note(path, value, _attributes_of(value), place)
        own = getattr(value, "__dict__", None)
        inner = (one for one in gc.get_referents(value) if one is not own)
        kept = (one for one in inner if type(one).__name__ != "_abc_data")
        self._waiting += ((path, one) for one in kept if type(one) not in _LEAVES)

    def _foreign(self, path: str, value: Any) -> None:
        """What the file gave it, lists, and tensors and functions in its dictionaries."""
        kinds = (*_FUNCTIONS, list, torch.Tensor)
        for name, one in _attributes_of(value):
            if name in _OF_KERNELS or isinstance(one, kinds):
                self._waiting.append((f"{path}.{name}", one))
            elif isinstance(one, dict):
                kept = (part for part in one.values() if isinstance(part, kinds))
                self._waiting += ((f"{path}.{name}", part) for part in kept)

    def _visit_cache(self, path: str, cache: Any) -> None:
        """Visit a cache: its keys are no state; its values are, where others may write to them."""
        unbounded = cache.cache_parameters()["maxsize"] is None
        for one in gc.get_referents(cache):
            parts = [one]
            if isinstance(one, dict):
                links = any(type(part).__name__ == "_lru_list_elem" for part in one.values())
                parts = [*one.keys(), *one.values()] if unbounded or links else parts
            kept = (part for part in parts if type(part) not in _LEAVES)
            self._waiting += ((f"a result of {path}", part) for part in kept)

    def _tensor(self, path: str, value: torch.Tensor) -> None:
        form = {
            "shape": value.shape,
            "stride": torch.Size(value.stride()) if value.layout is torch.strided else None,
            "requires_grad": value.requires_grad,
        }
        self._note(path, value, [*form.items(), *value.__dict__.items()], value.grad)
        if value.layout is torch.strided and value.device.type != "meta" and value.numel():
            address = value.untyped_storage().data_ptr()
            self._found.memory.setdefault(address, PersistentStorage(path, value))

    def _note(self, path: str, value: Any, inside: Iterable[tuple[Any, Any]], *more: Any) -> None:
        """Note what an object holds now, and visit it."""
        held = list(inside)
        self._found.objects[id(value)] = (path, value, (_tokens(held), tuple(map(_token, more))))
        for name, one in held:
            if type(one) not in _LEAVES:
                self._waiting.append((path_of(path, name), one))
            if type(name) not in _LEAVES:
                self._waiting.append((path, name))
        self._waiting += ((path, one) for one in more if type(one) not in _LEAVES)


_READERS: tuple[tuple[type, Callable[[Walk, str, Any], None]], ...] = (
    (torch.Tensor, Walk._tensor),
    (dict, Walk._dictionary),
    *((kind, Walk._container) for kind in _CONTAINERS),
    (torch.Generator, Walk._chances),
    (bytearray, Walk._bytes),
    (type, Walk._class),
    (types.FunctionType, Walk._function),
    (functools.partial, Walk._partial),
    (functools._lru_cache_wrapper, Walk._visit_cache),
    (types.GeneratorType, Walk._generator),
    (object, Walk._object),
)


@functools.cache
def _reader_of(kind: type) -> Callable[[Walk, str, Any], None]:
    return next(read for known, read in _READERS if issubclass(kind, known))


def path_of(path: str, name: Any) -> str:
    """Path of a part: `self.gemm.weight`."""
    if not isinstance(name, str) or name in _PARTS_OF_MODULES:
        return path
    return f"{path}.{name}" if path else name


def _tokens(inside: Iterable[tuple[Any, Any]]) -> tuple[Any, ...]:
    return tuple((_token(name), _token(value)) for name, value in inside)


def _token(value: Any) -> Any:
    """The value of a number or a text; of anything else, which object it is."""
    kind = type(value)
    return (kind, value) if kind in _PLAIN else id(value)


def _attributes_of(value: Any) -> list[tuple[str, Any]]:
    """The attributes in an object's dictionary and in its slots."""
    found = list(getattr(value, "__dict__", {}).items())
    slots = _slots_of(type(value))  # type: ignore[arg-type]  # as above
    found += ((name, getattr(value, name)) for name in slots if hasattr(value, name))
    return found


@functools.cache
def _slots_of(kind: type) -> tuple[str, ...]:
    slots = (one for base in kind.__mro__ for one in vars(base).get("__slots__", ()))
    return tuple(name for name in slots if name != "__dict__")


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # nothing yet
        return None


def _place_of(iterator: Any) -> Any:
    """How far an iterator is."""
    try:
        return repr(_freeze(iterator.__reduce__()))
    except Exception:  # noqa: BLE001 - not all of them tell
        return operator.length_hint(iterator, -1)


def _freeze(value: Any) -> Any:
    """The contents of containers, and of iterators that were made to show them."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, tuple | list):
        return tuple(map(_freeze, value))
    if hasattr(type(value), "__next__"):
        return _freeze(value.__reduce__())
    return id(value)
