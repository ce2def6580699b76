import pytest

from attempt_samples import attempt
from kernelbenchx.analysis.authors import NOT_SAID, author_names


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ([("a", "x"), ("b", "x")], ["a", "b"]),
        ([("a", "x"), ("a", "y"), ("b", "x")], ["a (x)", "a (y)", "b"]),
        ([("a", "x"), ("a", "")], ["a (x)", f"a ({NOT_SAID})"]),
        ([("", "x"), ("", "")], ["x", NOT_SAID]),
        ([], []),
    ],
)
def test_a_model_is_named_where_it_tells_apart(
    given: list[tuple[str, str]], names: list[str]
) -> None:
    found = author_names(attempt(method=method, model=model) for method, model in given)
    assert [found[pair] for pair in given] == names
