"""What a submission's names lead to, and how it is called."""

import logging
import types

import torch

from kernelbenchx.worker.reachable import ReachableObjects, Walk


def found_in(source: str) -> ReachableObjects:
    module = types.ModuleType("submission")
    exec("import functools, logging, torch\n" + source, module.__dict__)
    return Walk(module).find(module.__dict__.get("entry"), [])


def paths_of_memory(source: str) -> list[str]:
    return sorted(one.path for one in found_in(source).memory.values())


def test_tensors_are_found_behind_names_attributes_and_closures() -> None:
    source = (
        "a = torch.ones(2)\nb = {'k': [torch.ones(2)]}\n"
        "def make(t):\n    return lambda x: x + t\n"
        "entry = torch.nn.Sequential(torch.nn.Linear(2, 2, bias=False))\n"
        "entry.put = functools.partial(make(torch.ones(2)), 1)\n"
    )
    assert paths_of_memory(source) == ["a", "b.k", "entry.0.weight", "entry.put.t"]
    assert paths_of_memory("a = 1\nb = {'k': [2]}\n") == []


def test_views_of_one_storage_are_one_memory() -> None:
    assert paths_of_memory("a = torch.ones(4)\nb = a[2:]\n") == ["a"]


def test_what_packages_keep_for_themselves_is_left_out() -> None:
    objects = found_in("log = logging.getLogger('x')\nt = torch\n").objects
    assert id(logging.getLogger("x")) not in objects
    assert id(vars(torch)) not in objects


def test_a_number_with_attributes_is_an_object() -> None:
    source = "class N(int):\n    pass\nn = N(3)\nn.kept = torch.ones(2)\nm = 3\n"
    assert paths_of_memory(source) == ["n.kept"]
