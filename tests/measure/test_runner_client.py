"""The trusted end of a channel: one answer for each question, bounded, and none for another's."""

import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch

from kernelbenchx.measure.runner_client import GONE, HUNG, SENSELESS, RunnerClient, RunnerFailed
from kernelbenchx.worker import wire
from kernelbenchx.worker.timing.layout import Layout
from kernelbenchx.worker.timing.submission_program import SubmissionProgram
from timing_host import Loadable, inputs_of, relu, serving

TENSOR = {"t": "tensor", "storage": 0, "dtype": "float32", "shape": [2]}
CALL: dict[str, Any] = {"args": [TENSOR], "kwargs": {}, "init": [], "state": {}}
LAYOUT = Layout(CALL, (8,), 512, 2)
Other = Callable[[socket.socket], None]


@contextmanager
def _against(other: Other) -> Iterator[RunnerClient]:
    """A runner whose other end does something else."""
    ours, theirs = socket.socketpair()

    def serve() -> None:
        with theirs:
            other(theirs)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    runner = RunnerClient("it", ours, "cpu", trusted=True)
    try:
        yield runner
    finally:
        runner.close()
        thread.join(60.0)


def _saying(*headers: Any) -> Other:
    def other(channel: socket.socket) -> None:
        for header in headers:
            if wire.receive(channel, 1 << 20, descriptors=4) is None:
                return
            if isinstance(header, bytes):
                channel.sendall(header)
            else:
                wire.send(channel, wire.WireMessage(header))

    return other


def _failure(runner: RunnerClient, limit_s: float = 10.0) -> tuple[str, str]:
    with pytest.raises(RunnerFailed) as failed:
        runner.ask({"op": "anything"}, limit_s)
    return failed.value.kind, failed.value.message


def test_one_answer_for_each_question() -> None:
    with _against(_saying({"n": 1}, {"n": 2})) as runner:
        assert runner.ask({"op": "a"}, 10.0).header == {"n": 1}
        assert runner.ask({"op": "b"}, 10.0).header == {"n": 2}
        assert _failure(runner)[0] == GONE


def test_what_it_raised_has_its_name_and_the_channel_is_still_good() -> None:
    error = {"error": {"type": "ValueError", "message": "bad \x1b[31m value"}}
    with _against(_saying(error, {"n": 2})) as runner:
        kind, message = _failure(runner)
        assert kind == "ValueError"
        assert "\x1b" not in message and "value" in message
        assert runner.ask({"op": "b"}, 10.0).header == {"n": 2}


@pytest.mark.parametrize("error", [{}, {"type": 3, "message": None}, {"type": "x" * 10_000}])
def test_an_error_without_words_is_an_error(error: dict[str, Any]) -> None:
    with _against(_saying({"error": error})) as runner:
        kind, message = _failure(runner)
        assert len(kind) <= 200 and len(message) <= 4000


def test_one_that_does_not_answer_in_time_is_never_listened_to_again() -> None:
    late = threading.Event()

    def other(channel: socket.socket) -> None:
        wire.receive(channel, 1 << 20)
        late.wait(60.0)
        try:
            wire.send(channel, wire.WireMessage({"us": 0.001}))
        except OSError:
            return

    with _against(other) as runner:
        assert _failure(runner, 0.05)[0] == HUNG
        late.set()
        time.sleep(0.05)
        assert _failure(runner)[0] == GONE
        with pytest.raises(RunnerFailed):
            runner.run("call", count=1)


@pytest.mark.parametrize("said", [b"\xff" * 64, b"\x02\0\0\0\0\0\0\0[]", b"\x01\0\0\0\0\0\0\0x"])
def test_one_that_speaks_nonsense_is_never_listened_to_again(said: bytes) -> None:
    with _against(_saying(said, {"n": 2})) as runner:
        assert _failure(runner)[0] == SENSELESS
        assert _failure(runner)[0] == GONE


def test_one_that_is_gone_fails_at_once() -> None:
    with _against(lambda _channel: None) as runner:
        assert _failure(runner)[0] == GONE
        assert _failure(runner)[0] == GONE


@pytest.mark.parametrize("elapsed", [0, 0.0, 12, 3.5, 9e11])
def test_a_time_is_a_number_of_microseconds(elapsed: float) -> None:
    with _against(_saying({"us": elapsed})) as runner:
        assert runner.run("call") == elapsed


@pytest.mark.parametrize("elapsed", [None, "3", -1.0, 1e13, True, [1.0], float("nan")])
def test_anything_else_is_no_time(elapsed: Any) -> None:
    with _against(_saying({"us": elapsed} if elapsed is not None else {})) as runner:
        with pytest.raises(RunnerFailed) as failed:
            runner.run("call")
        assert failed.value.kind == SENSELESS


@pytest.mark.parametrize(
    ("said", "found"),
    [("", ""), ("by values", "by values"), ("x" * 500, "x" * 200), ("a\x07b", "a\\x07b")],
)
def test_an_obstacle_is_short_and_printable(said: str, found: str) -> None:
    with _against(_saying({"not_replayable": said})) as runner:
        assert runner.prepare(LAYOUT) == found


def _runner(function: Callable[..., Any] = lambda x: x + 1.0) -> Any:
    return serving("it", SubmissionProgram(function, "function"), trusted=True)


def _bytes(*values: float) -> list[torch.Tensor]:
    return [torch.tensor(values).view(torch.uint8)]


def _seen(runner: RunnerClient, slot: int) -> list[float]:
    return list(runner.rooms[slot][:8].view(torch.float32).tolist())


def test_arguments_go_to_their_slot_and_results_come_from_it() -> None:
    with _runner() as runner:
        runner.hello()
        runner.open(LAYOUT)
        runner.fill(0, _bytes(1.0, 2.0))
        runner.fill(1, _bytes(3.0, 4.0))
        runner.run("batch")
        assert _seen(runner, 0) == [2.0, 3.0]
        assert _seen(runner, 1) == [4.0, 5.0]


def test_arguments_of_another_form_do_not_fit() -> None:
    with _runner() as runner:
        runner.open(LAYOUT)
        for storages in ([], _bytes(1.0, 2.0) * 2, _bytes(1.0, 2.0, 3.0)):
            with pytest.raises((ValueError, RuntimeError)):
                runner.fill(0, storages)


@pytest.mark.parametrize("slots", [(2, 1), (1, 2), (2, 2), (1, 50)])
def test_one_case_follows_another(slots: tuple[int, int]) -> None:
    with _runner() as runner:
        for count in slots:
            layout = Layout(CALL, (8,), 512, count)
            runner.open(layout)
            assert len(runner.rooms) == len(runner.inputs) == count
            runner.fill(count - 1, _bytes(5.0, 6.0))
            runner.run("batch")
            assert _seen(runner, count - 1) == [6.0, 7.0]


def test_memory_is_given_back_on_both_sides() -> None:
    with _runner() as runner:
        runner.release()
        runner.open(LAYOUT)
        runner.release()
        assert runner.exchange is None and runner.rooms == [] and runner.inputs == []
        with pytest.raises(RunnerFailed, match="no case is open"):
            runner.run("batch")
        runner.open(LAYOUT)
        runner.run("batch")


def test_giving_back_the_memory_of_one_that_is_gone_is_no_error() -> None:
    with _runner() as runner:
        runner.open(LAYOUT)
        runner.channel.shutdown(socket.SHUT_RDWR)
        runner.release()
        assert runner.exchange is None


def test_hanging_up_twice_is_no_error_and_closes_everything() -> None:
    with _runner() as runner:
        runner.open(LAYOUT)
        exchange = runner.exchange
        process = runner.process = os.open("/dev/null", os.O_RDONLY)
        runner.close()
        runner.close()
        assert (runner.channel.fileno(), runner.process) == (-1, -1)
        assert exchange is not None and exchange.descriptor == -1
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(process)


def test_calls_begin_when_it_is_let_go_and_are_over_when_that_returns() -> None:
    made: list[int] = []

    def call(x: torch.Tensor) -> torch.Tensor:
        made.append(1)
        return torch.relu(x)

    inputs = inputs_of(relu())
    with serving("entry 0", Loadable(call, "function"), trusted=True) as runner:
        runner.open(inputs.layout)
        for number in (1, 2):
            made.clear()
            runner.rooms[1].fill_(0xFF)
            runner.start("batch", count=2)
            time.sleep(0.01)
            assert len(made) == 1  # to be awake, on what was there before
            runner.go()
            runner.wait_for_calls()
            assert len(made) == 2 + 1
            runner.fetch_results()
            assert runner.rooms[1][:4].tolist() != [0xFF] * 4
            assert runner.finish() > 0.0
            assert runner.starts == number
        with pytest.raises(RunnerFailed, match="no way to run"):
            _by_the_bell(runner, "sideways")
        assert runner.run("batch") > 0.0


def test_seeds_are_not_known_before_it_is_let_go_and_results_not_put_before_they_are_wanted() -> (
    None
):
    def drawn(x: torch.Tensor) -> torch.Tensor:
        return torch.rand(x.shape)

    inputs = inputs_of(relu())
    with serving("entry 0", Loadable(drawn, "function"), trusted=True) as runner:
        runner.open(inputs.layout)
        runner.rooms[0].fill_(0xFF)
        runner.start("batch", [7, 8], count=2)
        assert runner.bell is not None
        assert runner.bell.seed(0) == 0
        runner.go()
        assert runner.bell.seed(0) == 7
        runner.wait_for_calls()
        time.sleep(0.01)
        assert runner.rooms[0][:4].tolist() == [0xFF] * 4
        runner.fetch_results()
        runner.finish()
        torch.manual_seed(7)
        found = runner.rooms[0][: 64 * 33 * 4].view(torch.float32).view(64, 33)
        assert torch.equal(found, torch.rand(64, 33))
        assert [one["result"]["shape"] for one in runner.descriptions] == [[64, 33]] * 2


@pytest.mark.parametrize(("patience_s", "kind"), [(0.2, HUNG), (60.0, "")])
def test_who_stalls_a_little_each_time_has_a_limit_for_all_together(
    patience_s: float, kind: str
) -> None:
    def other(channel: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while wire.receive(channel, 1 << 20) is not None:
                time.sleep(0.02)
                wire.send(channel, wire.WireMessage({"ok": True}))

    found = ""
    with _against(other) as runner:
        runner.trusted, runner.patience_s = False, patience_s
        for _ in range(300 if kind else 30):
            try:
                runner.hello()
            except RunnerFailed as failed:
                found = failed.kind
                break
        assert runner.patience_s < patience_s - 0.15
    assert found == kind


def test_what_is_raised_by_the_bell_is_heard_after_it() -> None:
    def call(_x: torch.Tensor) -> torch.Tensor:
        raise KeyError("lost")

    inputs = inputs_of(relu())
    with serving("entry 0", Loadable(call, "function"), trusted=True) as runner:
        runner.open(inputs.layout)
        runner.start("call", count=1)
        runner.go()
        with pytest.raises(RunnerFailed, match="lost") as failed:
            runner.finish()
        assert failed.value.kind == "KeyError"


def test_one_that_dies_at_the_bell_is_gone() -> None:
    def other(channel: socket.socket) -> None:
        wire.receive(channel, 1 << 20, descriptors=1)
        wire.send(channel, wire.WireMessage({"ok": True}))
        wire.receive(channel, 1 << 20)

    with _against(other) as runner:
        with pytest.raises(RunnerFailed) as failed:
            _by_the_bell(runner, "batch")
        assert failed.value.kind == GONE


def _by_the_bell(runner: RunnerClient, how: str) -> float:
    runner.start(how)
    runner.go()
    runner.wait_for_calls()
    runner.fetch_results()
    return runner.finish()


@pytest.mark.parametrize("times", [[], [1.0, 2], [0.0]])
def test_times_of_parts_are_numbers(times: list[float]) -> None:
    with _against(_saying({"us": times})) as runner:
        assert runner.read_step_times() == times


@pytest.mark.parametrize("times", [None, 3.0, "12", [1.0, None], [-1.0], [[1.0]], {"0": 1.0}])
def test_anything_else_is_no_time_of_parts(times: Any) -> None:
    with _against(_saying({"us": times})) as runner:
        with pytest.raises(RunnerFailed) as failed:
            runner.read_step_times()
        assert failed.value.kind == SENSELESS
