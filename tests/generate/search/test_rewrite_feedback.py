import math

from desks import TASK
from generate.search.sources import NAMED
from generate.search.timed_sources import RIGHT, at_speed
from kernelbenchx.catalog.statement import statement
from kernelbenchx.generate.search.log_speed import LogSpeed
from kernelbenchx.generate.search.rewrite_feedback import MOST, slow_words, tried_words
from kernelbenchx.generate.search.setting_space import SettingSpace
from kernelbenchx.generate.search.trials import SettingTrial
from samples import evaluation

SPACE = SettingSpace.of(NAMED)
STATED = statement(TASK)


def _trial(point: tuple[int, int], factor: float | None, idea: str = "") -> SettingTrial:
    speed = None
    if factor is not None:
        speed = LogSpeed(math.log(factor), math.log(0.9 * factor), math.log(1.1 * factor))
    said = "" if speed else "a kernel does not compile"
    return SettingTrial(SPACE, point, "", speed, "", idea, said)


def test_the_slowest_input_is_named_with_its_distance_to_the_limit() -> None:
    said = slow_words(evaluation("k", RIGHT, at_speed(1.0, score=0.4)), STATED)
    assert "it uses 40% of what the GPU can do" in said
    assert slow_words(evaluation("k", RIGHT), STATED) == ""


def test_what_was_tried_is_listed_fastest_first_with_intervals() -> None:
    trials = [
        _trial((1024, 4), 1.0),
        _trial((2048, 4), 2.0),
        _trial((4096, 4), None),
        _trial((1024, 4), 1.5, "search_idea_wide"),
    ]
    assert tried_words(trials).splitlines() == [
        "- _scale.BLOCK 2048: 2x (1.8 to 2.2)",
        "- a rewrite (wide): 1.5x (1.35 to 1.65)",
        "- the first right file: 1x (0.9 to 1.1)",
        "- _scale.BLOCK 4096: a kernel does not compile",
    ]


def test_a_long_search_is_told_in_few_lines() -> None:
    trials = [_trial((1024, 4), 1.0 + number) for number in range(50)]
    trials += [_trial((1024, 4), None) for _ in range(50)]
    assert len(tried_words(trials).splitlines()) == MOST
    assert tried_words([]) == "- nothing yet"


def test_an_estimate_is_not_told_as_a_time() -> None:
    guess = SettingTrial(SPACE, (2048, 4), "", LogSpeed(0.5, 0.5, 0.5, measured=False))
    assert tried_words([guess]) == "- _scale.BLOCK 2048: right, not timed"


def test_names_without_end_do_not_fill_the_prompt() -> None:
    space = SettingSpace.of(NAMED.replace("BLOCK", "B" * 5000))
    trial = SettingTrial(space, (2048, 4), "", LogSpeed(0.0, 0.0, 0.0))
    assert space.choices[0].now == 1024
    assert len(tried_words([trial])) < 500
