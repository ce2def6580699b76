"""Model, reasoning and prompt as factors, by hand and where there are none."""

import numpy as np
import pytest
import statsmodels.api as sm
from msgspec.structs import replace

from attempts_made import made, wrong
from kernelbenchx.analysis import rates
from kernelbenchx.analysis.attempt import Attempt
from kernelbenchx.analysis.published_attempts import attempts as published
from kernelbenchx.analysis.run_factors import choices_of, factors_of, tables

FEW, MANY = "one_shot examples=1", "one_shot examples=4"


def _attempts(seed: int = 0) -> list[Attempt]:
    """Two models by two prompts at 30 tasks; more examples help, the model does not."""
    rng = np.random.default_rng(seed)
    return [
        (made if rng.random() < (0.8 if method == MANY else 0.2) else wrong)(
            f"m/{task}", category="ab"[task % 2], method=method, model=model,
            reasoning="yes" if model == "thinker" else "no",
        )
        for task in range(30)
        for method in (FEW, MANY)
        for model in ("thinker", "talker")
    ]  # fmt: skip


def test_factors_are_what_differs_between_attempts() -> None:
    given = _attempts()
    assert list(factors_of(given)) == ["model", "reasoning", "examples"]
    assert choices_of(given[0]) == {"examples": "1"}
    alone = [one for one in given if one.method == FEW and one.model == "talker"]
    assert factors_of(alone) == {} and tables(alone)[0].rows == ()
    assert "one model and one prompt" in tables(alone)[0].notes[0]
    assert factors_of(published()) == {}, "the paper names models, and ran each with one method"


def test_each_factor_explains_what_a_model_of_it_alone_explains() -> None:
    given = _attempts()
    rows = {
        str(row["factor"]): row
        for row in tables(given, replicates=99)[0].records()
        if row["outcome"] == "correct"
    }
    right = np.array([one.correct for one in given], float)
    for name, levels in (
        ("examples", [one.method == MANY for one in given]),
        ("model", [one.model == "thinker" for one in given]),
    ):
        design = sm.add_constant(np.array(levels, float))
        fitted = sm.GLM(right, design, family=sm.families.Binomial()).fit()
        assert rows[name]["explained"] == pytest.approx(1 - fitted.deviance / fitted.null_deviance)
        category = np.array([one.category == "b" for one in given], float)
        both = sm.GLM(right, np.column_stack([design, category]), family=sm.families.Binomial())
        bare = sm.GLM(right, sm.add_constant(category), family=sm.families.Binomial()).fit()
        share = (bare.deviance - both.fit().deviance) / fitted.null_deviance
        assert rows[name]["given_category"] == pytest.approx(share, abs=1e-6)
    assert (rows["examples"]["levels"], rows["examples"]["n"], rows["examples"]["df"]) == (
        2,
        120,
        1,
    )
    assert rows["examples"]["permutation_p"] == pytest.approx(0.01)
    found = rows["model"]["permutation_p"]
    assert isinstance(found, float) and found > 0.05
    assert rows["reasoning"]["explained"] == pytest.approx(rows["model"]["explained"])


def test_attempts_without_a_level_are_not_in_a_factor() -> None:
    given = [*_attempts(), *(made(f"m/{n}", method="other", model="third") for n in range(30))]
    rows = {row["factor"]: row for row in tables(given, replicates=9)[0].records()}
    assert (rows["examples"]["n"], rows["reasoning"]["n"], rows["model"]["n"]) == (120, 120, 150)


def test_rates_by_factor_are_those_of_its_attempts() -> None:
    given = _attempts()
    (table,) = [one for one in rates.tables(given) if one.name == "by_factor"]
    found = {(row["factor"], row["level"]): row for row in table.records()}
    assert set(found) == {
        ("model", "thinker"), ("model", "talker"), ("reasoning", "yes"), ("reasoning", "no"),
        ("examples", "1"), ("examples", "4"),
    }  # fmt: skip
    own = [one.correct for one in given if one.method == MANY]
    row = found["examples", "4"]
    assert row["correct"] == pytest.approx(sum(own) / len(own))
    assert (row["tasks"], row["attempts"]) == (30, 60)
    alone = [replace(one, model="m", reasoning="", method="m") for one in given]
    (none,) = [one for one in rates.tables(alone) if one.name == "by_factor"]
    assert none.rows == ()
