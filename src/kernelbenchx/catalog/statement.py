"""The statement of a task: exactly what a model may be shown, derived from the task's facts."""

from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.wording import contract_words
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


class Statement(Record, frozen=True, kw_only=True):
    """No case, no witness, no mutant, no number that would tell what is tested."""

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
    """1 to 5, for whoever reads results; 0 where a run did not keep it. The text leaves it out."""

    def text(self) -> str:
        """Markdown for a person or a prompt."""
        paragraphs = [
            f"# {self.task}",
            self.description,
            f"```python\n{_heading(self)}\n```",
            f"Inputs come in {_listed(self.dtypes)}.",
            self.contract,
            *self._side_effects(),
        ]
        return "\n\n".join(part for part in paragraphs if part) + "\n"

    def _side_effects(self) -> list[str]:
        said = []
        if self.writes:
            names = _listed(tuple(f"`{name}`" for name in self.writes))
            said.append(
                f"May write into {names}, as described; every other argument must stay as it is."
            )
        else:
            said.append("Every argument must stay as it is.")
        if self.inert:
            names = _listed(tuple(f"`{name}`" for name in self.inert))
            said.append(f"Accepted without effect on values, not tested: {names}.")
        if self.seed:
            said.append(self.seed)
        said.append(
            f"Write `{self.entry}` in Python with Triton kernels that do the work: torch may "
            "allocate, fill, view, copy and cast, not compute. Inputs may be non-contiguous where "
            "nothing above says otherwise. Tensors may have more than 2**31 elements."
        )
        return said


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
    )


def _heading(stated: Statement) -> str:
    if stated.form == "function":
        return f"def {stated.signature}: ..."
    return f"class {stated.entry}(torch.nn.Module):\n    def {stated.signature}: ..."


def _listed(words: tuple[str, ...]) -> str:
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " and " + words[-1]
