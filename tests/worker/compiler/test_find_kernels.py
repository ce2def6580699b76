"""The kernel of a record is found wherever a module keeps it, and not another of the same name."""

from typing import Any

import triton
import triton.language as tl

from kernelbenchx.worker.compiler.find_kernels import functions_in, matching


def made(factor: Any) -> Any:
    @triton.jit  # type: ignore[misc, untyped-decorator]
    def scale(x):  # type: ignore[no-untyped-def]
        tl.store(x, tl.load(x) * factor)

    return scale


def other() -> Any:
    @triton.jit  # type: ignore[misc, untyped-decorator]
    def scale(x):  # type: ignore[no-untyped-def]
        tl.store(x, 0)

    return scale


TWO, THREE, OTHER = made(2), made(3), other()


class Held:
    kernel = TWO


def test_kernels_are_found_in_names_containers_and_classes_and_among_those_seen() -> None:
    for namespace in ({"k": TWO}, {"all": [TWO]}, {"by_name": {"k": TWO}}, {"Held": Held}):
        assert [one.fn for one in functions_in(namespace)] == [TWO]
    assert [one.fn for one in functions_in({}, [TWO])] == [TWO]
    assert functions_in({"k": made, "n": 5}) == []


def test_an_autotuner_is_known_with_its_kernel() -> None:
    tuned = triton.autotune(configs=[triton.Config({})], key=[])(TWO)
    (found,) = functions_in({"k": tuned})
    assert found.fn is TWO and found.tuner is tuned
    assert functions_in({"k": TWO})[0].tuner is None


def test_of_kernels_with_one_name_line_and_captured_values_decide() -> None:
    functions = functions_in({"all": [TWO, OTHER, THREE]})
    line = TWO.fn.__code__.co_firstlineno
    for factor, kernel in ((2, TWO), (3, THREE)):
        launch = {"kernel": "scale", "line": line, "captured": {"factor": factor}}
        found = matching(functions, launch)
        assert found is not None and found.fn is kernel
    elsewhere = {"kernel": "scale", "line": OTHER.fn.__code__.co_firstlineno}
    found = matching(functions, elsewhere)
    assert found is not None and found.fn is OTHER
    assert matching(functions, {"kernel": "gone", "line": line}) is None
