"""Published problem files in their sandbox: what comes back, and what hostile ones can do."""

import socket
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from kernelbenchx.runner.levels import Level
from kernelbenchx.runner.problem_files import ProblemFiles
from kernelbenchx.spec.imported_problem import BadProblem, CallRequest
from kernelbenchx.worker.frames import pack
from published_problems import (
    EXITS,
    FORGES,
    FORWARD,
    HUGE,
    LARGE,
    LIES,
    NEVER_ENDS,
    NOT_A_NUMBER,
    PRINTS,
    RAISES,
    RANDOM,
    SCALED,
    SLEEPS,
    SOMETIMES_INFINITE,
    TAKES_MEMORY,
    connects_to,
    writes_to,
)

ASKED = CallRequest("normal", 1, 1)


@pytest.fixture
def files(problem_files: ProblemFiles) -> ProblemFiles:
    return problem_files


def test_a_call_comes_with_its_answer(files: ProblemFiles) -> None:
    probe = files.probe(LARGE)
    assert probe.values == ("normal", "wide", "published") and not probe.random
    found = files.draw(LARGE, ASKED)
    (x,), scale = found.args, found.state["scale"]
    assert torch.equal(found.known.truth[0], torch.relu(x.double() * scale.double() + 1))
    assert list(x.shape) == [probe.sizes["rows"], probe.sizes["wide"]]
    assert probe.weights == {"scale": tuple(scale.shape)}
    assert found.known.moves[0].shape == x.shape


def test_the_same_request_gets_the_same_call(files: ProblemFiles) -> None:
    requests = (ASKED, ASKED, replace(ASKED, inputs_seed=2))
    first, again, other = (files.draw(SCALED, one) for one in requests)
    assert torch.equal(first.args[0], again.args[0])
    assert not torch.equal(first.args[0], other.args[0])


def test_a_random_one_is_named(files: ProblemFiles) -> None:
    assert files.probe(RANDOM).random


def test_what_a_problem_prints_is_no_answer(files: ProblemFiles) -> None:
    (x,) = (found := files.draw(PRINTS, ASKED)).args
    wanted = torch.relu(x.double() * found.state["scale"].double() + 1)
    assert torch.equal(found.known.truth[0], wanted)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (RAISES, "AttributeError: 'FakeTensor' object has no attribute 'no_such_method'"),
        (NOT_A_NUMBER, "its answer to its own inputs is not finite"),
        (NEVER_ENDS, "not finished within the CPU time limit"),
        (SLEEPS, "slept beyond the time limit"),
        (EXITS, "gave 0 answers to one request"),
        (HUGE, "NotReduced: 0.0e+00 operations, "),
        (TAKES_MEMORY, "memory"),
        (FORGES, "its result makes no sense"),
        ("def broken(:", "SyntaxError"),
        ("", "AttributeError"),
    ],
    ids=lambda one: one[-20:] if isinstance(one, str) else None,
)
def test_a_problem_that_fails_says_so_in_one_line(
    files: ProblemFiles, text: str, said: str
) -> None:
    with pytest.raises(BadProblem) as failed:
        files.probe(text)
    assert said in str(failed.value) and "\n" not in str(failed.value)
    assert len(str(failed.value)) <= 400


def test_a_failure_is_kept(files: ProblemFiles) -> None:
    def served() -> int:
        return files._zygote.served

    with pytest.raises(BadProblem):
        files.probe(RAISES)
    before = served()
    with pytest.raises(BadProblem):
        files.draw(RAISES, ASKED)
    assert served() == before
    files.probe(SCALED)
    assert served() == before
    files.draw(SCALED, ASKED)
    assert served() == before + 1


def test_inputs_without_a_finite_answer_are_drawn_again(files: ProblemFiles) -> None:
    probe = files.probe(SCALED)
    asked = [replace(ASKED, values="published", inputs_seed=seed) for seed in range(4)]
    first = [float(files.draw(SCALED, one).args[0][0, 0]) for one in asked]
    text = SOMETIMES_INFINITE.format(max(first) - 1e-6)
    files.know(text, probe)
    largest = float(files.draw(text, asked[0]).args[0][0, 0])
    assert largest == max(first)
    never = SOMETIMES_INFINITE.format(2)
    files.know(never, probe)
    with pytest.raises(BadProblem, match="its truth is not finite"):
        files.draw(never, asked[0])


def test_a_kind_of_inputs_that_mostly_has_no_answer_is_left_out(files: ProblemFiles) -> None:
    first = [
        float(files.draw(SCALED, CallRequest("wide", seed, seed)).args[0][0, 0])
        for seed in range(3)
    ]
    text = SCALED.replace(FORWARD, f"x / (x[0, 0] - {first[1]!r}).abs().gt(1e-5).to(x.dtype)")
    assert files.probe(text).values == ("normal", "published")


def test_a_truth_of_another_shape_is_refused(files: ProblemFiles) -> None:
    with pytest.raises(BadProblem, match="its truth has another shape than its answer"):
        files.draw(LIES, ASKED)


def test_a_problem_writes_no_files_of_ours(files: ProblemFiles, tmp_path: Path) -> None:
    if files._zygote.isolation.level < Level.L2:
        pytest.skip("nothing holds it back here")
    tmp_path.chmod(0o777)
    left = tmp_path / "left"
    assert files.probe(writes_to(left)).values
    assert not left.exists()


def test_a_problem_calls_nobody(files: ProblemFiles) -> None:
    if files._zygote.isolation.level < Level.L2:
        pytest.skip("nothing holds it back here")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        text = connects_to(server.getsockname()[1])
        assert files.probe(text).values
        with pytest.raises(TimeoutError):
            server.accept()


def test_sizes_that_the_file_does_not_have_are_refused(
    files: ProblemFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kernelbenchx.worker.frames import unpack

    honest = {
        "kind": "probed",
        "sizes": {"rows": 2},
        "values": ["published"],
        "random": False,
        "constants": [],
        "weights": {},
    }
    texts = iter(range(100))

    def probed(**changes: object) -> object:
        frame = pack({**honest, **changes})
        monkeypatch.setattr(ProblemFiles, "_run", lambda *_: next(unpack(frame)))
        return files.probe(f"{SCALED}\n# {next(texts)}")

    assert probed()
    for changes in (
        {"sizes": {"rows": 6}},
        {"sizes": {"rows": 0}},
        {"sizes": {"rows": [2]}},
        {"sizes": {"rows": True}},
        {"sizes": {"other": 2}},
        {"random": 1},
        {"weights": {"scale": [-1]}},
        {"kind": "drawn"},
    ):
        with pytest.raises(BadProblem, match="its result makes no sense"):
            probed(**changes)
