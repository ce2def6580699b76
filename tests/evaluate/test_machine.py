import importlib.metadata

from kernelbenchx.evaluate.machine import environment


def test_versions_are_those_installed() -> None:
    here = environment("interpreter")
    assert here.torch == importlib.metadata.version("torch")
    assert here.triton == importlib.metadata.version("triton")
    assert here.gpu == ""
