"""docs/how-to/train-with-rewards.md gives the scheme's values; its example prints what it says."""

import contextlib
import io
import re
from pathlib import Path

from kernelbenchx.rewards import RewardReason, RewardScheme

TEXT = (
    Path(__file__).resolve().parents[1] / "docs" / "how-to" / "train-with-rewards.md"
).read_text()


def test_the_table_has_the_values_of_the_scheme() -> None:
    stated = {name: float(value) for name, value in re.findall(r"`(\w+)` = ([0-9.]+)", TEXT)}
    assert stated == {
        name: getattr(RewardScheme(), name) for name in RewardScheme.__struct_fields__
    }


def test_the_example_prints_what_it_says() -> None:
    blocks = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    (example,) = [one for one in blocks if "partial_credit" in one]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(example, {})
    said = re.findall(r"^# (.*)$", example, re.MULTILINE)
    assert printed.getvalue().splitlines() == said and said


def test_every_reason_is_named() -> None:
    assert [code.value for code in RewardReason if f"`{code.value}`" not in TEXT] == []
