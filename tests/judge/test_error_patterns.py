import torch

from kernelbenchx.judge.error_patterns import describe


def _bad(actual: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    return ~torch.isclose(actual.double(), truth, equal_nan=True)


def _words(actual: torch.Tensor, truth: torch.Tensor) -> str:
    return describe(actual, truth, _bad(actual, truth))


TRUTH = torch.linspace(1, 2, 4 * 1000, dtype=torch.float64).view(4, 1000)


def test_a_right_answer_has_no_pattern() -> None:
    assert _words(TRUTH.clone(), TRUTH) == ""


def test_the_tail_of_the_last_block_is_named() -> None:
    flat = torch.linspace(1, 2, 2500, dtype=torch.float64)
    actual = flat.clone()
    actual[2048:] += 1.0 + torch.arange(452)
    assert "tail after the last full block (from element 2048 on)" in _words(actual, flat)


def test_the_size_of_a_block_is_named_where_only_one_fits() -> None:
    flat = torch.linspace(1, 2, 2045, dtype=torch.float64)
    actual = flat.clone()
    actual[1024:] += 1.0 + torch.arange(1021)
    assert "last full block of 1024 (from element 1024 on)" in _words(actual, flat)
    longer = torch.linspace(1, 2, 3001, dtype=torch.float64)
    actual = longer.clone()
    actual[2048:] += 1.0 + torch.arange(953)
    assert "full block (from element 2048 on)" in _words(actual, longer), "of 1024, or of 2048"


def test_columns_behind_the_last_block_of_a_row_are_named() -> None:
    actual = TRUTH.clone()
    actual[:, 992:] += 1 + torch.rand(4, 8, dtype=torch.float64)
    assert "columns from 992 on" in _words(actual, TRUTH)


def test_one_wrong_row_is_named() -> None:
    actual = TRUTH.clone()
    actual[2, ::3] += torch.rand(334, dtype=torch.float64) + 1
    assert "row 2" in _words(actual, TRUTH)


def test_nan_in_the_tail_says_both() -> None:
    flat = torch.linspace(1, 2, 2500, dtype=torch.float64)
    actual = flat.clone()
    actual[2048:] = float("nan")
    said = _words(actual, flat)
    assert "NaN in every wrong element" in said and "full block (from element 2048" in said


def test_a_common_factor_is_named() -> None:
    assert "every wrong element is off by the factor 0.5" in _words(TRUTH / 2, TRUTH)


def test_what_nearly_all_have_in_common_is_said_of_most() -> None:
    halved = TRUTH / 2
    halved.view(-1)[0] = 7.0 * TRUTH.view(-1)[0]
    assert "most wrong elements are off by the factor 0.5" in _words(halved, TRUTH)


def test_ratios_around_one_are_no_factor() -> None:
    """A formula that is not quite right: each element is off by something of its own."""
    off = 1.0 + 0.004 * torch.linspace(0.1, 1.0, TRUTH.numel()).view(TRUTH.shape)
    assert "factor" not in _words(TRUTH * off, TRUTH)
    assert "factor 1.004" in _words(TRUTH * 1.004, TRUTH)


def test_nan_and_zeros_are_named() -> None:
    actual = TRUTH.clone()
    actual[1] = float("nan")
    assert _words(actual, TRUTH) == "NaN in every wrong element, all in row 1"
    actual = TRUTH.clone()
    actual[:, 3] = 0
    assert (
        _words(actual, TRUTH) == "zero in every wrong element, as if never written, all in column 3"
    )


def test_where_no_number_belongs_that_is_said_and_not_what_came() -> None:
    for value, words in ((float("nan"), "NaN is"), (float("-inf"), "an infinity is")):
        truth = torch.full((4, 5), value, dtype=torch.float64)
        said = _words(torch.zeros(4, 5), truth)
        assert said == f"{words} expected in every wrong element"
        truth[0] = 1.0
        assert "expected" not in _words(torch.zeros(4, 5), truth)
        assert "NaN in every" in _words(torch.full((4, 5), float("nan")), torch.ones(4, 5).double())


def test_scattered_errors_have_no_pattern() -> None:
    actual = TRUTH.clone()
    actual[0, 5] += 1
    actual[3, 700] += 2
    assert _words(actual, TRUTH) == ""


def test_a_factor_is_found_among_more_elements_than_a_quantile_takes() -> None:
    truth = torch.ones(1 << 24).add_(1e-3)
    words = describe(truth * 2, truth, torch.ones_like(truth, dtype=torch.bool))
    assert "factor 2" in words
