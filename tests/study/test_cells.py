"""Cells: every combination once, and names that do not depend on their place in the file."""

from pathlib import Path

from kernelbenchx.study.cells import Cell
from study.study_files import GOOD, check, mistakes


def cells(folder: Path, text: str) -> list[Cell]:
    return list(check(folder, text).cells)


def test_every_combination_is_a_cell_once(tmp_path: Path) -> None:
    words = [cell.words for cell in cells(tmp_path, GOOD)]
    assert words == [
        "one_shot, one",
        "one_shot, two",
        "refine rounds=4 feedback=G, one",
        "refine rounds=4 feedback=G, two",
        "refine rounds=4 feedback=G+E, one",
        "refine rounds=4 feedback=G+E, two",
    ]
    again = GOOD.replace('["one_shot"', '["one_shot", "one_shot"')
    assert [cell.words for cell in cells(tmp_path, again)] == words


def test_a_run_is_named_by_what_it_is_and_not_by_its_place(tmp_path: Path) -> None:
    first = {cell.words: cell.folder for cell in cells(tmp_path, GOOD)}
    turned = GOOD.replace('["openai:one", "openai:two"]', '["openai:two", "openai:one"]')
    assert {cell.words: cell.folder for cell in cells(tmp_path, turned)} == first
    assert len(set(first.values())) == 6
    moved = GOOD.replace('"openai:one"', '{ model = "openai:one", base_url = "http://x/v1" }')
    assert {cell.words: cell.folder for cell in cells(tmp_path, moved)} == first
    hotter = GOOD.replace('"openai:one"', '{ model = "openai:one", temperature = 0.5 }')
    assert cells(tmp_path, hotter)[0].folder != first["one_shot, one"]


def test_hardware_and_prompts_are_axes(tmp_path: Path) -> None:
    hardware = '["none", { gpu = "H200", facts = ["terms"] }]'
    text = f'{GOOD}prompts = ["plain", "claude"]\nhardware = {hardware}\n'
    found = [cell.words for cell in cells(tmp_path, text) if cell.words.startswith("one_shot, one")]
    assert found == [
        "one_shot, one",
        "one_shot, one, hardware H200 (terms)",
        "one_shot, one, prompt claude",
        "one_shot, one, prompt claude, hardware H200 (terms)",
    ]


def test_a_method_with_its_own_prompts_refuses_examples(tmp_path: Path) -> None:
    text = GOOD.replace('["one_shot"', '["geak"')
    assert mistakes(tmp_path, text) == []
    assert mistakes(tmp_path, f"examples = 1\n{text}") == [
        "methods[1]: geak has its own prompts: no prompts, no examples"
    ]
    mixed = text.replace('"geak"', '{ method = "geak", examples = 0 }')
    assert mistakes(tmp_path, f"examples = 1\n{mixed}") == []


def test_a_name_with_slashes_is_no_folder_of_its_own(tmp_path: Path) -> None:
    text = GOOD.replace("openai:one", "openai:org/mo:del v2")
    assert "/" not in cells(tmp_path, text)[0].folder and " " not in cells(tmp_path, text)[0].folder
