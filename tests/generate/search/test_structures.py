"""Directions written out: right kernels for tasks of our own, in the structure they speak of."""

import re

import pytest

from kernelbenchx.core.outcome import Composition, Correct, Wrong
from kernelbenchx.core.submission import Submission
from kernelbenchx.evaluate.pipeline import Pipeline
from kernelbenchx.generate import templates
from kernelbenchx.generate.examples import EXAMPLES
from kernelbenchx.generate.search.choice_reader import choices_of
from kernelbenchx.generate.search.ideas import PREFIX, STRUCTURE, templates_of

NAMES = [name for name in templates.names() if name.startswith(STRUCTURE)]


def code_of(name: str) -> str:
    return templates.template(name).partition("```python\n")[2].rpartition("```")[0]


def entry_of(name: str) -> str:
    found = re.match(r"The same direction in another task: (\w+)\(", templates.template(name))
    assert found is not None
    return found[1]


def judged(pipeline: Pipeline, name: str, source: str) -> object:
    task = f"examples/{entry_of(name)}"
    made = pipeline.evaluate(Submission(name="mine", task=task, source=source))
    assert made.composition is Composition.PURE
    return made.outcome


@pytest.mark.parametrize("name", NAMES)
def test_a_structure_is_right_and_compiles(name: str, as_tasks: None, pipeline: Pipeline) -> None:
    outcome = judged(pipeline, name, code_of(name))
    assert isinstance(outcome, Correct), outcome


def test_a_spoilt_one_is_not(as_tasks: None, pipeline: Pipeline) -> None:
    name = STRUCTURE + "split"
    spoilt = code_of(name).replace("every < parts", "every < 1")
    assert spoilt != code_of(name)
    assert isinstance(judged(pipeline, name, spoilt), Wrong)


@pytest.mark.parametrize("name", NAMES)
def test_it_belongs_to_a_direction_and_its_sizes_can_be_searched(name: str) -> None:
    idea = PREFIX + name.removeprefix(STRUCTURE)
    assert templates_of(idea) == (idea, name)
    assert entry_of(name) in {example.name for example in EXAMPLES}
    assert choices_of(code_of(name))
    assert "$" not in templates.template(name)


def test_a_direction_without_one_is_words_alone() -> None:
    assert templates_of(PREFIX + "fresh") == (PREFIX + "fresh",)
    assert len(NAMES) >= 5
