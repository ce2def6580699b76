"""The tables of a study: each as CSV, all as JSON, the same as `kbx analyze --json` has."""

import csv
import json
from pathlib import Path

import pytest

from cli_types import Kbx
from generate.loopback import Loopback, Say
from generate.test_write_run import order, write
from kernelbenchx.cli.study_tables import ALL, write_tables
from kernelbenchx.core.errors import BadInput
from kernelbenchx.generate.models.open_model import OpenModel, Terms


def run_in(folder: Path) -> Path:
    seen: list[OpenModel] = []
    with Loopback(lambda _: Say("no kernel")) as server:
        write(order(folder, server.url, terms=Terms(base_url=server.url)), seen)
    return folder


def test_every_table_is_kept_twice(tmp_path: Path, kbx_here: Kbx) -> None:
    run = run_in(tmp_path / "run")
    attempts = write_tables([run], tmp_path / "tables")
    assert [one.task for one in attempts] == ["activation/relu"]
    kept = json.loads((tmp_path / "tables" / ALL).read_text())
    shown = json.loads(kbx_here("analyze", run, "--json").stdout)
    assert kept["analyses"] == shown["analyses"] and kept["runs"] == ["run"]
    files = {one.stem for one in (tmp_path / "tables").glob("*.csv")}
    tables = {f"{name}.{one['name']}" for name, every in kept["analyses"].items() for one in every}
    assert files == tables
    with (tmp_path / "tables" / "rates.by_method.csv").open() as file:
        assert next(csv.DictReader(file))["method"] == "one_shot"


def test_a_study_without_a_run_has_no_tables(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is not a run"):
        write_tables([tmp_path / "none"], tmp_path / "tables")
