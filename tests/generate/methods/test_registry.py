import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.generate import methods
from kernelbenchx.generate.methods.sample import SampleMethod


def test_methods_come_from_the_simplest_on() -> None:
    assert methods.names()[:2] == ("one_shot", "sample")
    assert set(methods.names()) <= set(methods.ORDER)


def test_every_file_holds_a_method_with_a_line_for_help() -> None:
    for name in methods.names():
        kind = methods.load(name)
        assert kind.__doc__ and kind.__doc__.splitlines()[0].endswith(".")
        assert methods.make_method(name, {}) == methods.make_method(name, {})


def test_options_may_be_words() -> None:
    made = methods.make_method("sample", {"samples": "4", "temperature": "0.5"})
    assert made == SampleMethod(samples=4, temperature=0.5)
    assert methods.make_method("sample", {"temperature": "none"}) == SampleMethod(temperature=None)


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("oracle", {}, "unknown method 'oracle'; choose one of one_shot"),
        ("sample", {"rounds": "2"}, "no option 'rounds'; it has: samples, temperature"),
        ("sample", {"samples": "many"}, "sample: samples must be a whole number, not many$"),
        ("sample", {"samples": "0"}, "samples must be a whole number >= 1, not 0$"),
        ("sample", {"temperature": "hot"}, "temperature must be a number or none, not hot$"),
        ("refine", {"code": "maybe"}, "code must be true or false, not maybe$"),
    ],
)
def test_what_does_not_exist_is_refused(name: str, options: dict[str, str], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        methods.make_method(name, options)
