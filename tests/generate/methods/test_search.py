"""Correct first, then faster."""

import math
from dataclasses import replace

import pytest

from desks import TASK, FakeBench, FakeModel, Memory, desk, office
from generate.search.sources import NAMED, TUNED
from generate.search.timed_sources import RIGHT, at_speed, bench_of, broken, number
from kernelbenchx.catalog.statement import statement
from kernelbenchx.core.outcome import Outcome, Reason
from kernelbenchx.core.performance import Failed, Performance, Unmeasured
from kernelbenchx.core.same_code import code_digest
from kernelbenchx.core.transcript import Reply, Request
from kernelbenchx.generate.methods.search import SearchMethod
from kernelbenchx.generate.model import MethodStep, Stopped
from kernelbenchx.generate.prompts import FormPrompts, Prompting
from kernelbenchx.generate.task_context import TaskContext

STATED = statement(TASK)
PROMPTS = FormPrompts(Prompting())
FIRST = f"```python\n{NAMED}```"


def at_a_desk(model: FakeModel, bench: FakeBench, memory: Memory | None = None) -> TaskContext:
    return desk(replace(office(model, bench=bench, memory=memory), prompts=PROMPTS))


def hill(source: str) -> float | None:
    """Best at blocks of 4096 with 8 warps; larger blocks do not compile."""
    block, warps = number(source, "BLOCK", 1024), number(source, "num_warps", 4)
    if block > 4096:
        return None
    away = (math.log2(block) - 12) ** 2 + 2 * (math.log2(warps) - 3) ** 2
    return math.exp(-0.05 * away)


def best_speed(bench: FakeBench) -> float:
    found = [hill(one.source) for one in bench.judged]
    return max(one for one in found if one is not None)


def test_the_best_setting_is_found_within_the_budget_and_without_a_request() -> None:
    model, bench = FakeModel(lambda *_: FIRST), bench_of(hill)
    SearchMethod(requests=1, evaluations=16).run(STATED, at_a_desk(model, bench))
    assert len(model.asked) == 1
    assert len(bench.judged) <= 16
    assert best_speed(bench) == 1.0
    assert hill(NAMED) == pytest.approx(math.exp(-0.3))


def test_no_code_is_judged_twice_even_where_the_model_repeats_itself() -> None:
    model, bench = (
        FakeModel(lambda *_: FIRST.replace("scale(x):", "scale(x):  # again")),
        bench_of(hill),
    )
    SearchMethod(requests=6, evaluations=60).run(STATED, at_a_desk(model, bench))
    assert len(model.asked) == 6
    *searched, answer = bench.judged
    codes = [code_digest(one.source) for one in searched]
    assert len(codes) == len(set(codes))
    assert answer.origin.step == "answer"


def test_the_answer_is_the_best_measured_once_more_in_a_round_of_its_own() -> None:
    model, bench = FakeModel(lambda *_: FIRST), bench_of(hill)
    SearchMethod(requests=1, evaluations=16).run(STATED, at_a_desk(model, bench))
    *searched, answer = bench.judged
    assert hill(answer.source) == best_speed(bench)
    assert int(answer.origin.round) > max(int(one.origin.round) for one in searched)
    same = [one.name for one in searched if one.source == answer.source]
    assert [answer.origin.parent] == same


def test_kernels_that_fail_are_repaired_first_and_get_no_search() -> None:
    model, bench = FakeModel(lambda *_: FIRST), FakeBench(lambda _: broken())
    SearchMethod(requests=3).run(STATED, at_a_desk(model, bench))
    assert model.paths == ["round 0", "round 1", "round 2"]
    assert len(bench.judged) == 3


def test_a_kernel_whose_timed_calls_fail_is_not_there_yet() -> None:
    def verdict(source: str) -> Outcome | tuple[Outcome, Performance]:
        if "honest" in source:
            return RIGHT, at_speed(1.0, score=0.99)
        return RIGHT, Failed(case="n=4", reason=Reason.STALE, detail="answers kept")

    def answer(_: Request, step: MethodStep) -> str:
        return FIRST if step.path == "round 0" else FIRST.replace("# a size", "# honest")

    model, bench = FakeModel(answer), FakeBench(verdict)
    SearchMethod().run(STATED, at_a_desk(model, bench))
    assert model.paths == ["round 0", "round 1"]
    assert "answer of an earlier call" in model.asked[1][1].messages[-1].content


def _disturbed(times: int, reason: Reason = Reason.DISTURBED) -> FakeBench:
    """A card that somebody else uses while the first so many kernels are timed."""
    left = [times]

    def verdict(source: str) -> Outcome | tuple[Outcome, Performance]:
        if left[0]:
            left[0] -= 1
            return RIGHT, Unmeasured(reason=reason, detail="another process")
        return RIGHT, at_speed(hill(source) or 0.5)

    return FakeBench(verdict)


def test_a_kernel_that_could_not_be_timed_is_judged_again_before_the_model_is_asked() -> None:
    model, bench = FakeModel(lambda *_: FIRST), _disturbed(2)
    SearchMethod(requests=1, evaluations=12).run(STATED, at_a_desk(model, bench))
    steps = [one.origin.step for one in bench.judged]
    assert steps[:3] == ["round 0", "round 0/again 0", "round 0/again 1"]
    assert len(steps) == 12 and steps[-1] == "answer"
    assert {one.source for one in bench.judged[:3]} == {bench.judged[0].source}


@pytest.mark.parametrize(
    ("bench", "judged"),
    [(_disturbed(99), 3), (_disturbed(99, Reason.IMPOSSIBLE), 1)],
    ids=["disturbed for long", "too fast to be true"],
)
def test_one_that_stays_untimed_goes_back_to_the_model(bench: FakeBench, judged: int) -> None:
    model = FakeModel(lambda *_: FIRST)
    SearchMethod(requests=2).run(STATED, at_a_desk(model, bench))
    assert model.paths == ["round 0", "round 1"]
    assert len(bench.judged) == 2 * judged


def test_judging_again_is_part_of_the_budget() -> None:
    model, bench = FakeModel(lambda *_: FIRST), _disturbed(99)
    SearchMethod(requests=9, evaluations=4).run(STATED, at_a_desk(model, bench))
    assert [one.origin.step for one in bench.judged][3:] == ["round 1"]


def test_rewrites_are_asked_for_when_settings_promise_nothing_with_what_was_measured() -> None:
    model, bench = FakeModel(lambda *_: FIRST), bench_of(hill)
    SearchMethod(requests=3, evaluations=60).run(STATED, at_a_desk(model, bench))
    rewrites = {step.path: asked for step, asked in model.asked[1:]}
    assert set(rewrites) == {"rewrite 1", "rewrite 2"}
    told = [rewrites[name].messages for name in sorted(rewrites)]
    assert "BLOCK = 4096" in told[0][-2].content
    said = told[0][-1].content
    assert "_scale.BLOCK 4096, _scale.num_warps 8: 1x (0.98 to 1.02)" in said
    assert "Furthest from the limit" in said
    assert "a kernel does not compile" in said
    assert "$" not in said and "\n\n\nKeep" not in said
    assert said != told[1][-1].content
    # Both directions that wait for memory are shown written out, and that is noted.
    assert "_whole_row[" in said and "_some_rows[" in told[1][-1].content


def test_the_place_of_a_request_does_not_follow_from_times() -> None:
    rounds, paths = [], []
    for speed in (hill, lambda source: 1.0 / (hill(source) or 1.0)):
        model, bench = FakeModel(lambda *_: FIRST), bench_of(speed)
        SearchMethod(requests=4, evaluations=60).run(STATED, at_a_desk(model, bench))
        rounds.append(bench.judged[-1].origin.round)
        paths.append(model.paths)
    assert rounds[0] != rounds[1]
    assert paths == [["rewrite 1", "rewrite 2", "rewrite 3", "round 0"]] * 2


def test_a_rewrite_that_is_faster_is_searched_further() -> None:
    better = NAMED.replace("2 * tl.load", "2.0 * tl.load").replace("1024", "256")

    def speed(source: str) -> float | None:
        factor = hill(source)
        return factor if factor is None or "2.0 *" not in source else 1.5 * factor

    def answer(_: Request, step: MethodStep) -> str:
        return f"```python\n{better}```" if "rewrite 1" in step.path else FIRST

    model, bench = FakeModel(answer), bench_of(speed)
    SearchMethod(requests=3, evaluations=60).run(STATED, at_a_desk(model, bench))
    found = [speed(one.source) for one in bench.judged]
    assert max(one for one in found if one is not None) == pytest.approx(1.5)


def test_one_configuration_of_a_list_is_searched_further() -> None:
    def speed(source: str) -> float | None:
        return 0.5 if source.count("Config(") > 1 else hill(source)

    model, bench = FakeModel(lambda *_: f"```python\n{TUNED}```"), bench_of(speed)
    SearchMethod(requests=1, evaluations=24).run(STATED, at_a_desk(model, bench))
    assert any('{"BLOCK": 4096}, num_warps=8' in one.source for one in bench.judged)


def test_near_the_limit_of_the_card_nothing_is_searched() -> None:
    model, bench = FakeModel(lambda *_: FIRST), bench_of(hill, score=0.97)
    SearchMethod().run(STATED, at_a_desk(model, bench))
    assert len(bench.judged) == 1
    model, bench = FakeModel(lambda *_: FIRST), bench_of(hill, score=0.97)
    SearchMethod(near=0.99, requests=1, evaluations=5).run(STATED, at_a_desk(model, bench))
    assert len(bench.judged) == 5
    assert bench.judged[-1].origin.step == "answer"


@pytest.mark.parametrize(("requests", "evaluations"), [(1, 1), (4, 9), (9, 4)])
def test_the_budget_is_kept(requests: int, evaluations: int) -> None:
    model, bench = FakeModel(lambda *_: FIRST), bench_of(hill)
    chosen = SearchMethod(requests=requests, evaluations=evaluations, worth=0.05)
    chosen.run(STATED, at_a_desk(model, bench))
    assert len(model.asked) <= requests
    assert len(bench.judged) <= evaluations


def test_tokens_are_part_of_the_budget() -> None:
    model, bench = FakeModel(lambda *_: FIRST), bench_of(hill)
    SearchMethod(tokens=100, evaluations=60).run(STATED, at_a_desk(model, bench))
    assert len(model.asked) == 1
    model, bench = FakeModel(lambda *_: FIRST), bench_of(hill)
    SearchMethod(tokens=1_000_000, evaluations=60).run(STATED, at_a_desk(model, bench))
    assert len(model.asked) == 10


def test_without_times_few_settings_are_tried_and_no_rewrite_is_asked_for() -> None:
    model, bench = FakeModel(lambda *_: FIRST), FakeBench(lambda _: RIGHT)
    SearchMethod(untimed=3).run(STATED, at_a_desk(model, bench))
    assert len(model.asked) == 1
    assert 2 <= len(bench.judged) <= 5
    model, bench = FakeModel(lambda *_: FIRST), FakeBench(lambda _: RIGHT)
    SearchMethod(untimed=0).run(STATED, at_a_desk(model, bench))
    assert len(bench.judged) == 1


def test_rounds_and_parents_tell_where_a_setting_comes_from() -> None:
    model, bench = FakeModel(lambda *_: FIRST), bench_of(hill)
    SearchMethod(requests=1, evaluations=10, side_by_side=4).run(STATED, at_a_desk(model, bench))
    origins = [one.origin for one in bench.judged]
    assert [one.round for one in origins] == ["0", *["1"] * 4, *["2"] * 4, "3"]
    assert sorted(one.sample for one in origins[1:5]) == [0, 1, 2, 3]
    assert {one.parent for one in origins[1:5]} == {"relu__round0"}


class _Interrupted:
    """Ends the run at one step of it."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self, source: str) -> float | None:
        self.left -= 1
        if self.left < 0:
            raise Stopped("killed")
        return hill(source)


@pytest.mark.parametrize("at", [0, 1, 3, 7])
def test_a_second_start_ends_in_the_same_attempts(at: int) -> None:
    def rows(bench: FakeBench) -> set[tuple[str, str]]:
        return {(name, one.digest) for name, one in bench.kept.items()}

    chosen = SearchMethod(requests=3, evaluations=14, worth=0.02)
    whole = bench_of(hill)
    chosen.run(STATED, at_a_desk(FakeModel(lambda *_: FIRST), whole))
    memory, bench = Memory(), bench_of(_Interrupted(at))
    with pytest.raises(Stopped):
        chosen.run(STATED, at_a_desk(FakeModel(lambda *_: FIRST), bench, memory))
    again = bench_of(hill)
    again.kept = bench.kept
    chosen.run(STATED, at_a_desk(FakeModel(lambda *_: FIRST), again, memory))
    assert rows(again) == rows(whole)


@pytest.mark.parametrize(
    "said", ["", "no code", "\x00", "```python\ndef (\n```", "x = 1", "a" * 9999]
)
def test_whatever_the_model_says_nothing_is_raised(said: str) -> None:
    def answer(_: Request, step: MethodStep) -> str | Reply:
        return FIRST if step.path == "round 0" else said

    bench = bench_of(lambda source: hill(source) if "_scale" in source else None)
    SearchMethod(requests=4, evaluations=40).run(STATED, at_a_desk(FakeModel(answer), bench))
    assert best_speed(bench) == 1.0
