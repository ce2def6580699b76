import pytest
import torch

from kernelbenchx import catalog
from kernelbenchx.catalog.facts import facts
from kernelbenchx.checks.binding import bind
from kernelbenchx.checks.signatures import parse_signature
from kernelbenchx.core.argument_binding import AS_IT_IS, EntryBinding
from kernelbenchx.evaluate.calls import (
    ablated_cases,
    cases_of,
    drawn_cases,
    find_first_call,
    one_per_dtype,
    plan_slots,
    poisoned_slots,
    repeated_case,
    why_not_taken,
)
from kernelbenchx.evaluate.expectation import expectation_of


def test_every_case_is_called_as_often_as_its_contract_asks() -> None:
    for name in ("activation/relu", "random/rand"):
        task = catalog.load(name)
        planned = [slot for slot in plan_slots(name, 5, 1) if not slot.ablate and not slot.again]
        drawn = cases_of(name, 5)
        asked = [max(task.contract.calls, case.calls) for case in drawn]
        assert len(planned) == sum(asked) and set(asked) >= {task.contract.calls}
        assert {slot.drawn.case.name for slot in planned} == {
            case.name for case in cases_of(name, 5)
        }


def test_only_the_named_cases_are_called_and_the_one_without_kernels() -> None:
    telling = repeated_case("activation/relu", 5).case.name
    small = next(c.name for c in cases_of("activation/relu", 5) if c.name != telling)
    for named, again in ((small, 0), (telling, 1)):
        planned = plan_slots("activation/relu", 5, 1, frozenset({named}))
        assert {slot.drawn.case.name for slot in planned if not slot.ablate} == {named}
        assert sum(slot.ablate for slot in planned) == 1
        assert sum(slot.again for slot in planned) == again


@pytest.mark.parametrize("name", ["activation/relu", "math/add", "reduce/sum", "optimizer/Adam"])
def test_a_core_case_comes_again_in_its_memory(name: str) -> None:
    """In place or with strides, a submission may take another path than the one that it caches."""
    for seed in (1, 2, 3):
        again = repeated_case(name, seed)
        (first,) = (one for one in drawn_cases(name, seed) if one.case == again.case)
        assert not first.needs
        assert not torch.equal(first.call.args[0], again.call.args[0])


def test_the_order_is_not_the_order_of_the_file() -> None:
    one = [slot.drawn.case.name for slot in plan_slots("activation/relu", 5, 1)]
    two = [slot.drawn.case.name for slot in plan_slots("activation/relu", 5, 2)]
    assert one != two and sorted(one) == sorted(two)
    assert one == [slot.drawn.case.name for slot in plan_slots("activation/relu", 5, 1)]


def test_inputs_depend_on_the_seed_of_the_run() -> None:
    first, again, other = (drawn_cases("activation/relu", seed) for seed in (5, 5, 6))
    assert first is again
    large = max(range(len(first)), key=lambda n: first[n].call.args[0].numel())
    assert not torch.equal(first[large].call.args[0], other[large].call.args[0])


def test_calls_without_kernels_have_inputs_of_their_own() -> None:
    for name in ("activation/relu", "level1/relu"):
        for ablated in ablated_cases(name, 5):
            for known in drawn_cases(name, 5):
                theirs, ours = known.call.args[0], ablated.call.args[0]
                assert theirs.shape != ours.shape or not torch.equal(theirs, ours)


def test_one_call_in_each_dtype_is_without_kernels_and_the_seed_decides_its_sizes_alone() -> None:
    found = [ablated_cases("activation/gelu", seed) for seed in range(3)]
    for drawn in found:
        assert [one.dtype for one in drawn] == ["float32", "float16", "bfloat16"]
    options = [{**one.case.options, "dtype": ""} for drawn in found for one in drawn]
    assert all(one | {"shape": ""} == options[0] | {"shape": ""} for one in options)
    assert len({drawn[0].case.name for drawn in found}) == 3
    assert sum(slot.ablate for slot in plan_slots("activation/gelu", 5, 1)) == 3


def test_one_case_comes_again_with_other_values_after_its_first_call() -> None:
    for order in range(8):
        planned = plan_slots("activation/relu", 5, order)
        (again,) = (number for number, slot in enumerate(planned) if slot.again)
        first = find_first_call(planned, planned[again])
        assert first < again
        one, other = (planned[n].call.args[0].nan_to_num() for n in (first, again))
        assert one.shape == other.shape and not torch.equal(one, other)


def test_no_case_comes_again_where_a_contract_repeats_calls_anyway() -> None:
    assert not any(slot.again for slot in plan_slots("random/rand", 5, 1))


def test_the_compiler_sees_each_combination_of_dtypes_once() -> None:
    chosen = one_per_dtype("activation/gelu", 5)
    dtypes = [slot.drawn.call.args[0].dtype for slot in chosen]
    assert set(dtypes) == {torch.float32, torch.float16, torch.bfloat16}
    assert len(dtypes) == 3


def test_one_case_comes_again_after_its_first_call() -> None:
    for order in range(20):
        planned = plan_slots("activation/relu", 5, order)
        (number,) = [n for n, slot in enumerate(planned) if slot.again]
        first = find_first_call(planned, planned[number])
        assert first < number
        assert planned[first].drawn.case == planned[number].drawn.case


def test_the_call_without_kernels_has_an_answer_that_needs_work() -> None:
    for name in ("reduce/argmax", "reduce/sum", "loss/cross_entropy"):
        for seed in range(4):
            task = catalog.load(name)
            assert not any(one.is_trivial(task) for one in ablated_cases(name, seed))
    degenerate = next(
        one for one in drawn_cases("reduce/sum", 0) if not one.truth.native.leaves[0].value.numel()
    )
    assert degenerate.is_trivial(catalog.load("reduce/sum"))


def test_calls_without_kernels_come_again_with_poison() -> None:
    planned = plan_slots("activation/relu", 5, 1)
    assert [slot.poison for slot in planned if slot.ablate] == [""] * 3
    again = poisoned_slots(planned)
    assert [(slot.ablate, slot.poison) for slot in again] == [(True, "all")] * 3 + [
        (True, "large")
    ] * 3
    assert again[0].drawn == next(slot for slot in planned if slot.ablate).drawn


def test_no_small_tensor_is_spared_where_the_answer_is_small() -> None:
    again = poisoned_slots(plan_slots("reduce/sum", 5, 1))
    assert {slot.poison for slot in again} == {"all"}


def _lacking(task: str, signature: str) -> EntryBinding:
    wanted = expectation_of(facts(task), "triton").parameters
    return EntryBinding(call=bind(wanted, parse_signature(signature)[1]))


def test_calls_that_a_signature_takes_are_told_from_others() -> None:
    binding = _lacking("math/sub", "sub(a, b, *, out=None)")
    reasons = {why_not_taken(binding, one.call) for one in drawn_cases("math/sub", 5)}
    assert reasons == {"", "the signature has no `alpha`"}
    assert {why_not_taken(AS_IT_IS, one.call) for one in drawn_cases("math/sub", 5)} == {""}


def test_what_is_lacking_spares_nobody_the_call_without_kernels() -> None:
    taken = []
    for seed in range(8):
        binding = _lacking("activation/leaky_relu", "leaky_relu(input, inplace=False)")
        planned = plan_slots("activation/leaky_relu", seed, 1, frozenset(), binding)
        asked = [slot for slot in planned if slot.ablate or slot.again]
        assert len(asked) == 4
        taken += [why_not_taken(binding, slot.call) for slot in asked]
        plain = plan_slots("activation/leaky_relu", seed, 1)
        assert len(plain) == len(planned)
    assert set(taken) == {""}
