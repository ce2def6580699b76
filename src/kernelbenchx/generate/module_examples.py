"""Worked modules of our own that show optimization: a `Model`, and the `ModelNew` made from it."""

from dataclasses import dataclass
from functools import cached_property

from kernelbenchx.catalog.statement import Statement
from kernelbenchx.generate.operators import operators_of
from kernelbenchx.generate.templates import template

ORDER = ("charbonnier_rows", "radial_similarity", "distance_attention")
"""As prompts show them: fusion, tiling, attention in one pass."""
_FENCE = "```python\n"


@dataclass(frozen=True)
class ModuleExample:
    """A module and a kernel that computes the same; no problem of KernelBench."""

    name: str

    @property
    def template(self) -> str:
        """The name of the text file: main operator, description, module, kernel."""
        return f"example_module_{self.name}"

    @property
    def operator(self) -> str:
        """Whatever a problem does with it as its main operator, the example would show how."""
        return self._parts[0].partition("\n")[0]

    @property
    def description(self) -> str:
        """What it shows."""
        return self._parts[0].partition("\n")[2].strip()

    @property
    def source(self) -> str:
        """The module."""
        return self._parts[1].partition("```")[0]

    @property
    def code(self) -> str:
        """The whole file with `ModelNew`."""
        return self._parts[2].partition("```")[0]

    def gives_away(self, statement: Statement) -> bool:
        """Whether its main operator is the task's own."""
        return self.operator in operators_of(statement)

    @cached_property
    def _parts(self) -> list[str]:
        return template(self.template).split(_FENCE)


MODULE_EXAMPLES = tuple(ModuleExample(name) for name in ORDER)
