"""The driver holds the slots: an actor tells it what runs long, and is told whether others wait."""

from kernelbenchx.cluster.remote_turn import DriverSlots, RemoteTurn
from kernelbenchx.evaluate.slot_scheduler import Turn


def test_what_runs_long_is_told_by_the_name_of_its_job() -> None:
    told: list[str] = []
    slots, turn = DriverSlots(told.append), RemoteTurn("job 7")
    turn.begin(slots)
    turn.note_long()
    slots.note_long(Turn())
    assert told == ["job 7"], "another turn has no job"


def test_others_wait_when_the_driver_said_so_last() -> None:
    slots, turn = DriverSlots(lambda _job: None), RemoteTurn("job")
    assert not turn.others_wait
    turn.begin(slots)
    assert not turn.others_wait
    slots.waiting = True
    assert turn.others_wait


def test_a_turn_goes_on_where_another_actor_left_off() -> None:
    turn = RemoteTurn("job")
    turn.take_over(4.0, was_put_off=True)
    turn.take_over(1.0, was_put_off=False)
    assert (turn.seconds, turn.was_put_off) == (4.0, True)
