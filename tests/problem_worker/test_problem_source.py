"""Constants of a problem file, and the file with other sizes."""

from kernelbenchx.problem_worker.problem_source import ProblemSource


def constants(text: str) -> object:
    return ProblemSource(text).constants()


def test_whole_numbers_at_the_top_are_constants() -> None:
    assert constants("a = 3\nb = c = 4\nd, e = 5, 2 * 8") == {
        "a": 3,
        "b": 4,
        "c": 4,
        "d": 5,
        "e": 16,
    }
    assert constants("sizes = [8, 16]\nshape = (2, 3)") == {"sizes": (8, 16), "shape": (2, 3)}


def test_nothing_else_is() -> None:
    text = "a = 1.5\nb = True\nc = 'x'\nd = len('xy')\ne = (1, 'x')\nf = ()\ng = 1 // 0"
    assert constants(text) == {}
    assert constants("def f():\n    a = 3\nclass C:\n    b = 4") == {}


def test_reading_constants_runs_nothing() -> None:
    assert constants("a = 3\nraise SystemExit") == {"a": 3}


def test_other_sizes_are_used_and_keep_their_form() -> None:
    text = "a, b = 6, 7\nsizes = [8, 16]\nc = a * b"
    module = ProblemSource(text).load({"a": 2, "sizes": (4, 8)})
    assert (module.a, module.b, module.c, module.sizes) == (2, 7, 14, [4, 8])
    assert ProblemSource(text).load({}).sizes == [8, 16]
