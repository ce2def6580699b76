"""What `import kernelbenchx` promises: a few names, typed, loaded when asked for."""

import importlib
import inspect
import json
import re
import subprocess
import sys
import types
import typing
from pathlib import Path

import pytest

import kernelbenchx
from kernelbenchx.rewards import reward

ROOT = Path(__file__).resolve().parents[1]
MOST_S = 0.1
FUNCTIONS = {"evaluate", "load_run", "read_submissions", "reward", "task", "tasks"}
"""`task` and `tasks` look something up; all others say what they do."""


def _python(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_dir_shows_the_public_names_and_no_other() -> None:
    program = "import json, kernelbenchx; print(json.dumps(dir(kernelbenchx)))"
    shown = json.loads(_python(program))
    assert shown == sorted(kernelbenchx.__all__)
    used = _python(
        "import json, kernelbenchx, kernelbenchx.evaluate.session\n"
        "kernelbenchx.tasks('relu'); print(json.dumps(dir(kernelbenchx)))"
    )
    assert json.loads(used) == shown, "also after parts of it were loaded"


def test_every_public_name_is_there_and_others_are_not() -> None:
    for name in kernelbenchx.__all__:
        assert getattr(kernelbenchx, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'evaluator_of_all'"):
        _ = kernelbenchx.evaluator_of_all  # type: ignore[attr-defined]


def test_the_lazy_names_are_those_that_type_checkers_see() -> None:
    lazy = {name for names in kernelbenchx._HOMES.values() for name in names}
    assert lazy | {"evaluate", "tasks", "__version__"} == set(kernelbenchx.__all__)
    text = (ROOT / "src" / "kernelbenchx" / "__init__.py").read_text()
    typed = text.partition("if TYPE_CHECKING:\n")[2].partition("__version__")[0]
    for name in lazy | {"evaluate", "tasks"}:
        assert name in typed, name


def test_importing_is_quick_and_loads_nothing() -> None:
    program = (
        "import sys, time\nbefore = set(sys.modules)\nstarted = time.process_time()\n"
        "import kernelbenchx\ntook = time.process_time() - started\n"
        "print(took, *(set(sys.modules) - before))"
    )
    runs = [_python(program).split() for _ in range(3)]
    assert min(float(took) for took, *_ in runs) < MOST_S
    assert all(loaded == ["kernelbenchx"] for _, *loaded in runs)


def test_no_public_name_loads_torch() -> None:
    program = (
        "import sys, kernelbenchx\n"
        "for name in kernelbenchx.__all__: getattr(kernelbenchx, name)\n"
        "kernelbenchx.task('relu').statement\n"
        "print([name for name in ('torch', 'triton', 'pandas', 'pyarrow') if name in sys.modules])"
    )
    assert _python(program) == "[]\n"


def test_no_two_classes_have_one_name() -> None:
    classes = [one for one in _public() if isinstance(one, type)]
    assert len({one.__name__ for one in classes}) == len(classes)
    assert all(getattr(kernelbenchx, one.__name__) is one for one in classes)


def test_no_other_class_in_the_tree_has_a_public_name() -> None:
    homes: dict[str, set[str]] = {}
    for path in (ROOT / "src" / "kernelbenchx").rglob("*.py"):
        for name in re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), flags=re.M):
            homes.setdefault(name, set()).add(str(path))
    several = {one.__name__ for one in _public() if isinstance(one, type)}
    assert {name: homes[name] for name in several if len(homes[name]) != 1} == {}


def test_classes_of_the_public_modules_have_one_name_each() -> None:
    """The worker is a program of its own: it imports nothing of this package."""
    homes: dict[str, set[str]] = {}
    package = ROOT / "src" / "kernelbenchx"
    for path in set(package.rglob("*.py")) - set((package / "worker").rglob("*.py")):
        for name in re.findall(r"^class ([A-Z]\w*)", path.read_text(encoding="utf-8"), flags=re.M):
            homes.setdefault(name, set()).add(str(path))
    named = {name for module in _modules() for name, _ in _own(module, inspect.isclass)}
    assert "Evaluation" in named and "KernelFacts" in named
    assert {name: homes[name] for name in named if len(homes[name]) != 1} == {}


VERBS = {
    "add", "aevaluate", "apply", "close", "evaluate", "find", "load", "map", "parse", "query",
    "read", "require", "resolve", "reward", "score", "submit", "to",
}  # fmt: skip
PREDICATES = {"meets"}
"""Asked of a record, such as `evaluation.meets(standard)`."""
LOOK_UPS = {"task", "tasks"}


def _begins_with_a_verb(name: str) -> bool:
    return name.partition("_")[0] in VERBS


@pytest.mark.parametrize("name", ["with_options", "speed_part", "speedup", "stage_named", "ours"])
def test_a_noun_or_a_participle_is_no_name_of_a_function(name: str) -> None:
    assert not _begins_with_a_verb(name)


def test_functions_and_methods_of_the_public_modules_are_verbs() -> None:
    found = set()
    for module in _modules():
        found |= {name for name, _ in _own(module, inspect.isfunction)}
        for _, one in _own(module, inspect.isclass):
            found |= {name for name, value in vars(one).items() if inspect.isfunction(value)}
    public = {name for name in found if not name.startswith("_")}
    assert {"evaluate", "to_pandas", "find_speedup"} <= public
    assert {name for name in public if not _begins_with_a_verb(name)} == LOOK_UPS | PREDICATES


def _modules() -> list[types.ModuleType]:
    """Where public names are defined, and the records of times that an evaluation holds."""
    homes = [*kernelbenchx._HOMES, "core.performance"]
    return [importlib.import_module(f"kernelbenchx.{home}") for home in homes]


def _own(
    module: types.ModuleType, kind: typing.Callable[[object], bool]
) -> list[tuple[str, typing.Any]]:
    return [
        (name, one)
        for name, one in vars(module).items()
        if kind(one) and not name.startswith("_") and one.__module__ == module.__name__
    ]


def test_functions_are_the_known_ones_and_each_is_documented() -> None:
    found = {
        name
        for name in kernelbenchx.__all__
        if callable(one := getattr(kernelbenchx, name)) and not isinstance(one, type)
    }
    assert found - {"Outcome"} == FUNCTIONS
    for one in _public():
        if not isinstance(one, str | types.UnionType):
            assert inspect.getdoc(one), one


def test_every_outcome_is_public() -> None:
    for one in typing.get_args(kernelbenchx.Outcome):
        assert one.__name__ in kernelbenchx.__all__


@pytest.mark.parametrize("given", ["def relu(): ...\n", None, object])
def test_a_reward_is_of_an_evaluation(given: typing.Any) -> None:
    with pytest.raises(TypeError) as refused:
        reward(given)
    kind = {str: "a str", type(None): "None", type: "a type"}[type(given)]
    said = f"reward() takes an Evaluation, as evaluate() returns it, not {kind}"
    assert str(refused.value) == said


WRONG_ARGUMENTS: dict[str, typing.Callable[[typing.Any, typing.Any, typing.Any], object]] = {
    "Evaluator() takes Settings, not a str": lambda kbx, _run, _one: kbx.Evaluator("relu.py"),
    "out takes the path of a run folder, not an int": lambda kbx, _run, _one: kbx.Evaluator(out=5),
    "a source is a text, a Path or a Submission, not an int": (
        lambda kbx, _run, _one: kbx.evaluate(5, task="relu", device="interpreter")
    ),
    "task() and tasks() take names, not an int": lambda kbx, _run, _one: kbx.tasks(5),
    "load_run() takes the path of a run, not None": lambda kbx, _run, _one: kbx.load_run(None),
    "read_submissions() takes paths, not an int": lambda kbx, _run, _one: kbx.read_submissions(5),
    "scheme takes a RewardScheme, not an int": lambda kbx, _run, one: kbx.reward(one, scheme=1),
    "baseline is eager or compile, not 'no'": lambda kbx, _run, one: kbx.reward(one, baseline="no"),
    "find() takes the name of a submission, not an int": lambda _kbx, run, _one: run.find(5),
    "query() takes a text of SQL, not an int": lambda _kbx, run, _one: run.query(5),
    "read_source() takes an Evaluation, not a str": lambda _kbx, run, _one: run.read_source("a"),
}
"""By what is said: a call with the package, a run and a result."""


@pytest.mark.parametrize("words", WRONG_ARGUMENTS)
def test_a_wrong_argument_is_one_clear_line(words: str) -> None:
    run = kernelbenchx.load_run(ROOT / "examples" / "runs" / "h200_witnesses.sqlite.gz")
    with pytest.raises((TypeError, kernelbenchx.BadInput)) as refused:
        WRONG_ARGUMENTS[words](kernelbenchx, run, run.results[0])
    assert str(refused.value) == words


def test_the_package_says_that_it_is_typed() -> None:
    assert (ROOT / "src" / "kernelbenchx" / "py.typed").is_file()


def _public() -> list[object]:
    return [getattr(kernelbenchx, name) for name in kernelbenchx.__all__]
