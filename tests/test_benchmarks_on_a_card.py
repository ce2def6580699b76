"""The script around all benchmarks of a card: what it runs, what it keeps, when it fails."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "benchmarks" / "on_a_card.sh"
FAKE = """#!/usr/bin/env bash
echo "$@" >> "$LOG"
[ "$1" = -m ] && echo attacked
case "$*" in *"${BREAKS:-nothing at all}"*) exit 1 ;; esac
"""


@pytest.fixture
def fake(tmp_path: Path) -> Path:
    python = tmp_path / "python"
    python.write_text(FAKE, encoding="utf-8")
    python.chmod(0o755)
    return python


def _run(fake: Path, *words: str, **variables: str) -> tuple[subprocess.CompletedProcess[str], str]:
    log = fake.with_name("log")
    log.write_text("", encoding="utf-8")
    environment = {**os.environ, "PYTHON": str(fake), "LOG": str(log), **variables}
    ran = subprocess.run(
        [str(SCRIPT), *words], env=environment, capture_output=True, text=True, check=False
    )
    return ran, log.read_text(encoding="utf-8").replace(f"{ROOT}/benchmarks/", "")


def test_all_of_them_run_and_keep_what_they_print(fake: Path, tmp_path: Path) -> None:
    out, real = tmp_path / "out", tmp_path / "real kernels.jsonl"
    real.touch()
    ran, log = _run(fake, str(out), REAL=str(real))
    assert ran.returncode == 0, ran.stderr
    *benchmarks, isolation, health, others, documents = log.splitlines()
    assert benchmarks == [
        f"card_throughput.py --real {real} --run {out}/first --out {out}/card_throughput.txt",
        f"card_throughput.py --real {real} --run {out}/second"
        f" --out {out}/card_throughput_again.txt",
        f"card_agreement.py {out}/first {out}/second --out {out}/card_agreement.txt",
        f"card_throughput.py --only level1/* --run {out}/level1"
        f" --out {out}/card_throughput_level1.txt",
        f"card_throughput.py --only level2/* level3/* --run {out}/level23"
        f" --out {out}/card_throughput_level23.txt",
        f"card_throughput.py --real {real} --compile --run {out}/with"
        f" --out {out}/card_throughput_compile.txt",
        f"card_table.py {out}/with-compile --out {out}/card_table.txt",
        f"card_baselines.py --compile --out {out}/card_baselines.txt",
        f"card_baselines.py --compile --checks 4 --out {out}/card_inductor.txt",
        f"card_same.py --out {out}/card_same.txt",
        f"card_slowdown.py --out {out}/card_slowdown.txt",
        "-m kernelbenchx redteam --stage perf --no-checks --device cuda",
        f"card_contexts.py --out {out}/card_contexts.txt",
        f"check_truths.py --out {out}/check_truths.txt",
        f"two_runs_on_one_gpu.py --out {out}/two_runs_on_one_gpu.txt",
        f"cluster_on_one_gpu.py --out {out}/cluster_on_one_gpu.txt",
    ]
    assert "redteam --device cuda --isolation L2" in isolation
    assert health.endswith("tests/gpu/test_card_health.py")
    assert others.endswith("tests/gpu/test_card_health.py") and "--ignore" in others
    assert documents.endswith("scripts/run_docs_commands.py --gpu")
    attacks = (out / "card_attacks.txt").read_text(encoding="utf-8")
    assert attacks == "$ kbx redteam --stage perf --no-checks --device cuda\nattacked\n"
    scripts = {line.split()[0] for line in log.splitlines() if line.startswith("card_")}
    assert scripts == {path.name for path in SCRIPT.parent.glob("card_*.py")}


def test_torch_compile_is_compared_with_the_run_that_is_there(fake: Path, tmp_path: Path) -> None:
    (tmp_path / "out" / "first").mkdir(parents=True)
    _, log = _run(fake, str(tmp_path / "out"), "compile")
    assert "--against" not in log  # it did not end
    (tmp_path / "out" / "first" / "throughput.json").touch()
    _, log = _run(fake, str(tmp_path / "out"), "compile")
    assert f"--compile --against {tmp_path}/out/first --run" in log


@pytest.mark.parametrize(
    ("breaks", "named"), [("card_same.py", "card_same"), ("redteam", "card_attacks")]
)
def test_the_others_run_though_one_does_not_hold(
    fake: Path, tmp_path: Path, breaks: str, named: str
) -> None:
    ran, log = _run(fake, str(tmp_path / "out"), "same", "attacks", "contexts", BREAKS=breaks)
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1] == f"does not hold, or did not end: {named}"
    assert "card_contexts.py" in log


def test_what_has_no_time_left_is_told(fake: Path, tmp_path: Path) -> None:
    ran, log = _run(fake, str(tmp_path / "out"), "same", "contexts", LIMIT_S="600")
    assert (ran.returncode, len(log.splitlines())) == (0, 2)
    ran, log = _run(fake, str(tmp_path / "out"), "same", "contexts", LIMIT_S="3")
    assert (ran.returncode, log) == (1, "")
    assert "no time is left for it" in ran.stderr
    assert ran.stderr.splitlines()[-1].endswith("card_same card_contexts")


def test_help_is_what_its_file_begins_with(fake: Path) -> None:
    for word in ("-h", "--help"):
        ran, log = _run(fake, word)
        assert (ran.returncode, log, ran.stderr) == (0, "", "")
        assert ran.stdout.startswith("Every benchmark") and "REAL=FILE.jsonl" in ran.stdout
        assert "#" not in ran.stdout and "set -" not in ran.stdout


@pytest.mark.parametrize("words", [(), ("",), ("--quick",), ("out", "everything")])
def test_wrong_words_are_said_in_one_line_and_nothing_runs(
    fake: Path, words: tuple[str, ...]
) -> None:
    ran, log = _run(fake, *words)
    assert (ran.returncode, log) == (2, "")
    assert len(ran.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", ["absent.jsonl", "there.json", "folder.jsonl"])
def test_a_data_set_that_is_none_is_said_in_one_line(fake: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "there.json").touch()
    (tmp_path / "folder.jsonl").mkdir()
    ran, log = _run(fake, str(tmp_path / "out"), REAL=str(tmp_path / name))
    assert (ran.returncode, log) == (2, "")
    assert ran.stderr == f"REAL: no .jsonl file is at {tmp_path / name}\n"
    assert not (tmp_path / "out").exists()
