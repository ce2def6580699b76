import io
from dataclasses import replace

from rich.console import Console

from kernelbenchx.analysis.authors import NOT_SAID
from kernelbenchx.analysis.interval_cells import interval
from kernelbenchx.analysis.table import Table, columns
from kernelbenchx.cli.tables import MOST_ROWS, print_table, print_tables


def _shown(table: Table) -> str:
    target = io.StringIO()
    print_table(table, Console(file=target, width=140))
    return target.getvalue()


def _table(*rows: tuple[str, str, float | None, float | None, float | None, int]) -> Table:
    return Table(
        name="x", title="Title", about="What it is.", rows=tuple(rows), notes=("A note.",),
        columns=(*columns(("gpu", "GPU"), ("method", "method")),
                 *interval("rate", "rate", "percent"), *columns(("n", "n", "count"))),
    )  # fmt: skip


def test_an_interval_is_one_cell() -> None:
    said = _shown(_table(("H200", "a", 0.5, 0.25, 0.75, 1200), ("H200", "b", 1.0, 0.9, 1.0, 3)))
    assert "50.0 % [25.0, 75.0]" in said and "1,200" in said
    assert said.count("H200") == 1
    assert "Title\nWhat it is.\n" in said and "A note." in said


def test_each_card_has_rows_of_its_own() -> None:
    rows = [("H200", "a", 0.5, 0.25, 0.75, 1), ("L20", "b", 1.0, 0.9, 1.0, 3)]
    said = _shown(_table(*rows, ("H200", "c", 0.1, 0.0, 0.2, 2)))
    first, second = said.index("on H200"), said.index("on L20")
    assert first < said.index("\na ") < said.index("\nc ") < second < said.index("\nb ")


def test_a_value_without_ends_stands_alone() -> None:
    said = _shown(_table(("H200", "a", 0.5, None, None, 1), ("H200", "b", None, None, None, 3)))
    assert "50.0 %" in said and "[" not in said


def test_ends_that_are_called_low_and_high_belong_to_what_stands_before() -> None:
    named = columns(("r", "r", "ratio"), ("low", "low", "ratio"), ("high", "high", "ratio"))
    table = Table(name="x", title="T", about="", columns=named, rows=((1.5, 1.25, 2.0),))
    assert "1.50x [1.25, 2.00]" in _shown(table)
    near = replace(table, rows=((1.012, 1.0094, 1.25),))
    assert "1.012x [1.009, 1.250]" in _shown(near)


def test_a_long_table_says_how_much_is_not_shown() -> None:
    rows = [("H200", f"method-{n:03d}", 0.5, 0.4, 0.6, n) for n in range(MOST_ROWS + 7)]
    said = _shown(_table(*rows))
    assert f"method-{MOST_ROWS - 1:03d}" in said and f"method-{MOST_ROWS:03d}" not in said
    assert "7 more rows" in said


def test_what_was_said_is_not_said_again_and_what_is_empty_comes_last() -> None:
    full, target = _table(("H200", "a", 0.5, 0.4, 0.6, 1)), io.StringIO()
    first = replace(_table(), title="First", notes=("A note.", "Nobody was timed."))
    print_tables([first, full, full, replace(_table(), title="Last")], Console(file=target), set())
    said = target.getvalue()
    assert said.count("What it is.") == said.count("A note.") == 1
    assert said.count("Title") == 2
    assert said.endswith("Nothing to show: First; Last\nNobody was timed.\n")


def test_an_analysis_without_a_row_says_why_in_a_line() -> None:
    target = io.StringIO()
    empty = [replace(_table(), notes=("One round only.",)), replace(_table(), notes=("Why.",))]
    print_tables(empty, Console(file=target, width=100), {"One round only."})
    assert target.getvalue() == "Nothing to show. One round only. Why.\n"
    target = io.StringIO()
    print_tables([replace(_table(), notes=())], Console(file=target, width=100), set())
    assert target.getvalue() == "Nothing to show: Title\n"


def test_a_card_that_nobody_named_is_not_spoken_of_unless_others_are() -> None:
    unknown = (NOT_SAID, "a", 0.5, 0.25, 0.75, 1)
    assert "said" not in _shown(_table(unknown)) and "\non " not in _shown(_table(unknown))
    both = _shown(_table(unknown, ("H200", "b", 0.5, 0.25, 0.75, 1)))
    assert "GPU not recorded" in both and "on H200" in both


def test_what_rows_have_in_common_is_said_above_them() -> None:
    named = columns(
        ("gpu", "GPU"), ("baseline", "over"), ("composition", "composition"), ("m", "m")
    )
    table = Table(
        name="x", title="T", about="", columns=named,
        rows=(("H200", "eager", "pure", "a"), ("H200", "eager", "mixed", "b")),
    )  # fmt: skip
    said = _shown(table)
    assert "on H200, over eager, pure kernels" in said
    assert "on H200, over eager, mixed kernels" in said


def test_a_column_in_which_nothing_is_known_is_left_out() -> None:
    known, unknown = ("H200", "a", 0.5, 0.4, 0.6, 1), ("H200", "a", None, None, None, 1)
    assert "rate" in _shown(_table(known, unknown))
    assert "rate" not in _shown(_table(unknown, unknown))


def test_some_rows_may_be_enough() -> None:
    rows = tuple(("H200", f"m{n}", 0.5, 0.4, 0.6, n) for n in range(9))
    said = _shown(replace(_table(*rows), glance=(0, 4, 8)))
    assert "m4" in said and "m5" not in said and "6 more rows" in said


def test_words_of_strangers_do_not_steer_the_terminal() -> None:
    said = _shown(_table(("H\x1b[31m200", "a\x07\nb", 0.5, 0.4, 0.6, 1)))
    assert "\x1b" not in said and "\x07" not in said and "a  b" in said


def test_square_brackets_in_words_are_only_words() -> None:
    said = _shown(_table(("H200", "[red]a[/red]", 0.5, 0.4, 0.6, 1)))
    assert "[red]a[/red]" in said
