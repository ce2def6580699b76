"""What a submission keeps from one call to the next, found by comparing before and after a call.

No call may leave a tensor behind that was not there before, or other values in one that was. A call
whose form was called before (arguments of the same shapes, dtypes and numbers) may change nothing
at all: facts of a device or a shape are known by then, and a counter goes on.
"""

import json
import types
import warnings
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import torch

from .reachable import PersistentStorage, ReachableObjects, Walk, path_of

STATISTICS = frozenset({"running_mean", "running_var", "num_batches_tracked"})
"""Buffers that a norm in training mode writes in every call."""
_MOST_NAMED, _LONGEST = 5, 100


class PersistentState:
    """Looks at a submission's module, and at the object that is called, around every call."""

    def __init__(self, submission: types.ModuleType, *, on: bool) -> None:
        self._submission, self._on = submission, on
        self._before = ReachableObjects()
        self._known: dict[int, PersistentStorage] = {}
        """Memory that still holds the bytes of its copy."""
        self._forms: set[str] = set()

    def begin(self, entry: Any, given: Iterable[Any]) -> None:
        """Record the state just before a call."""
        if not self._on:
            return
        self._before = self._look(entry, given)
        for address, one in self._before.memory.items():
            old = self._known.get(address)
            same = old is not None and old.tensor is one.tensor
            one.copy = old.copy if old is not None and same else _bytes_of(one.tensor).clone()
        self._known = {}

    def changes(
        self, entry: Any, given: Iterable[Any], call: dict[str, Any], allowed: Collection[str] = ()
    ) -> list[str]:
        """What the call changed, compared just after it; `allowed` are names of attributes."""
        if not self._on or call.get("ablate"):
            return []
        after, before = self._look(entry, given), self._before
        found = [*_changed_memory(before, after)]
        form = _form_of(call)
        if form in self._forms:
            found += _changed_objects(before, after)
        self._forms.add(form)
        self._known = before.memory
        named = (one for one in found if one.rpartition(".")[2] not in allowed)
        return [one[:_LONGEST] for one in dict.fromkeys(named)][:_MOST_NAMED]

    def _look(self, entry: Any, given: Iterable[Any]) -> ReachableObjects:
        with torch._C.DisableTorchFunction(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # asking some objects warns
            return Walk(self._submission).find(entry, given)


def _changed_memory(before: ReachableObjects, after: ReachableObjects) -> Iterator[str]:
    by_path = {one.path: one for one in before.memory.values()}
    for address, one in after.memory.items():
        if address not in before.memory and not _is_moved(by_path.get(one.path), one):
            yield one.path
    for one in before.memory.values():
        if one.copy is not None and not torch.equal(now := _bytes_of(one.tensor), one.copy):
            one.copy = now.clone()
            yield one.path


def _is_moved(old: PersistentStorage | None, new: PersistentStorage) -> bool:
    """The same bytes at another place, as where a wrapper puts a weight on a device."""
    if old is None or old.copy is None:
        return False
    return torch.equal(_bytes_of(new.tensor), old.copy)


def _changed_objects(before: ReachableObjects, after: ReachableObjects) -> Iterator[str]:
    for identity, (path, _, held) in before.objects.items():
        now = after.objects.get(identity)
        if now is not None and now[2] != held:
            names = {name for name, _ in set(held[0]) ^ set(now[2][0])}
            texts = sorted(name[1] for name in names if type(name) is tuple and name[0] is str)
            yield path_of(path, texts[0]) if texts else path


def _bytes_of(tensor: torch.Tensor) -> torch.Tensor:
    whole = torch.empty(0, dtype=torch.uint8, device=tensor.device)
    return whole.set_(tensor.untyped_storage())


def _form_of(call: dict[str, Any]) -> str:
    """Everything but where values lie and what generators are seeded with."""

    def without(value: Any) -> Any:
        if isinstance(value, list):
            return [without(one) for one in value]
        if not isinstance(value, dict):
            return value
        seeded = value.get("t") == "generator"
        return {k: without(v) for k, v in value.items() if k != "storage" and not seeded}

    parts = [call.get(part) for part in ("args", "kwargs", "init", "state")]
    return json.dumps(without(parts), sort_keys=True)
