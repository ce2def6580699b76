"""How a run asks for kernels: the form of the prompt, examples or none, hardware facts or none."""

import textwrap
from functools import cached_property

from kernelbenchx.catalog.statement import Statement
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.record import Record
from kernelbenchx.core.transcript import Message
from kernelbenchx.generate import templates
from kernelbenchx.generate.desk import Opening
from kernelbenchx.generate.examples import EXAMPLES, Example
from kernelbenchx.generate.hardware import TEMPLATE, card_named, hardware_words
from kernelbenchx.generate.programs import MODULE

PLAIN = "plain"
_FORM = "form_"
_PARTS = ("system", "example")
"""`form_<name>_<part>.txt` belongs to the form `<name>`; forms have no underscore-part else."""


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
            raise BadInput(f"no prompt is called {chosen.form!r}: one of {', '.join(forms())}")
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
        form = f"{_FORM}{self.chosen.form}"
        shown = EXAMPLES[: self.chosen.examples]
        used = [form]
        messages = []
        if f"{form}_system" in templates.names():
            used.append(f"{form}_system")
            messages.append(Message("system", self.fill(f"{form}_system").strip()))
        words = _words(statement) | {
            "hardware": self.hardware,
            "examples": "\n".join(self._example(form, one) for one in shown),
        }
        messages.append(Message("user", self.fill(form, **words).strip()))
        used += [f"{form}_example", *(one.template for one in shown)] if shown else []
        used += [TEMPLATE] if self.hardware else []
        return Opening(tuple(messages), tuple(used))

    def _example(self, form: str, one: Example) -> str:
        return self.fill(f"{form}_example", **_words(one.stated), code=one.code)

    def fill(self, template: str, /, **words: str) -> str:
        """A template by name, with these words in it; it need not use them all."""
        return templates.fill(template, **words)

    def digest(self, template: str) -> str:
        """SHA-256 of a template's text."""
        return templates.digest(template)

    @property
    def digests(self) -> dict[str, str]:
        """Of every template: a run goes on only with the texts it was begun with."""
        return {name: templates.digest(name) for name in templates.names()}


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
        "module": _module(statement, rest),
    }


def _module(statement: Statement, rest: str) -> str:
    """The task as a module without a body: nobody is shown a reference."""
    parameters = statement.signature.partition("(")[2].removeprefix("self").removeprefix(", ")
    return templates.fill(
        "module",
        description=_indented(statement.description.strip()),
        rest=_indented(rest.replace(f"Write `{statement.entry}`", f"Write `{MODULE}`")),
        parameters=parameters,
    )


def _indented(text: str) -> str:
    return textwrap.indent(text, "    ").strip()
