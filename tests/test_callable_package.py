import importlib
import inspect
import subprocess
import sys
from types import ModuleType

import pytest

import kernelbenchx
from kernelbenchx.callable_package import FUNCTIONS, CallablePackage


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_package_is_the_function_of_its_name(name: str) -> None:
    package = importlib.import_module(name)
    bare = name.rpartition(".")[2]
    function = getattr(importlib.import_module(FUNCTIONS[name]), bare)
    assert isinstance(package, CallablePackage) and isinstance(package, ModuleType)
    assert getattr(kernelbenchx, bare) is package
    assert inspect.signature(package) == inspect.signature(function)


def test_a_call_is_passed_on() -> None:
    assert [one.name for one in kernelbenchx.tasks("relu")] == ["activation/relu"]
    with pytest.raises(TypeError):
        kernelbenchx.evaluate()  # type: ignore[call-arg]


@pytest.mark.slow
def test_the_function_stays_after_modules_of_the_package_were_imported() -> None:
    program = """
import kernelbenchx
before = kernelbenchx.tasks, kernelbenchx.evaluate
import kernelbenchx.evaluate.session as session
from kernelbenchx.evaluate import evaluation_job
import kernelbenchx.tasks.activation.relu
assert (kernelbenchx.tasks, kernelbenchx.evaluate) == before
assert kernelbenchx.evaluate.session is session
print(kernelbenchx.tasks("relu")[0].name)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=200, check=False
    )
    assert done.stdout == "activation/relu\n", done.stderr


def test_other_packages_are_not_called() -> None:
    from kernelbenchx import catalog

    assert not callable(catalog)
