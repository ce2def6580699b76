import pytest

from kernelbenchx.attacks.attack_header import (
    BrokenAttack,
    one_of,
    read_header,
    require,
    several_of,
)

KNOWN = frozenset({"task", "level"})


def test_a_sentence_and_its_fields() -> None:
    source = '"""Answers zeros.\n\ntask: relu\nlevel: L1\n"""\n'
    assert read_header("a.py", source, KNOWN) == (
        "Answers zeros.",
        {"task": "relu", "level": "L1"},
    )


@pytest.mark.parametrize(
    "text",
    [
        "no docstring = 1",
        '"""No full stop"""',
        '"""A.\n\nunknown: 1\n"""',
        '"""A.\n\ntask: relu\ntask: relu\n"""',
        '"""A.\n\ntask:\n"""',
        '"""A.\n\ntask\n"""',
        "def broken(",
    ],
)
def test_anything_else_is_an_error_that_names_the_file(text: str) -> None:
    with pytest.raises(BrokenAttack, match=r"a\.py"):
        read_header("a.py", text, KNOWN)


def test_words_are_known_ones_and_wanted_ones_are_there() -> None:
    assert one_of("a.py", "L1", ("L1", "L2")) == "L1"
    assert several_of("a.py", "L2|L1", ("L1", "L2")) == {"L1", "L2"}
    require("a.py", {"task": "relu"}, ("task",))
    for wrong in (
        lambda: one_of("a.py", "L0", ("L1",)),
        lambda: several_of("a.py", "L1|", ("L1",)),
        lambda: require("a.py", {}, ("task",)),
    ):
        with pytest.raises(BrokenAttack):
            wrong()
