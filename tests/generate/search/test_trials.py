from dataclasses import replace

from generate.search.sources import NAMED
from kernelbenchx.generate.search.log_speed import LogSpeed
from kernelbenchx.generate.search.setting_space import SettingSpace
from kernelbenchx.generate.search.trials import SettingTrial, Trials, best_of

SPACE = SettingSpace.of(NAMED)


def _trial(point: tuple[int, int], value: float | None) -> SettingTrial:
    speed = None if value is None else LogSpeed(value, value - 0.1, value + 0.1)
    return SettingTrial(SPACE, point, SPACE.source(point), speed)


def test_the_best_is_what_nothing_after_it_improves() -> None:
    trials = Trials()
    assert trials.best is None
    tried = [_trial((512, 4), 0.0), _trial((256, 4), None), _trial((1024, 4), 0.3)]
    for trial in (*tried, _trial((2048, 4), 0.3), _trial((4096, 4), 0.2)):
        trials.add(trial)
    assert trials.best is tried[2]
    assert best_of([tried[1]]) is None


def test_the_same_code_is_known_whatever_its_comments() -> None:
    trials = Trials()
    trials.add(_trial((512, 4), None))
    assert trials.knows("# again\n" + SPACE.source((512, 4)))
    assert not trials.knows(NAMED)


def test_trials_belong_to_their_space() -> None:
    trials, other = Trials(), SettingSpace.of(NAMED)
    trials.add(_trial((512, 4), 0.0))
    assert len(trials.of(SPACE)) == 1
    assert trials.of(other) == []
    assert len(trials.like(other)) == 1
    assert trials.like(SettingSpace.of("x = 1")) == []


def test_a_fault_of_the_evaluator_says_nothing_but_is_not_tried_again() -> None:
    trials = Trials()
    trials.add(replace(_trial((512, 4), None), fault=True))
    assert trials.like(SPACE) == []
    assert trials.knows(SPACE.source((512, 4)))
