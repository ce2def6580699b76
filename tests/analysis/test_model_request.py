from asked_samples import asked


def test_a_cap_on_tokens_counts_both_sides() -> None:
    one = asked(prompt_tokens=7, completion_tokens=5, cached_tokens=6)
    assert one.tokens == 12


def test_a_refusal_is_an_answer_and_an_error_is_none() -> None:
    assert asked(finish="refusal").answered
    assert not asked(finish="error").answered
