"""`kbx audit` and `--problems`, as a user types them."""

import json
from pathlib import Path

import pytest

from cli_types import Kbx
from problem_files import WITNESS
from published_problems import IGNORES_X, RAISES, SCALED, write_published


@pytest.fixture
def folder(tmp_path: Path, warm_problems: None) -> Path:
    for number, text in ((951, SCALED), (952, IGNORES_X), (953, RAISES), (954, "def broken(:")):
        write_published(tmp_path / "set", text, f"level1/{number}_Own.py")
    return tmp_path / "set"


@pytest.mark.slow
def test_the_audit_names_what_trivial_answers_pass(kbx_here: Kbx, folder: Path) -> None:
    done = kbx_here("audit", folder)
    assert done.returncode == 0
    assert "4 problems, 2 audited" in done.stdout
    assert "a trivial answer passes our budget: 1 (L1/952)" in done.stdout
    assert "L1/952: a trivial answer passes: other input" in done.stdout
    assert "not audited: 2" in done.stdout and "L1/953: AttributeError" in done.stdout
    assert "level1/954_Own: SyntaxError" in done.stdout
    rows = json.loads(kbx_here("audit", folder, "--json").stdout)
    found = {row["name"]: row for row in rows}
    assert found["level1/951_Own"]["ours"] == [] and not found["level1/951_Own"]["unsound"]
    assert found["level1/952_Own"]["unsound"] == "a trivial answer passes: other input"
    assert "no_such_method" in found["level1/953_Own"]["failed"]
    assert "SyntaxError" in found["level1/954_Own"]["failed"]
    (one,) = json.loads(kbx_here("audit", folder, "level1/951*", "--json").stdout)
    assert one["name"] == "level1/951_Own"


def test_what_is_no_folder_of_problems_is_refused(kbx_here: Kbx, folder: Path) -> None:
    done = kbx_here("audit", folder.parent)
    assert done.returncode == 2 and "holds no problems" in done.stderr
    done = kbx_here("audit", folder, "level2/*")
    assert done.returncode == 2 and "no problem of the folder matches" in done.stderr
    done = kbx_here("tasks", "--problems", folder.parent)
    assert done.returncode == 2 and "holds no problems" in done.stderr


def test_problems_are_listed_and_shown(kbx_here: Kbx, folder: Path) -> None:
    kbx_here("audit", folder, "level1/952*")
    done = kbx_here("tasks", "level1/95*", "--problems", folder, "--json")
    grades = {row["name"]: row["grade"] for row in json.loads(done.stdout)}
    assert grades["951_Own"] == "imported" and grades["952_Own"] == "unsound as published"
    assert "left out: level1/954_Own: SyntaxError" in done.stderr
    shown = kbx_here("show", "level1/951_Own", "--problems", folder)
    assert "class ModelNew(torch.nn.Module)" in shown.stdout
    cases = kbx_here("show", "level1/951_Own", "--cases", "--problems", folder)
    assert cases.returncode == 2 and "drawn in a sandbox" in cases.stderr
    certified = kbx_here("certify", "level1/951_Own")
    assert certified.returncode == 2 and "is imported and has no certificate" in certified.stderr


@pytest.mark.slow
@pytest.mark.usefixtures("warm_workers")
def test_a_run_folder_is_judged_by_its_problem_files(
    kbx_here: Kbx, folder: Path, tmp_path: Path
) -> None:
    run = tmp_path / "kernels"
    run.mkdir()
    wrong = WITNESS.replace("tl.maximum(x * scale + 1.0, 0.0)", "x * scale + 1.0")
    for sample, source in enumerate((WITNESS, wrong)):
        (run / f"level_1_problem_951_sample_{sample}_kernel.py").write_text(source)
    (run / "level_1_problem_999_sample_0_kernel.py").write_text(WITNESS)
    words = ("eval", run, "--device", "interpreter", "--out", tmp_path / "out", "--json")
    done = json.loads(kbx_here(*words, "--problems", folder).stdout)
    assert done["counts"] == {"correct": 1, "wrong": 1}
    assert len(done["unknown"]) == 1 and "problem 999" in done["unknown"][0]
