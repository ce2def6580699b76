"""One small run, and the site made of it, for all tests of the report."""

from pathlib import Path

import pytest

from kernelbenchx.report.build import build
from report_samples import small_run


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="session")
def site(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report") / "site"
    build([run], out)
    return out
