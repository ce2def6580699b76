"""The search over real HTTP and through real evaluation: in the interpreter nothing is timed."""

from pathlib import Path

from desks import TASK
from generate.loopback import HOSTILE, PASSING, Answer, Asked, Say, flaky
from generate.written_kernels import written
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.core.outcome import Correct, Rejected, Wrong
from kernelbenchx.generate.methods.search import SearchMethod

RELU = witness_source(TASK)


def _script(asked: Asked) -> Answer:
    """Wrong at first; right once it is told how wrong."""
    repairs = "Tests passed" in asked.prompt
    return Say(f"```python\n{RELU if repairs else RELU.replace('0.0', '0.5')}```")


def test_a_wrong_kernel_is_repaired_then_settings_are_tried(
    warm_workers: None, tmp_path: Path
) -> None:
    method = SearchMethod(untimed=1)
    first = written(method, flaky(_script, PASSING, every=2), tmp_path / "run")
    settings = [step for step in first.outcomes if "setting" in step]
    assert first.outcomes["round 0"] is Wrong
    assert first.outcomes["round 1"] is Correct
    assert settings == ["round 2/setting 0"]
    assert first.outcomes["answer"] is Correct
    assert {first.parents[step] for step in settings} == {"relu__round1"}
    again = written(method, _script, tmp_path / "run")
    assert (again.outcomes, again.prompts) == (first.outcomes, [])


def test_no_reply_stops_it(warm_workers: None, tmp_path: Path) -> None:
    answers = [answer for name, answer in HOSTILE.items() if name != "huge"]
    found = written(
        SearchMethod(requests=4),
        lambda asked: answers[asked.number % len(answers)],
        tmp_path / "run",
    )
    assert set(found.outcomes.values()) == {Rejected}
    assert len(found.outcomes) == 4
