"""Judge the same answers by the published harness and by the rule as it is here, on the CPU.

    python scripts/published_verdicts.py FOLDER [TASK ...]

FOLDER is a copy of the KernelBench-X repository. For each task its published function answers right
and in the ways of `published_variants.py`. Both sides say whether that passes. Nothing of ours is
in the first verdict: the published `EVAL/1_exe_acc.py` compares two files.
"""

import argparse
import contextlib
import importlib.util
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from published_test_files import SEPARATOR, TestFile, give_torch_unpivoted_lu, on_cpu
from published_variants import VARIANTS

from kernelbenchx import catalog
from kernelbenchx.catalog import PUBLISHED_CATEGORIES
from kernelbenchx.catalog.published_tests import published_test
from kernelbenchx.judge.published_comparison import compare_results
from kernelbenchx.judge.published_reference import published_reference
from kernelbenchx.worker.published_program import as_plain, run_program, seed_all


def main(folder: Path, names: list[str]) -> int:
    """1 if a verdict differs."""
    give_torch_unpivoted_lu()
    count = passed = differ = 0
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "copy"
        published = _harness(folder, copy)
        for name in names:
            for variant, theirs, ours in _verdicts(name, copy, published):
                count, passed, differ = count + 1, passed + theirs, differ + (theirs != ours)
                if theirs != ours:
                    print(f"{name}, {variant}: {'passes' if theirs else 'fails'} there alone")
    print(f"{count} verdicts, {passed} of them passes; {differ} differ")
    return int(differ > 0)


Judge = Callable[[Path, Path], bool]


def _harness(folder: Path, copy: Path) -> Judge:
    """The published comparison of two files, on a copy that runs without a GPU."""
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".git", "metrics"))
    for path in (*copy.glob("data/kernelbenchx/*/*.py"), copy / "utils/data_utils.py"):
        path.write_text(on_cpu(path.read_text("utf-8")), encoding="utf-8")
    sys.path += [str(copy / "utils"), str(copy / "EVAL")]
    spec = importlib.util.spec_from_file_location("published", copy / "EVAL/1_exe_acc.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    thresholds = module.load_precision_thresholds()
    os.chdir(copy)

    def judge(candidate: Path, reference: Path) -> bool:
        with contextlib.redirect_stdout(io.StringIO()):
            return bool(module.compare_python_files(str(candidate), str(reference), thresholds)[0])

    return judge


def _verdicts(name: str, copy: Path, published: Judge) -> Iterator[tuple[str, bool, bool]]:
    """The variant, and what the published harness and we say."""
    category, stem = name.split("/")
    path = copy / "data/kernelbenchx" / PUBLISHED_CATEGORIES[category] / f"{stem}.py"
    test = TestFile.read(name, path, copy)
    candidate = copy / f"{stem}.py"
    for variant in VARIANTS:
        candidate.write_text(_candidate(test, stem, variant), encoding="utf-8")
        yield variant, published(candidate, path), _ours(test, variant)


def _candidate(test: TestFile, stem: str, variant: str) -> str:
    entry = test.entry
    lines = [
        "from published_variants import VARIANTS as _variants",
        f"_inner = {entry}",
        f"def {entry}(*args, **kwargs):",
        f"    return _variants[{variant!r}](_inner(*args, **kwargs))",
        *([] if entry == stem else [f"{stem} = {entry}"]),
    ]
    return "\n".join((test.function, *lines, SEPARATOR, test.test))


def _ours(test: TestFile, variant: str) -> bool:
    known = published_test(test.name)
    reference = published_reference(test.name)
    assert known is not None
    assert reference is not None
    seed_all()
    inner = test.published()[test.entry]

    def entry(*args: Any, **kwargs: Any) -> Any:
        return VARIANTS[variant](inner(*args, **kwargs))

    try:
        got = as_plain(run_program(known.program, entry, "cpu"))
    except Exception:  # noqa: BLE001 - an answer that the test cannot use fails
        return False
    seed_all()
    wanted = as_plain(run_program(known.program, reference, "cpu"))
    return compare_results(got, wanted, known.thresholds) is None


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("tasks", nargs="*")
    given = parser.parse_args()
    sys.exit(main(given.folder.resolve(), given.tasks or list(catalog.function_names())))
