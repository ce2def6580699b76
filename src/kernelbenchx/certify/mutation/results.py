"""What became of each mutant in each run, in a file per task that can be continued."""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "results"
"""Shipped results: `<category>.<name>.jsonl`."""


@dataclass(frozen=True)
class MutantTrial:
    """One mutant under one seed."""

    mutant: str
    """Its description."""
    seed: int
    by: str
    """What caught it; empty if it lived."""
    corner: bool = False


@dataclass
class ResultsFile:
    """The trials of one task. Each is on disk before the next begins."""

    path: Path
    digest: str
    trials: dict[tuple[str, int], MutantTrial] = field(default_factory=dict)

    @classmethod
    def load(cls, folder: Path, task: str, digest: str) -> "ResultsFile":
        """What is known of the task as it stands; results of an older state are dropped."""
        path = folder / f"{task.replace('/', '.')}.jsonl"
        found = cls(path, digest)
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        if lines and _parse_line(lines[0]).get("digest") == digest:
            for line in map(_parse_line, lines[1:]):
                if line:  # the last one may have been cut by a kill
                    trial = MutantTrial(**line)
                    found.trials[trial.mutant, trial.seed] = trial
        return found

    def begin(self) -> None:
        """Write what is known, so that a cut line or an older state does not stay."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps({"digest": self.digest}), *map(_line, self.trials.values())]
        fresh = self.path.with_suffix(".new")
        fresh.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        fresh.replace(self.path)

    def add(self, trial: MutantTrial) -> None:
        """Keep one more."""
        self.trials[trial.mutant, trial.seed] = trial
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{_line(trial)}\n")
            file.flush()
            os.fsync(file.fileno())


def _line(trial: MutantTrial) -> str:
    return json.dumps(trial.__dict__, sort_keys=True)


def _parse_line(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
