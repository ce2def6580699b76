"""The statement of a task: exactly what a model may be shown, derived from the task's facts."""

from typing import Any

from kernelbenchx.catalog import find_published
from kernelbenchx.catalog.contract_wording import contract_words
from kernelbenchx.catalog.facts import Facts, PublishedCall, WeightFacts, facts
from kernelbenchx.catalog.module_source import module_source
from kernelbenchx.core.record import Record

_SEEDS = {
    "randint": (
        "Take the seed of your random numbers from exactly one call of torch.randint on the host; "
        "no other source of randomness is accepted."
    ),
    "generator": (
        "Take the seed of your random numbers from exactly one call of torch.randint on the host, "
        "drawn from `generator` where one is passed; no other source of randomness is accepted."
    ),
}


_FORMS = {
    "function": (
        "This signature is recommended. Another one is taken, too: its arguments are given by name "
        "where the name is known, by position where it is not."
    ),
    "module": (
        "Other names are taken, too: arguments are given by position, or by name where yours are "
        "in another order or keyword-only."
    ),
}
"""What may differ from the form that a statement shows."""
_IMPORTED = (
    "Give your module the weights of that one, with the same names and shapes: their values are "
    "loaded after construction. Its answers are judged at smaller sizes."
)


class Statement(Record, frozen=True, kw_only=True):
    """No case, no witness, no mutant, no number that would tell what is tested.

    Of a KernelBench problem also the source of `Model` and the published size, which is timed:
    KernelBench shows both.
    """

    task: str
    category: str
    entry: str
    form: str
    signature: str
    description: str
    dtypes: tuple[str, ...]
    contract: str
    writes: tuple[str, ...]
    inert: tuple[str, ...]
    seed: str
    difficulty: int = 0
    """1 to 5, for readers of results; 0 where a run did not keep it. The text leaves it out."""
    level: int = 0
    """Of KernelBench; 0 for tasks that are not its problems."""
    number: int = 0
    precision: str = ""
    constructor: str = ""
    weights: tuple[WeightFacts, ...] = ()
    source: str = ""
    """Of the `Model` that a problem is given as."""
    timed: PublishedCall | None = None
    imported: bool = False
    """Whether it comes from a published file, which `source` is."""
    unsound: str = ""
    """Of an imported problem, shown with results; the text leaves it out."""

    def text(self) -> str:
        """Markdown for a person or a prompt."""
        paragraphs = [
            f"# {self.task}",
            self.description,
            f"```python\n{_heading(self)}\n```",
            _FORMS[self.form],
            *self._values(),
            self.contract,
            *self._side_effects(),
        ]
        return "\n\n".join(part for part in paragraphs if part) + "\n"

    def _values(self) -> list[str]:
        """What comes in; a problem is also told what its module holds."""
        if not self.level:
            return [f"Inputs come in {_join_words(self.dtypes)}."]
        return [
            *self._module(),
            f"Inputs and weights come in {_join_words(self.dtypes)} (precision {self.precision}).",
            *self._weights(),
            "The module is called in training mode, under `torch.no_grad()`.",
        ]

    def _module(self) -> list[str]:
        """What KernelBench shows of a problem."""
        said = []
        if self.source:
            same = ", with the same weights" if self.weights else ""
            given = f"`{self.entry}` must return what this module returns{same}:"
            said.append(f"{given}\n\n```python\n{self.source}```")
        if self.timed is not None:
            inputs = _join_words(tuple(f"`{one}`" for one in self.timed.inputs))
            said.append(
                f"It is timed at the published size: `{self.entry}({', '.join(self.timed.init)})`, "
                f"called with {inputs}. Its answers are also judged at other sizes, very small and "
                "odd ones among them, with the constructor arguments that belong to them, and with "
                "negative and large values where nothing above excludes them."
            )
        return said

    def _weights(self) -> list[str]:
        if self.imported:
            return [_IMPORTED]
        if not self.weights:
            return ["The module has no weights."]
        rows = "\n".join(f"- `{one.name}`: {one.shape}" for one in self.weights)
        return [
            f"Weights and buffers, as `state_dict` names them, with their shapes:\n\n{rows}",
            "Give yours the same names and shapes: values are loaded after construction, by name, "
            "or else in order if the shapes are the same. They are not the values of a fresh "
            "module: scales differ from 1 and biases from 0. So use them in `forward`; what "
            "`__init__` makes from them is out of date. A module that does not fit is compared "
            "with one that was built under the same seed. Buffers may be left out; what a call "
            "leaves in them is not judged.",
        ]

    def _side_effects(self) -> list[str]:
        said = []
        if self.writes:
            names = _join_words(tuple(f"`{name}`" for name in self.writes))
            said.append(
                f"May write into {names}, as described; every other argument must stay as it is."
            )
        else:
            said.append("Every argument must stay as it is.")
        if self.inert:
            names = _join_words(tuple(f"`{name}`" for name in self.inert))
            said.append(f"Accepted without effect on values, not tested: {names}.")
        if self.seed:
            said.append(self.seed)
        said.append(
            f"Write `{self.entry}` in Python with Triton kernels that do the work: torch may "
            f"allocate, fill, view, copy and cast, not compute. {self._about_inputs()} "
            "Tensors may have more than 2**31 elements."
        )
        return said

    def _about_inputs(self) -> str:
        if not self.level:
            return "Inputs may be non-contiguous where nothing above says otherwise."
        return (
            "Modules of `torch.nn` may hold weights; calling them is computing. Inputs are "
            "contiguous where nothing above says otherwise."
        )


def statement(name: str) -> Statement:
    """The statement of `category/name`."""
    known = facts(name)
    return Statement(
        task=known.name,
        category=known.published,
        entry=known.entry,
        form=known.form,
        signature=known.signature,
        description=known.description,
        dtypes=known.dtypes,
        contract=contract_words(known.contract),
        writes=known.writes,
        inert=known.inert,
        seed=_SEEDS.get(known.randomness, ""),
        difficulty=known.difficulty,
        **_of_problem(name, known),
        **_of_published(name, known),
    )


def _of_published(name: str, known: Facts) -> dict[str, Any]:
    if find_published(name) is None:
        return {}
    return {"imported": True, "unsound": known.unsound}


def _of_problem(name: str, known: Facts) -> dict[str, Any]:
    if known.problem is None:
        return {}
    shared = ("level", "number", "precision", "constructor", "weights")
    found = {name: getattr(known.problem, name) for name in shared}
    published = find_published(name)
    source = module_source(name) if published is None else f"{published.text.strip()}\n"
    return {**found, "source": source, "timed": known.problem.published}


def _heading(stated: Statement) -> str:
    if stated.form == "function":
        return f"def {stated.signature}: ..."
    methods = [one for one in (stated.constructor, stated.signature) if one]
    lines = [f"class {stated.entry}(torch.nn.Module):", *(f"    def {one}: ..." for one in methods)]
    return "\n".join(lines)


def _join_words(words: tuple[str, ...]) -> str:
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " and " + words[-1]
