"""How a run asks for kernels: the form of the prompt, examples or none, hardware facts or none."""

import textwrap
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cached_property

from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.statement import Statement
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.record import Record
from kernelbenchx.core.transcript import Message
from kernelbenchx.generate import templates
from kernelbenchx.generate.examples import EXAMPLES, Example
from kernelbenchx.generate.hardware import SHEET, TEMPLATES, find_gpu, hardware_words
from kernelbenchx.generate.method import OPENING
from kernelbenchx.generate.module_examples import MODULE_EXAMPLES, ModuleExample
from kernelbenchx.generate.reply_program import MODULE
from kernelbenchx.generate.task_context import Opening

PLAIN = "plain"
_FORM = "form_"
_PARTS = ("system", "example", "module")
"""`form_<name>_<part>.txt` belongs to the form `<name>`; forms have no underscore-part else. Of two
parts, as in `form_plain_module_system`, the first says that it is for KernelBench problems."""
_MODULE = "module"
"""Both a template and the word that forms have for what it gives."""
_MODULE_EXAMPLE = "module_example"
"""Of all forms."""
OPTIMIZATION = "optimization"


class Prompting(Record, frozen=True, kw_only=True):
    """What is chosen for a whole run; kept with it."""

    form: str = PLAIN
    examples: int = 0
    """How many worked examples a prompt shows, the simplest first."""
    hardware: str = ""
    """The GPU whose facts the prompt states."""
    facts: tuple[str, ...] = (SHEET,)
    """Which kinds of facts."""


def forms() -> tuple[str, ...]:
    """Every form with a template, `plain` first."""
    found = [name.removeprefix(_FORM) for name in templates.names() if name.startswith(_FORM)]
    whole = [name for name in found if not name.endswith(tuple(f"_{part}" for part in _PARTS))]
    return tuple(sorted(whole, key=lambda name: (name != PLAIN, name)))


class FormPrompts:
    """Prompts of one run; implements `task_context.Prompts`."""

    def __init__(self, chosen: Prompting, *, functions: bool = True, modules: bool = False) -> None:
        """`functions` and `modules`: what the tasks of the run are."""
        if chosen.form not in forms():
            raise BadInput(f"unknown prompt {chosen.form!r}; choose one of {', '.join(forms())}")
        if not 0 <= chosen.examples <= len(EXAMPLES):
            raise BadInput(f"there are 0 to {len(EXAMPLES)} examples, not {chosen.examples}")
        if chosen.hardware:
            find_gpu(chosen.hardware)
        self.chosen = chosen
        self._kinds = [kind for kind, wanted in ((False, functions), (True, modules)) if wanted]

    @cached_property
    def hardware(self) -> str:
        """Facts of the target in words, or nothing where none are wanted."""
        return hardware_words(self.chosen.hardware, self.chosen.facts)

    @property
    def hardware_templates(self) -> tuple[str, ...]:
        """What these facts are made from."""
        kinds = self.chosen.facts if self.hardware else ()
        return tuple(TEMPLATES[kind] for kind in kinds)

    def opening(self, statement: Statement) -> Opening:
        """System message where the form has one, then the task with all that belongs to it."""
        module = statement.level > 0
        shown, left_out = self._examples(statement)
        messages, system = [], self._part("system", module=module)
        if system:
            messages.append(Message("system", self.fill(system).strip()))
        words = _words(statement) | {
            "hardware": self.hardware,
            "examples": "\n".join(self._example(one) for one in shown),
        }
        form = self._part("", module=module)
        messages.append(Message("user", self.fill(form, **words).strip()))
        used = self._list_templates([one.template for one in shown], module=module)
        return Opening(tuple(messages), used, tuple(one.name for one in left_out))

    def optimization(self, statement: Statement, opening: Opening) -> Opening:
        """Every example of optimization that the opening does not show and that gives nothing away.

        No message where none is left.
        """
        left_out = [one for one in MODULE_EXAMPLES if one.gives_away(statement)]
        before = {*opening.templates, *(one.template for one in left_out)}
        shown = [one for one in MODULE_EXAMPLES if one.template not in before]
        names = tuple(one.name for one in left_out)
        if not shown:
            return Opening((), (), names)
        examples = "\n".join(self._example(one) for one in shown)
        text = self.fill(OPTIMIZATION, examples=examples).strip()
        used = (OPTIMIZATION, _MODULE_EXAMPLE, *(one.template for one in shown))
        return Opening((Message("user", text),), used, names)

    @cached_property
    def used(self) -> tuple[str, ...]:
        """The templates of the openings; an example may be left out for a task."""
        shown: dict[bool, Sequence[Example | ModuleExample]]
        shown = {False: EXAMPLES, True: MODULE_EXAMPLES}
        every = [
            self._list_templates(
                [one.template for one in shown[kind][: self.chosen.examples]], module=kind
            )
            for kind in self._kinds
        ]
        return tuple(dict.fromkeys(name for one in every for name in one))

    def _list_templates(self, shown: Sequence[str], *, module: bool) -> tuple[str, ...]:
        made = [self._part("", module=module)]
        if system := self._part("system", module=module):
            made.append(system)
        if shown:
            made += [self._part("example", module=module), *shown]
        if not module and any(f"${_MODULE}" in templates.template(name) for name in made):
            made.append(_MODULE)
        return (*made, *self.hardware_templates)

    def _part(self, part: str, *, module: bool) -> str:
        """The template of a part of the form; empty where the form has none."""
        own = f"{_FORM}{self.chosen.form}"
        plain = f"{own}_{part}" if part else own
        known = [f"{own}_{_MODULE}_{part}".removesuffix("_")] if module else []
        known.append(_MODULE_EXAMPLE if module and part == "example" else plain)
        return next((name for name in known if name in templates.names()), "")

    def _examples(
        self, statement: Statement
    ) -> tuple[Sequence[Example | ModuleExample], Sequence[Example | ModuleExample]]:
        """Those to show, and those that would give away how to write the task."""
        every: Sequence[Example | ModuleExample]
        every = MODULE_EXAMPLES if statement.level else EXAMPLES
        wanted = every[: self.chosen.examples]
        left_out = [one for one in wanted if one.gives_away(statement)]
        return [one for one in wanted if one not in left_out], left_out

    def _example(self, one: Example | ModuleExample) -> str:
        if isinstance(one, ModuleExample):
            words = {"description": one.description, "source": one.source, "code": one.code}
            return self.fill(self._part("example", module=True), **words)
        words = _words(one.stated) | {"code": one.code}
        return self.fill(self._part("example", module=False), **words)

    def fill(self, template: str, /, **words: str) -> str:
        """A template by name, with these words in it; it need not use them all."""
        return templates.fill(template, **words)

    def digest(self, template: str) -> str:
        """SHA-256 of a template's text."""
        return templates.digest(template)

    def digests(self, uses: Sequence[str]) -> dict[str, str]:
        """Of all templates that a method uses: a run can be resumed only with the same ones."""
        self.refuse_unused(uses)
        return {name: templates.digest(name) for name in templates.names() if self._in(name, uses)}

    def refuse_unused(self, uses: Sequence[str]) -> None:
        """Refuse options for forms and examples where the method's prompts do not use them."""
        if OPENING not in uses and (self.chosen.form != PLAIN or self.chosen.examples):
            raise BadInput(
                "this method has its own prompts: --prompt and --examples have no effect"
            )

    def _in(self, name: str, uses: Sequence[str]) -> bool:
        if name in TEMPLATES.values():
            return name in self.hardware_templates
        opening = OPENING in uses and name in self.used
        return opening or any(fnmatchcase(name, pattern) for pattern in uses)


def prompts_for(chosen: Prompting, tasks: Sequence[str]) -> FormPrompts:
    """The prompts of a run over these tasks."""
    modules = {facts(task).problem is not None for task in tasks}
    return FormPrompts(chosen, functions=False in modules, modules=True in modules)


def _words(statement: Statement) -> dict[str, str]:
    """The parts of a statement that forms put in their own places."""
    text = statement.text()
    rest = text.partition("```python\n")[2].partition("```\n")[2].strip()
    return {
        "statement": text,
        "entry": statement.entry,
        "signature": statement.signature,
        "constructor": statement.constructor,
        "description": statement.description.strip(),
        "rest": rest,
        _MODULE: "" if statement.level else _module(statement, rest),
    }


def _module(statement: Statement, rest: str) -> str:
    """A function as a module without a body: no prompt shows the reference of one."""
    parameters = statement.signature.partition("(")[2].removeprefix("self").removeprefix(", ")
    return templates.fill(
        _MODULE,
        description=_indent(statement.description.strip()),
        rest=_indent(rest.replace(f"Write `{statement.entry}`", f"Write `{MODULE}`")),
        parameters=parameters,
    )


def _indent(text: str) -> str:
    return textwrap.indent(text, "    ").strip()
