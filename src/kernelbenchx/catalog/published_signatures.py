"""How others spell the function of a task: the published file, the published prompt, and torch.

Of all published tasks, also of those that are not here. All of these forms are taken from a
submission; the task's own is what its statement recommends.
"""

from functools import cache
from pathlib import Path

from kernelbenchx.core.record import Record, from_json

_FILE = Path(__file__).parent / "published_signatures.json"


class PublishedSignatures(Record, frozen=True, kw_only=True):
    """Names, parameters and defaults of one function."""

    file: str = ""
    """In the published file."""
    prompt: str = ""
    """As the published prompt has it; none where that is no signature."""
    torch: tuple[str, ...] = ()
    """In torch, where torch has the function."""

    @property
    def by_source(self) -> tuple[tuple[str, str], ...]:
        """The source in words and the form, best known first."""
        found = [("published file", self.file), ("published prompt", self.prompt)]
        found += [("torch", one) for one in self.torch]
        return tuple((source, form) for source, form in found if form)

    @property
    def by_form(self) -> dict[str, tuple[str, ...]]:
        """The sources of each form, in the same order."""
        forms = dict.fromkeys(form for _, form in self.by_source)
        return {one: tuple(s for s, form in self.by_source if form == one) for one in forms}

    @property
    def entries(self) -> tuple[str, ...]:
        """The names of the function."""
        return tuple(dict.fromkeys(form.partition("(")[0] for _, form in self.by_source))


def published_signatures(name: str) -> PublishedSignatures:
    """Of `category/name`; empty where nothing is published."""
    return _all().get(name, PublishedSignatures())


def entries_of(task: str) -> tuple[str, ...]:
    """Published names of the function of a task, which is named without its category."""
    return next((one.entries for name, one in _all().items() if name.endswith(f"/{task}")), ())


@cache
def _all() -> dict[str, PublishedSignatures]:
    return from_json(_FILE.read_bytes(), dict[str, PublishedSignatures])
