"""The folder of a study: a run for each cell, and what the study was begun with."""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from kernelbenchx.core import seeds
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.record import Record, from_json, to_json
from kernelbenchx.core.time_limit import TimeLimit
from kernelbenchx.core.transcript import Usage
from kernelbenchx.store.exchanges import tokens_of
from kernelbenchx.store.opening import open_run
from kernelbenchx.study.cells import Cell
from kernelbenchx.study.study_schema import Study


class StudyNote(Record, frozen=True, kw_only=True):
    """The settings that every start of a study must share, since its cells are compared."""

    seed: int
    stage: str
    device: str
    baselines: tuple[str, ...]
    time_limit: TimeLimit
    correct: str


@dataclass(frozen=True)
class StudyFolder:
    """`study.json`, `runs/`, `tables/` and `report/`."""

    root: Path

    @property
    def note(self) -> Path:
        """What the study was begun with."""
        return self.root / "study.json"

    @property
    def tables(self) -> Path:
        """Every table of every analysis as CSV, and all of them as one JSON document."""
        return self.root / "tables"

    @property
    def report(self) -> Path:
        """The site."""
        return self.root / "report"

    def run(self, cell: Cell) -> Path:
        """The run of a cell."""
        return self.root / "runs" / cell.folder

    def begin(self, study: Study) -> int:
        """The seed of all cells, drawn once; refuses what a study cannot be resumed with."""
        if self.root.is_file() or (
            self.root.is_dir() and not self.note.is_file() and any(self.root.iterdir())
        ):
            raise BadInput(f"{self.root} exists and is not a study: choose another --out")
        wanted = StudyNote(
            seed=study.seed or 0,
            stage=study.stage,
            device=study.device,
            baselines=study.baselines,
            time_limit=study.time_limit,
            correct=study.correct,
        )
        if self.note.is_file():
            return self._refuse_changes(wanted)
        wanted = msgspec.structs.replace(wanted, seed=wanted.seed or seeds.draw_seed())
        self.root.mkdir(parents=True, exist_ok=True)
        fresh = self.root / ".study.json"
        fresh.write_bytes(to_json(wanted))
        fresh.replace(self.note)
        return wanted.seed

    def _refuse_changes(self, wanted: StudyNote) -> int:
        try:
            before = from_json(self.note.read_bytes(), StudyNote)
        except msgspec.MsgspecError as error:
            raise BadInput(f"{self.note} is not the note of a study: {error}") from error
        for name in wanted.__struct_fields__:
            was, now = getattr(before, name), getattr(wanted, name)
            if was != now and not (name == "seed" and not now):
                raise BadInput(
                    f"the study {self.root} was started with another {name}: {was}, now {now}; "
                    "choose another --out"
                )
        return before.seed

    def count_tokens(self, cell: Cell) -> Usage:
        """Tokens that a cell has taken so far, in all starts."""
        run = self.run(cell)
        if not (run / "run.sqlite").is_file():
            return Usage(prompt=0, completion=0)
        with open_run(run) as connection:
            return tokens_of(connection)
