from kernelbenchx.analysis.frame import frame_of
from kernelbenchx.report.labels import label_attempts
from report_samples import attempt


def _names(*pairs: tuple[str, str]) -> list[str]:
    made = [attempt(str(n), method=method, model=model) for n, (method, model) in enumerate(pairs)]
    return [one.method for one in label_attempts(made)]


def test_a_method_with_one_model_is_called_by_its_name() -> None:
    assert _names(("agent", "m1"), ("direct", "m2")) == ["agent", "direct"]


def test_a_method_with_several_models_names_them() -> None:
    assert _names(("agent", "m1"), ("agent", "")) == ["agent (m1)", "agent (not recorded)"]


def test_without_a_method_the_model_speaks_or_nobody() -> None:
    assert _names(("", "m1"), ("", "")) == ["m1", "not recorded"]


def test_the_analysis_says_the_same_names() -> None:
    pairs = (("agent", "m1"), ("agent", "m2"), ("", "m3"), ("", ""), ("direct", ""))
    raw = [attempt(str(n), method=a, model=b, submission=str(n)) for n, (a, b) in enumerate(pairs)]
    assert set(frame_of(raw).author.labels) == {one.method for one in label_attempts(raw)}
    assert frame_of(label_attempts(raw)).author.labels == frame_of(raw).author.labels
