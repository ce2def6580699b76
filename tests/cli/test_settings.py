import click
import pytest
from click.testing import CliRunner

from kernelbenchx.cli.settings import (
    SIZES,
    baselines_of,
    evaluation_options,
    settings_of,
    sizes_of,
    sizes_option,
)
from kernelbenchx.core import settings as settings_module
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.outcome import Stage


def test_eager_is_always_a_baseline_and_order_does_not_matter() -> None:
    assert baselines_of("perf", ()) == baselines_of("perf", ("eager",)) == ("eager",)
    assert baselines_of("perf", ("compile",)) == ("eager", "compile")
    assert baselines_of("perf", ("compile", "eager")) == ("eager", "compile")
    assert baselines_of("exe", ()) == ("eager",)


def test_baselines_without_times_are_refused() -> None:
    with pytest.raises(BadInput, match="needs --stage perf"):
        baselines_of("exe", ("compile",))


def test_other_sizes_without_times_are_refused() -> None:
    assert sizes_of("perf", "published") == "published"
    assert sizes_of("exe", "ours") == sizes_of("perf", "ours") == "ours"
    with pytest.raises(BadInput, match="--sizes published needs --stage perf"):
        sizes_of("exe", "published")


def test_the_names_of_sizes_are_those_of_settings() -> None:
    assert SIZES == settings_module.SIZES


def test_options_become_settings() -> None:
    found = []

    @click.command()
    @evaluation_options
    @sizes_option
    def command(**options: object) -> None:
        found.append(settings_of(options))

    words = ["--device", "interpreter", "--stage", "call", "--jobs", "3", "--time-limit", "9"]
    assert CliRunner().invoke(command, words).exit_code == 0
    assert CliRunner().invoke(command, ["--stage", "perf", "--sizes", "published"]).exit_code == 0
    settings, published = found
    assert (settings.sizes, published.sizes) == ("ours", "published")
    assert (settings.device, settings.stage, settings.jobs) == ("interpreter", Stage.CALL, 3)
    assert published.time_limit_s == "auto"
    assert (settings.time_limit_s, settings.seed, settings.target) == (9.0, 0, "sm_90")
    refused = CliRunner().invoke(command, ["--device", "tpu"])
    assert refused.exit_code == 2 and len(found) == 2
