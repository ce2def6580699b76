import io
import threading

from rich.console import Console

from kernelbenchx.cli.activity import STAGES, Activity


class _Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def _drawn(activity: Activity, width: int = 80) -> list[str]:
    console = Console(file=io.StringIO(), record=True, width=width, force_terminal=True)
    console.print(activity)
    return [line.rstrip() for line in console.export_text().splitlines()]


def _under_way() -> tuple[Activity, _Clock]:
    clock = _Clock()
    activity = Activity(clock=clock)
    activity.begin(6, 2)
    clock.now += 30  # workers start
    for name in ("a", "b", "c"):
        activity.stage(name, "checking")
    return activity, clock


def test_before_anything_runs_it_warms_up() -> None:
    activity = Activity(clock=_Clock())
    activity.begin(3, 0)
    assert _drawn(activity)[-1] == "warming up"
    assert "0/3" in _drawn(activity)[0] and "? left" in _drawn(activity)[0]


def test_every_stage_names_who_is_in_it_and_how_long() -> None:
    activity, clock = _under_way()
    activity.stage("a", "timing")
    activity.stage("b", "preparing")
    activity.stage("d", "compiling")
    clock.now += 7
    lines = _drawn(activity)
    assert lines[1:5] == [
        "checking   1  c 0:07",
        "compiling  1  d 0:07",
        "preparing  1  b 0:07",
        "timing     1  a 0:07",
    ]


def test_rate_and_time_left_come_from_what_was_judged_once_warm() -> None:
    activity, clock = _under_way()
    clock.now += 10
    activity.finish("a", "correct")
    activity.finish("b", "wrong")
    first, *_, last = _drawn(activity)
    assert first.startswith("4/6") and first.endswith("720/h  0:10 left  0:40 so far")
    assert last == "1 correct, 1 wrong, 2 finished before"


def test_a_stage_keeps_its_line_when_it_empties() -> None:
    activity, _ = _under_way()
    height = len(_drawn(activity))
    for name in ("a", "b", "c"):
        activity.finish(name, "correct")
    lines = _drawn(activity)
    assert len(lines) == height
    assert lines[1] == "checking  0"


def test_many_names_stay_on_one_line() -> None:
    activity = Activity(clock=_Clock())
    activity.begin(50, 0)
    for number in range(50):
        activity.stage(f"fused_layer_norm_relu_linear__{number}", "calling")
    lines = _drawn(activity)
    assert len(lines) == 3 and max(map(len, lines)) <= 80
    assert lines[1].startswith("calling  50  fused") and lines[1].endswith("…")


def test_names_are_words_and_not_markup() -> None:
    activity = Activity(clock=_Clock())
    activity.begin(1, 0)
    activity.stage("[red]x[/]", "timing")
    assert "[red]x[/]" in _drawn(activity)[1]


def test_threads_tell_while_it_is_drawn() -> None:
    activity = Activity(clock=_Clock())
    activity.begin(400, 0)

    def live(thread: int) -> None:
        for number in range(100):
            for stage in STAGES:
                activity.stage(f"{thread} {number}", stage)
            activity.finish(f"{thread} {number}", "correct")

    threads = [threading.Thread(target=live, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        _drawn(activity)
    assert _drawn(activity)[-1] == "400 correct"
