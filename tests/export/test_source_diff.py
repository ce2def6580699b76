import subprocess
import time
from pathlib import Path

import pytest

from kernelbenchx.export.source_diff import MOST_LINES, diff_sources

LONG = "".join(f"x = {number % 101}\n" for number in range(2 * MOST_LINES))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\nb\nc\n", "a\nB\nc\n"),
        ("a\nb", "a\nb\n"),
        ("", "a\n"),
        ("a\n", ""),
        ("a\x0cb\u2028c\r\nd\n", "a\x0cB\u2028c\r\nd\n"),
        (LONG, LONG + "end"),
        ("short\n", LONG),
    ],
)
def test_the_difference_makes_the_second_of_the_first(
    before: str, after: str, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_bytes(before.encode())
    said = (
        diff_sources(before, after)
        .replace("--- before", "--- file")
        .replace("+++ after", "+++ file")
    )
    subprocess.run(
        ["git", "apply", "-p0", "--unidiff-zero", "-"],
        input=said.encode(),
        cwd=tmp_path,
        check=True,
    )
    assert file.read_bytes() == after.encode()


def test_equal_sources_do_not_differ() -> None:
    assert diff_sources("a\n", "a\n") == "" == diff_sources(LONG, LONG)


def test_lines_that_repeat_take_no_time() -> None:
    other = "".join(f"x = {number * 7 % 101}\n" for number in range(2 * MOST_LINES))
    begun = time.process_time()
    said = diff_sources(LONG, other)
    assert time.process_time() - begun < 1
    assert said.count("\n-") == said.count("\n+x") == 2 * MOST_LINES
