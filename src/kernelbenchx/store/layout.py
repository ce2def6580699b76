"""The files of a run folder."""

from dataclasses import dataclass
from pathlib import Path
from unicodedata import category

from kernelbenchx.core.errors import BadInput
from kernelbenchx.store.corpus import convert_corpus, is_corpus
from kernelbenchx.store.packed_run import DATABASE, MAGIC, PACKED, unpack
from kernelbenchx.store.suggestions import suggest_run


@dataclass(frozen=True)
class RunFolder:
    """A folder with one database and one lock."""

    root: Path
    name: str = DATABASE
    """Of the database; only a run that is read may have another."""

    @property
    def database(self) -> Path:
        """Everything that is kept."""
        return self.root / self.name

    @property
    def lock(self) -> Path:
        """Held by the one process that writes."""
        return self.root / "run.lock"

    @classmethod
    def to_write(cls, path: Path) -> "RunFolder":
        """A run to resume or to begin; a folder with other files is refused."""
        _require_printable(path)
        found = cls(path)
        if path.is_file():
            raise BadInput(f"{path} is a file: choose a folder with `out`")
        if path.is_dir() and not found.database.is_file():
            others = {one.name for one in path.iterdir() if not _is_harmless(one)}
            if DATABASE + PACKED in others:
                raise BadInput(
                    f"{path} holds a packed run: unpack it, or choose another folder with `out`"
                )
            if others - {found.lock.name}:
                raise BadInput(
                    f"{path} holds other files and no run: choose another folder with `out`"
                )
        return found

    @classmethod
    def existing(cls, path: Path) -> "RunFolder":
        """An existing run; a path to its database is accepted too, also a packed one, and the
        public corpus of iterations."""
        _require_printable(path)
        if is_corpus(path):
            return cls(convert_corpus(path.resolve()))
        if path.is_file():
            if path.suffix == PACKED:
                return cls(unpack(path.resolve()))
            with path.open("rb") as file:
                if file.read(len(MAGIC)) != MAGIC:
                    raise BadInput(f"{path} is not a run: it is not an SQLite file")
            return cls(path.parent, path.name)
        found = cls(path)
        if not found.database.is_file():
            raise BadInput(f"{path} is not a run: no run.sqlite there{suggest_run(path)}")
        return found


def _require_printable(path: Path) -> None:
    """The name of a run stands in tables, reports and logs."""
    if any(not one.isprintable() and category(one) != "Zs" for one in str(path)):
        raise BadInput(f"{path}: the name of a run is not text on one line: rename the folder")


def _is_harmless(path: Path) -> bool:
    """What a shell or an editor leaves beside a run that is about to begin."""
    return path.name.startswith(".") or path.suffix in (".log", ".txt")
