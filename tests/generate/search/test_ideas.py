from dataclasses import replace

import msgspec

from generate.search.timed_sources import RIGHT, at_speed
from kernelbenchx.core.evaluation import KernelFacts
from kernelbenchx.generate import templates
from kernelbenchx.generate.search.ideas import PREFIX, Symptoms, next_ideas, symptoms
from kernelbenchx.generate.search.prior import Bottleneck
from samples import evaluation

MEMORY = Symptoms(
    bound=Bottleneck.MEMORY, overhead=False, kernels=1, spills=False, uneven=False, idle=False
)
EVERY = {name for name in templates.names() if name.startswith(PREFIX)}


def test_every_direction_has_its_template_and_the_other_way_round() -> None:
    assert set(next_ideas(MEMORY, {}, 99)) == EVERY
    assert len(EVERY) >= 8


def test_directions_go_with_the_symptoms() -> None:
    assert next_ideas(MEMORY, {}, 2) == [PREFIX + "passes", PREFIX + "wide"]
    assert next_ideas(replace(MEMORY, bound=Bottleneck.ARITHMETIC), {}, 1) == [PREFIX + "tiles"]
    assert next_ideas(replace(MEMORY, overhead=True), {}, 1) == [PREFIX + "launches"]
    assert PREFIX + "lean" in next_ideas(replace(MEMORY, spills=True), {}, 3)
    assert PREFIX + "lean" not in next_ideas(MEMORY, {}, 3)


def test_what_helped_is_taken_further_and_what_did_not_waits() -> None:
    helped = {PREFIX + "wide": [0.5], PREFIX + "passes": [0.0]}
    assert next_ideas(MEMORY, helped, 1) == [PREFIX + "wide"]
    failed = {PREFIX + "wide": [0.0, 0.0, 0.0], PREFIX + "passes": [0.0, 0.0, 0.0]}
    assert not {PREFIX + "wide", PREFIX + "passes"} & set(next_ideas(MEMORY, failed, 2))


def test_symptoms_are_read_off_times_and_compiler() -> None:
    slow = evaluation("k", RIGHT, at_speed(0.5, score=0.1))
    seen = symptoms(slow)
    assert seen.bound is Bottleneck.MEMORY
    assert seen.idle
    assert not seen.spills
    kernel = KernelFacts(name="a", ok=True, target="sm_90", spills=4)
    other = KernelFacts(name="b", ok=True, target="sm_90")
    seen = symptoms(msgspec.structs.replace(slow, kernels=(kernel, other)))
    assert seen.spills
    assert seen.kernels == 2
    assert not symptoms(evaluation("k", RIGHT, at_speed(0.5, score=0.8))).idle
