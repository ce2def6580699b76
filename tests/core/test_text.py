import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.not_judged import NotJudged, WhyNotJudged
from kernelbenchx.core.record import from_json, to_json
from kernelbenchx.core.submission import Origin, Submission
from kernelbenchx.core.text import label, replace_surrogates
from kernelbenchx.core.transcript import Reply, Request, Usage
from samples import evaluation


def test_what_can_be_encoded_stays_the_very_same() -> None:
    for text in ("", "x = 1\n", "größe ∑ 😀", "\x00\x1b"):
        assert replace_surrogates(text) is text


def test_halves_of_pairs_are_replaced() -> None:
    assert replace_surrogates("a\ud800b\udfff😀") == "a?b?😀"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("r1", "r1"),
        ("\x1b[2Ja\nb\u2028c", "[2Ja b c"),
        ("x" * 130, "x" * 119 + "…"),
        ("\ud83d", ""),
        ("größe", "größe"),
    ],
)
def test_a_label_is_one_short_line(given: str, shown: str) -> None:
    assert label(given) == shown


BAD = "a\nb\x1b[2J\u2028c\udcff"
FINE = "a b [2J c"


def test_names_are_labels_in_every_record_that_has_them() -> None:
    origin = Origin(file=BAD, model=BAD, method=BAD, round=BAD, parent=BAD, step=BAD)
    fields = (origin.file, origin.model, origin.method, origin.round, origin.parent, origin.step)
    assert set(fields) == {FINE}
    assert Submission(name=BAD, task="t", source=BAD).name == FINE
    left_out = NotJudged(source=BAD, name=BAD, why=WhyNotJudged.UNREADABLE, detail=BAD)
    assert (left_out.source, left_out.name, left_out.detail) == (FINE, FINE, FINE)
    usage = Usage(prompt=1, completion=1)
    reply = Reply(text=BAD, finish="stop", usage=usage, model=BAD, version=BAD)
    assert (reply.text, reply.model, reply.version) == (BAD, FINE, FINE)
    assert Request(model=BAD, messages=(), max_tokens=1).model == FINE
    assert str(BadInput(BAD)) == FINE
    assert Origin(model="größe 3.1 (x)").model == "größe 3.1 (x)"


def test_a_record_that_something_else_wrote_is_made_fit_when_it_is_read() -> None:
    written = to_json(evaluation("name")).replace(b'"name"', b'"na\\u001b[31mme"', 1)
    assert from_json(written, type(evaluation())).submission == "na [31mme"
