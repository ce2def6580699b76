"""How a run asks for kernels: the form of the prompt, examples or none, hardware facts or none."""

import textwrap
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cached_property

from kernelbenchx.catalog.statement import Statement
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.record import Record
from kernelbenchx.core.transcript import Message
from kernelbenchx.generate import templates
from kernelbenchx.generate.desk import Opening
from kernelbenchx.generate.examples import EXAMPLES, Example
from kernelbenchx.generate.hardware import TEMPLATE as HARDWARE
from kernelbenchx.generate.hardware import card_named, hardware_words
from kernelbenchx.generate.method import OPENING
from kernelbenchx.generate.programs import MODULE

PLAIN = "plain"
_FORM = "form_"
_PARTS = ("system", "example")
"""`form_<name>_<part>.txt` belongs to the form `<name>`; forms have no underscore-part else."""
_MODULE = "module"
"""Both a template and the word that forms have for what it gives."""


class Prompting(Record, frozen=True, kw_only=True):
    """What is chosen for a whole run; kept with it."""

    form: str = PLAIN
    examples: int = 0
    """So many of ours, the simplest first."""
    hardware: str = ""
    """The card whose facts are told."""


def forms() -> tuple[str, ...]:
    """Every form there is a template for, ours first."""
    found = [name.removeprefix(_FORM) for name in templates.names() if name.startswith(_FORM)]
    whole = [name for name in found if not name.endswith(tuple(f"_{part}" for part in _PARTS))]
    return tuple(sorted(whole, key=lambda name: (name != PLAIN, name)))


class FormPrompts:
    """Prompts of one run, as `desk.Prompts` wants them."""

    def __init__(self, chosen: Prompting) -> None:
        if chosen.form not in forms():
            raise BadInput(f"unknown prompt {chosen.form!r}; choose one of {', '.join(forms())}")
        if not 0 <= chosen.examples <= len(EXAMPLES):
            raise BadInput(f"there are 0 to {len(EXAMPLES)} examples, not {chosen.examples}")
        if chosen.hardware:
            card_named(chosen.hardware)
        self.chosen = chosen

    @cached_property
    def hardware(self) -> str:
        """Facts of the target in words, or nothing where none are wanted."""
        return hardware_words(self.chosen.hardware)

    def opening(self, statement: Statement) -> Opening:
        """System message where the form has one, then the task with all that belongs to it."""
        messages = []
        if self._system in self.used:
            messages.append(Message("system", self.fill(self._system).strip()))
        words = _words(statement) | {
            "hardware": self.hardware,
            "examples": "\n".join(self._example(one) for one in self._shown),
        }
        messages.append(Message("user", self.fill(self._form, **words).strip()))
        return Opening(tuple(messages), self.used)

    @cached_property
    def used(self) -> tuple[str, ...]:
        """The templates of the opening."""
        made = [self._form]
        if self._system in templates.names():
            made.append(self._system)
        if self._shown:
            made += [f"{self._form}_example", *(one.template for one in self._shown)]
        if any(f"${_MODULE}" in templates.template(name) for name in made):
            made.append(_MODULE)
        return (*made, HARDWARE) if self.hardware else tuple(made)

    @property
    def _form(self) -> str:
        return f"{_FORM}{self.chosen.form}"

    @property
    def _system(self) -> str:
        return f"{self._form}_system"

    @property
    def _shown(self) -> tuple[Example, ...]:
        return EXAMPLES[: self.chosen.examples]

    def _example(self, one: Example) -> str:
        return self.fill(f"{self._form}_example", **_words(one.stated), code=one.code)

    def fill(self, template: str, /, **words: str) -> str:
        """A template by name, with these words in it; it need not use them all."""
        return templates.fill(template, **words)

    def digest(self, template: str) -> str:
        """SHA-256 of a template's text."""
        return templates.digest(template)

    def digests(self, uses: Sequence[str]) -> dict[str, str]:
        """Of all templates that a method uses: a run goes on only with those it was begun with."""
        self.refuse_unused(uses)
        return {name: templates.digest(name) for name in templates.names() if self._in(name, uses)}

    def refuse_unused(self, uses: Sequence[str]) -> None:
        """A run must not be kept as one with examples where nobody was shown any."""
        if OPENING not in uses and (self.chosen.form != PLAIN or self.chosen.examples):
            raise BadInput(
                "this method has its own prompts: --prompt and --examples have no effect"
            )

    def _in(self, name: str, uses: Sequence[str]) -> bool:
        if name == HARDWARE and not self.hardware:
            return False
        opening = OPENING in uses and name in self.used
        return opening or any(fnmatchcase(name, pattern) for pattern in uses)


def _words(statement: Statement) -> dict[str, str]:
    """The parts of a statement that forms put in their own places."""
    text = statement.text()
    rest = text.partition("```python\n")[2].partition("```\n")[2].strip()
    return {
        "statement": text,
        "entry": statement.entry,
        "signature": statement.signature,
        "description": statement.description.strip(),
        "rest": rest,
        _MODULE: _module(statement, rest),
    }


def _module(statement: Statement, rest: str) -> str:
    """The task as a module without a body: nobody is shown a reference."""
    parameters = statement.signature.partition("(")[2].removeprefix("self").removeprefix(", ")
    return templates.fill(
        _MODULE,
        description=_indented(statement.description.strip()),
        rest=_indented(rest.replace(f"Write `{statement.entry}`", f"Write `{MODULE}`")),
        parameters=parameters,
    )


def _indented(text: str) -> str:
    return textwrap.indent(text, "    ").strip()
