"""How a problem's published size calls its module: constructor arguments and inputs in words."""

import inspect
from typing import TYPE_CHECKING, Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from kernelbenchx.catalog.facts import PublishedCall
from kernelbenchx.spec.families.problem import Inputs
from kernelbenchx.spec.inputs import Draw

if TYPE_CHECKING:
    from kernelbenchx.spec.problem import Problem


def describe_published_call(task: "Problem") -> PublishedCall | None:
    """None for a problem that the family `problem` did not make.

    Nothing is allocated: published sizes take gigabytes.
    """
    # The functions of the task file. Drawing the whole case would fill every weight.
    made = inspect.getclosurevars(task.inputs).nonlocals
    if not {"init", "inputs", "complete"} <= made.keys():
        return None
    published = task.timings[0].params
    size = made["complete"]({name: published[name] for name in published if name != "values"})
    with FakeTensorMode():
        drawn = Inputs(Draw.from_seed(0), "normal", task.dtype, "normal")
        given = task.signature.bind(*made["inputs"](drawn, **size)).arguments
    return PublishedCall(
        init=tuple(map(repr, made["init"](**size))),
        inputs=tuple(f"{name}: {_describe_value(value)}" for name, value in given.items()),
    )


def _describe_value(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype).removeprefix('torch.')} {tuple(value.shape)}"
    if isinstance(value, tuple | list):
        return f"({', '.join(map(_describe_value, value))})"
    return repr(value)
