"""Puts the weights of a call into a submission's module, under the module's own names.

By name where all names and shapes are the same; else by place, where shapes are the same in order;
else by the last part of the name together with the shape; else those that are left by shape alone,
where no two of them have the same. The way that was taken is reported and proves nothing: only the
values that the module returns are judged.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import torch

Route = Literal["name", "place", "part", "shape", "seed", ""]
"""How a module got its weights; empty where the task has none."""
Tensors = Mapping[str, torch.Tensor]
_MOST_NAMED = 3


class WeightsDoNotFit(ValueError):
    """No way of giving the module its weights fits."""


@dataclass(frozen=True)
class ModuleTensors:
    """The tensors that a module keeps, by name."""

    parameters: Tensors
    buffers: Tensors

    @property
    def all(self) -> dict[str, torch.Tensor]:
        """Parameters, then buffers."""
        return {**self.parameters, **self.buffers}


@dataclass(frozen=True)
class WeightFit:
    """Which tensor of the module takes which weight."""

    route: Route
    pairs: tuple[tuple[torch.Tensor, torch.Tensor], ...]
    """Pairs of a module's tensor and the values for it."""


def held_by(module: Any) -> ModuleTensors:
    """What a module keeps; for an object that is no `nn.Module`, what its attributes hold."""
    if isinstance(module, torch.nn.Module):
        return ModuleTensors(
            dict(torch.nn.Module.named_parameters(module, remove_duplicate=False)),
            dict(torch.nn.Module.named_buffers(module, remove_duplicate=False)),
        )
    parameters: dict[str, torch.Tensor] = {}
    buffers: dict[str, torch.Tensor] = {}
    for name, value in getattr(module, "__dict__", {}).items():
        if isinstance(value, torch.nn.Module):
            inner = held_by(value)
            parameters |= {f"{name}.{of}": one for of, one in inner.parameters.items()}
            buffers |= {f"{name}.{of}": one for of, one in inner.buffers.items()}
        elif isinstance(value, torch.Tensor):
            parameters[name] = value
    return ModuleTensors(parameters, buffers)


def fit_weights(module: Any, given: Tensors, buffers: Sequence[str] = ()) -> WeightFit:
    """The first way that fits; `buffers` names those of `given` that no module has to have."""
    held = held_by(module)
    wanted = {name: value for name, value in given.items() if name not in set(buffers)}
    ways: dict[Route, Callable[[ModuleTensors, Tensors, Tensors], _Pairs | None]] = {
        "name": _by_name,
        "place": _by_place,
        "part": _by_part,
        "shape": _by_shape,
    }
    for route, way in ways.items():
        pairs = way(held, wanted, given)
        if pairs is not None:
            return WeightFit(route, (*pairs, *_buffers(held, given, buffers)))
    raise WeightsDoNotFit(
        "weights fit neither by name nor by place nor by the last part of a name nor by shape: "
        + "; ".join(_why(held, wanted))
    )


_Pairs = list[tuple[torch.Tensor, torch.Tensor]]


def _by_name(held: ModuleTensors, wanted: Tensors, _given: Tensors) -> _Pairs | None:
    found = held.all
    if any(name not in found or found[name].shape != one.shape for name, one in wanted.items()):
        return None
    pairs = [(found[name], value) for name, value in wanted.items()]
    return pairs if not _find_unset(held, pairs) else None


def _by_place(held: ModuleTensors, wanted: Tensors, given: Tensors) -> _Pairs | None:
    """Match in order: the parameters, or all tensors."""
    for own, values in ((held.parameters, wanted), (held.all, wanted), (held.all, given)):
        once = _once(own.values())
        if [one.shape for one in once] == [one.shape for one in values.values()]:
            return list(zip(once, values.values(), strict=True))
    return None


def _by_part(held: ModuleTensors, wanted: Tensors, _given: Tensors) -> _Pairs | None:
    """Match tensors of one last name and shape in their order."""
    own, values = _groups(held.parameters), _groups(wanted)
    if {key: len(group) for key, group in own.items()} != {
        key: len(group) for key, group in values.items()
    }:
        return None
    return [pair for key, group in values.items() for pair in zip(own[key], group, strict=True)]


def _by_shape(held: ModuleTensors, wanted: Tensors, _given: Tensors) -> _Pairs | None:
    """Match by last name and shape in order, then what is left by shape alone.

    No two of those that are left may have the same shape.
    """
    own, values = _groups(held.parameters), _groups(wanted)
    same = {key for key, group in values.items() if len(own.get(key, ())) == len(group)}
    mine, theirs = (
        [one for key, group in groups.items() if key not in same for one in group]
        for groups in (own, values)
    )
    by = {one.shape: one for one in mine}
    if len(by) < len(mine) or len(mine) != len(theirs) or set(by) != {one.shape for one in theirs}:
        return None
    alike = [pair for key in same for pair in zip(own[key], values[key], strict=True)]
    return [*alike, *((by[one.shape], one) for one in theirs)]


def _groups(tensors: Tensors) -> dict[tuple[str, torch.Size], list[torch.Tensor]]:
    found: dict[tuple[str, torch.Size], list[torch.Tensor]] = defaultdict(list)
    for name, one in tensors.items():
        found[name.rpartition(".")[2], one.shape].append(one)
    return found


def _once(tensors: Any) -> list[torch.Tensor]:
    """The tensors without those that are the same tensor under another name."""
    return list({id(one): one for one in tensors}.values())


def _find_unset(held: ModuleTensors, pairs: _Pairs) -> list[torch.Tensor]:
    """Parameters that would keep the values of the constructor."""
    taken = {id(own) for own, _ in pairs}
    return [one for one in held.parameters.values() if id(one) not in taken]


def _buffers(
    held: ModuleTensors, given: Tensors, buffers: Sequence[str]
) -> Iterator[tuple[Any, Any]]:
    """Buffers that the module has under the same name."""
    for name in buffers:
        own = held.buffers.get(name)
        if own is not None and name in given and own.shape == given[name].shape:
            yield own, given[name]


def _why(held: ModuleTensors, wanted: Tensors) -> list[str]:
    """What differs, in words; the simplest difference first."""
    found = held.all
    shapes, missing = [], []
    for name, one in wanted.items():
        own, shape = found.get(name), tuple(one.shape)
        if own is None:
            missing.append(f"no `{name}` of shape {shape}")
        elif own.shape != one.shape:
            turned = "transposed: " if tuple(own.shape) == shape[::-1] else ""
            shapes.append(f"{turned}`{name}` has shape {tuple(own.shape)}, expected {shape}")
    more = [
        f"`{name}` of shape {tuple(one.shape)} is not in the task"
        for name, one in held.parameters.items()
        if name not in wanted
    ]
    if not held.parameters:
        more = ["the module has no parameters"]
    return [*shapes, *missing[: _MOST_NAMED - 1], *more][:_MOST_NAMED]


def take_copies(fit: WeightFit) -> None:
    """The module's tensors get the values and keep their memory."""
    with torch.no_grad():
        for own, value in fit.pairs:
            own.copy_(value)


def share_memory(fit: WeightFit) -> None:
    """The module's tensors become the given memory: what comes there later counts."""
    for own, value in fit.pairs:
        own.data = value
