"""Study files: what they mean, and one line for every mistake."""

from pathlib import Path

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.study.read_study import (
    Mistakes,
    find_file,
    parse_study,
    read_table,
    shipped_names,
)
from kernelbenchx.study.study_schema import HardwareEntry
from study.study_files import GOOD, choose, mistakes


def test_a_file_in_order_has_no_mistakes(tmp_path: Path) -> None:
    assert mistakes(tmp_path, GOOD) == []


@pytest.mark.parametrize(
    ("added", "said"),
    [
        ('methds = ["one_shot"]', "unknown key 'methds'; did you mean methods?"),
        ('correct = "loose"', "correct: must be one of basic, core, strict, not 'loose'"),
        ('stage = "fast"', "stage: must be one of check, call, exe, perf, not 'fast'"),
        ('device = "tpu"', "device: must be one of auto, cuda, interpreter, not 'tpu'"),
        ("samples = 3", "samples: has no effect: no method of the file is sample"),
        ("examples = 9", "methods[1]: there are 0 to 3 examples, not 9"),
        ('examples = "many"', "examples: must be a whole number, not 'many'"),
        ('prompts = ["polite"]', "methods[1]: unknown prompt 'polite'; choose one of "),
        ('hardware = "Voodoo"', "methods[1]: unknown GPU 'Voodoo': "),
        (
            'hardware = [{ gpu = "H200", fact = [] }]',
            "hardware: unknown key 'fact'; did you mean f",
        ),
        ("time_limit = 0", "time_limit: must be auto or from 1 to 3600 seconds, not 0"),
        ('baselines = ["compile"]', "baselines: needs stage = 'perf'"),
        ("budget = { tokens = 0 }", "budget: tokens must be above 0, not 0"),
        ("budget = { dollars = 5 }", "budget: a cap in dollars needs prices"),
        ("budget = { token = 5 }", "budget: unknown key 'token'; did you mean tokens?"),
        ('budget = { tokens = "few" }', "budget: Expected `int | null`, got `str` in `tokens`"),
        ("budget = 5", "budget: must be a table, not 5"),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, added: str, said: str) -> None:
    (found, *others) = mistakes(tmp_path, f"{added}\n{GOOD}")
    assert found.startswith(said)
    # What is wrong with an axis is wrong with every method that has it.
    assert all(said.startswith("methods[1]") for _ in others)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('["relu", "gelu"]', '["relo"]', "tasks: no task matches 'relo'"),
        ('["relu", "gelu"]', "[]", "tasks: must not be empty"),
        ("seed = 7", "seed = 0", "seed: must be from 1 to 2**62, not 0"),
        ("seed = 7", "seed = true", "seed: must be a whole number, not True"),
        ('"one_shot"', '"one_shoot"', "methods[1]: unknown method 'one_shoot'"),
        ('"one_shot"', "{ metod = 1 }", "methods[1]: unknown key 'metod'; did you mean method?"),
        ('"G+E"', '"X"', "methods[2]: options of refine: "),
        ("feedback =", "feedbck =", "methods[2]: refine has no option 'feedbck'"),
        ('"openai:one"', '"one"', "methods[1]: 'one' names no model: write openai:NAME"),
        ('"openai:one"', "7", "models: must be text or a table, not 7"),
        ('"openai:one"', '{ model = "openai:a", max_tokens = 1 }', "methods[1]: model openai:a"),
        ('"openai:one"', '"replay:none.jsonl"', "methods[1]: model replay:none.jsonl: no such"),
    ],
)
def test_what_is_there_may_be_wrong(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in GOOD
    assert any(one.startswith(said) for one in mistakes(tmp_path, GOOD.replace(old, new)))


@pytest.mark.parametrize("key", ["models", "tasks", "methods"])
def test_what_a_study_cannot_do_without(tmp_path: Path, key: str) -> None:
    text = "\n".join(line for line in GOOD.splitlines() if not line.startswith(key))
    said = " ".join(mistakes(tmp_path, text))
    assert ("missing" in said or "has no model" in said) and key[:-1] in said


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    text = GOOD.replace("seed = 7", "seed = 0").replace('"relu"', '"relo"') + "stge = 1\n"
    found = mistakes(tmp_path, text)
    assert len(found) == 3
    assert [word for word in ("seed", "relo", "stge") if any(word in one for one in found)]


def test_a_file_that_is_no_toml_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text("seed = 1\nseed = 2\n")
    with pytest.raises(BadInput, match=r"not TOML: .*line 2"):
        read_table(path)
    with pytest.raises(BadInput, match="no such file; shipped studies are feedback, "):
        read_table(tmp_path / "other.toml")


def test_a_method_has_the_axes_of_the_file_unless_it_has_its_own() -> None:
    said = Mistakes()
    table = {
        "models": ["openai:a"],
        "tasks": "relu",
        "examples": [0, 3],
        "samples": 5,
        "methods": [
            {"method": "sample", "options": {"samples": 2}},
            {"method": "sample", "examples": 1, "hardware": ["none", "H200"]},
        ],
    }
    study = parse_study(table, choose, said)
    assert said.said == [] and study is not None
    first, second = study.methods
    assert (first.examples, first.options) == ((0, 3), {"samples": 2})
    assert (second.examples, second.options) == ((1,), {"samples": 5})
    assert second.hardware == (HardwareEntry(), HardwareEntry(gpu="H200"))
    assert study.tasks == ("activation/relu",) and study.seed is None


def test_a_shipped_study_is_found_by_its_name_and_a_file_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shipped_names() == ["feedback", "five_methods", "kernelbench"]
    assert find_file("feedback").is_file()
    assert find_file("mine") == Path("mine")
    monkeypatch.chdir(tmp_path)
    Path("feedback").write_text("")
    assert find_file("feedback") == Path("feedback")
