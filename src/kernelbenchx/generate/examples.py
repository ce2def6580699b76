"""Worked tasks outside the catalogue, for prompts that show an example."""

from dataclasses import dataclass
from functools import cached_property

from kernelbenchx.catalog.statement import Statement
from kernelbenchx.generate.operators import operators_of
from kernelbenchx.generate.templates import template

ORDER = ("softsign_mul", "unit_range", "gated_projection")
"""As prompts show them: elementwise, a reduction over rows, a product of matrices."""
OPERATORS = {"unit_range": "reduction", "gated_projection": "matmul"}
"""The main operator of an example; a chain of elementwise steps has none."""
_FENCE = "```python\n"


@dataclass(frozen=True)
class Example:
    """A task and a kernel that solves it."""

    name: str

    @property
    def template(self) -> str:
        """The name of the text file: signature, dtypes, what is to be computed, and the kernel."""
        return f"example_{self.name}"

    @cached_property
    def stated(self) -> Statement:
        """The task in the form that every task has."""
        signature, dtypes, rest = template(self.template).split("\n", 2)
        return Statement(
            task=self.name,
            category="Example",
            entry=self.name,
            form="function",
            signature=signature,
            description=rest.partition(_FENCE)[0].strip(),
            dtypes=tuple(dtypes.split(", ")),
            contract="",
            writes=(),
            inert=(),
            seed="",
        )

    @property
    def statement(self) -> str:
        """The task as a model reads it."""
        return self.stated.text()

    def gives_away(self, statement: Statement) -> bool:
        """Whether its main operator is the task's own."""
        return OPERATORS.get(self.name) in operators_of(statement)

    @cached_property
    def code(self) -> str:
        """The whole file."""
        return template(self.template).partition(_FENCE)[2].rpartition("```")[0]


EXAMPLES = tuple(Example(name) for name in ORDER)
