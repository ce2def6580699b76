"""Sign certificates and trials again after a change that only moved or renamed code.

    python scripts/resign_certificates.py --since REV [--jobs 2] [--dry-run] [CATEGORY/NAME...]

Certificates and trials of automatic mutants carry a digest of the text of `spec`, the task, its
witness and `certify`. A new name changes the text and nothing that was shown. This program records
the fingerprints of each task whose digest changed, at REV in a checkout of its own and here (see
`scripts/task_fingerprints.py`). Where both are equal, and the certificate stood at REV, it gets the
digest of today. REV must contain `scripts/task_fingerprints.py`, or code with the names of today.

Fingerprints show what `spec` and tasks do, and which wrong answers there are. They don't show that
`certify` still runs and counts them as before, though its text is in every digest, and they run no
kernel. So a drawn tenth of the equal tasks is certified again by the certifier itself, with some of
its trials. The draw follows from the digests: another attempt draws the same tasks. If one of them
gets another grade, or a trial another end, nothing is signed.

Tasks whose fingerprint changed keep their old digest, so their certificates have lapsed: certify
them. Exit status 1: a task changed, or a drawn one differs. What was recorded and tried is cached.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernelbenchx import Evaluator, Settings, catalog
from kernelbenchx.catalog.certificates import PATH
from kernelbenchx.catalog.digests import certificate_digest, mutation_digest
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.certify.certifier import Certifier, LocalCertifier
from kernelbenchx.certify.mutation.engine import mutants
from kernelbenchx.certify.mutation.results import FOLDER, MutantTrial, ResultsFile
from kernelbenchx.certify.mutation.running import load_summary
from kernelbenchx.cli.engine import NodeNotes
from kernelbenchx.core.submission import Submission
from kernelbenchx.store.certificates import keep

ROOT = Path(__file__).resolve().parents[1]
RECORDER = Path("scripts") / "task_fingerprints.py"
CACHE = Path.home() / ".cache" / "kbx" / "resign"
SEEDS = 20
SHARE = 10
"""One of so many equal tasks is certified again."""
TRIALS = 3
"""So many trials of each drawn task are tried again."""

Recorded = dict[str, Any]
"""What the recorder says of one task: digests of its sources, and hashes by seed and part."""


@dataclass(frozen=True)
class Signed:
    """The digests that a task's certificate and trials carry; empty where there are none."""

    certificate: str
    trials: str

    def holds(self, recorded: Recorded) -> "Signed":
        """Those of a tree with these sources; the others had lapsed there."""
        return Signed(
            self.certificate if self.certificate == recorded["certificate"] else "",
            self.trials if self.trials == recorded["mutation"] else "",
        )

    def __bool__(self) -> bool:
        return bool(self.certificate or self.trials)


def read_signed(name: str, certificates: Path = PATH, folder: Path = FOLDER) -> Signed:
    """As the files stand."""
    known = json.loads(certificates.read_text(encoding="utf-8"))
    file = _trials_file(name, folder)
    head = json.loads(file.read_text("utf-8").partition("\n")[0]) if file.is_file() else {}
    return Signed(known.get(name, {}).get("digest", ""), head.get("digest", ""))


def _trials_file(name: str, folder: Path) -> Path:
    return ResultsFile.load(folder, name, "").path


def compare(before: Recorded, now: Recorded) -> list[str]:
    """The parts that differ, and the seeds where they do: nothing where both trees do the same."""
    found: dict[str, list[str]] = {}
    for seed in sorted({*before["seeds"], *now["seeds"]}, key=int):
        one, other = before["seeds"].get(seed, {}), now["seeds"].get(seed, {})
        for part in sorted({*one, *other}):
            if one.get(part) != other.get(part) or part == "error":
                found.setdefault(part, []).append(seed)
    if not now["seeds"]:
        return ["nothing was recorded"]
    return [f"{part} ({len(seeds)} seeds)" for part, seeds in found.items()]


def draw_again(names: Sequence[str], digests: Iterable[str]) -> list[str]:
    """A tenth, at least one; the same for the same trees."""
    text = "\0".join(digests).encode()
    count = -(-len(names) // SHARE)
    return sorted(random.Random(hashlib.sha256(text).digest()).sample(sorted(names), count))


def sign_certificates(path: Path, digests: dict[str, str]) -> None:
    """Replace the digests of these tasks and nothing else."""
    known = json.loads(path.read_text(encoding="utf-8"))
    for name, digest in digests.items():
        known[name]["digest"] = digest
    _replace(path, json.dumps(known, indent=1) + "\n")


def sign_trials(file: Path, digest: str) -> None:
    """Replace the first line."""
    _, _, trials = file.read_text(encoding="utf-8").partition("\n")
    _replace(file, json.dumps({"digest": digest}) + "\n" + trials)


def _replace(path: Path, text: str) -> None:
    fresh = path.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


@contextmanager
def checkout(revision: str) -> Iterator[Path]:
    """A clean tree of a revision, with the recorder of today where it has none."""
    with tempfile.TemporaryDirectory(prefix="kbx-resign-") as scratch:
        tree = Path(scratch) / "tree"
        git = ("git", "-C", str(ROOT), "worktree")
        added = [*git, "add", "--quiet", "--detach", str(tree), revision]
        if subprocess.run(added, check=False).returncode:
            raise SystemExit(f"cannot check out {revision}")
        try:
            if not (tree / RECORDER).is_file():
                shutil.copy(ROOT / RECORDER, tree / RECORDER)
            yield tree
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=False)


def record(tree: Path, names: Iterable[str], seeds: int, jobs: int, cache: Path) -> dict[str, Any]:
    """By the recorder of that tree, on the package of that tree."""
    with tempfile.TemporaryDirectory(prefix="kbx-resign-") as scratch:
        out = Path(scratch) / "fingerprints.json"
        command = [sys.executable, str(tree / RECORDER), "--out", str(out), "--cache", str(cache)]
        command += ["--seeds", str(seeds), "--jobs", str(jobs), *names]
        environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
        if subprocess.run(command, env=environment, check=False).returncode:
            raise SystemExit(f"{tree / RECORDER} failed: commit it before names change")
        found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    if Path(found["package"]) != tree / "src" / "kernelbenchx":
        raise SystemExit(f"{found['package']} was recorded, not {tree}")
    return found


def record_both(
    names: Sequence[str], signed: dict[str, Signed], revision: str, jobs: int, cache: Path
) -> tuple[dict[str, Recorded], dict[str, Recorded]]:
    """Tasks with something that stood at the revision, there and here."""
    with checkout(revision) as tree:
        stood = record(tree, names, 0, jobs, cache)["tasks"]
        wanted = [name for name in names if name in stood and signed[name].holds(stood[name])]
        if not wanted:
            return {}, {}
        print(f"recording {len(wanted)} tasks at {revision} and here", file=sys.stderr)
        before = record(tree, wanted, SEEDS, jobs, cache)
    now = record(ROOT, wanted, SEEDS, jobs, cache)
    if before["format"] != now["format"]:
        raise SystemExit(f"{RECORDER} hashes something else at {revision}: FORMAT differs")
    return before["tasks"], now["tasks"]


def try_again(
    names: Sequence[str], certifier: Certifier, signed: dict[str, Signed], notes: Path
) -> dict[str, str]:
    """What differs when each is certified again; empty where it doesn't. Results are noted."""
    known = _read_notes(notes)
    found = {}
    for name in names:
        digest = certificate_digest(name)
        if f"{name} {digest}" not in known:
            print(f"certifying {name} again", file=sys.stderr)
            found[name] = _differences(name, certifier, signed[name])
            if not found[name]:
                with notes.open("a", encoding="utf-8") as file:
                    file.write(f"{name} {digest}\n")
        else:
            found[name] = ""
    return found


def _read_notes(notes: Path) -> set[str]:
    return set(notes.read_text(encoding="utf-8").splitlines()) if notes.is_file() else set()


def _differences(name: str, certifier: Certifier, signed: Signed) -> str:
    with tempfile.TemporaryDirectory(prefix="kbx-resign-") as scratch:
        folder = Path(scratch)
        trials: list[MutantTrial] = []
        if signed.trials:
            shutil.copy(_trials_file(name, FOLDER), folder)
            sign_trials(_trials_file(name, folder), mutation_digest(name))
            results = ResultsFile.load(folder, name, mutation_digest(name))
            trials = list(results.trials.values())
        found = _certify_again(name, certifier, folder) if signed.certificate else []
    return "; ".join([*found, *_try_trials(name, certifier.catch_with, trials)])


def _certify_again(name: str, certifier: Certifier, folder: Path) -> list[str]:
    kept = folder / "certificates.json"
    found: Any
    if facts(name).problem is not None:
        found = certifier.certify_problem(name)
    else:
        found = certifier.certify(name)
        if _trials_file(name, folder).is_file():
            found = found.with_mutation(load_summary(name, folder))
    keep(kept, [found])
    again = json.loads(kept.read_text(encoding="utf-8")).get(name)
    if again is None:
        return [f"is not certified: {'; '.join(found.problems) or 'by its mutants'}"]
    before = json.loads(PATH.read_text(encoding="utf-8"))[name]
    fields = ("grade", "mutants", "sabotages")
    return [
        f"{field} {before.get(field)} became {again.get(field)}"
        for field in fields
        if before.get(field) != again.get(field)
    ]


def _try_trials(
    name: str,
    catch_with: Callable[[int], Callable[[Submission], Any]],
    trials: Sequence[MutantTrial],
) -> list[str]:
    chance = random.Random(certificate_digest(name))
    chosen = chance.sample(trials, min(TRIALS, len(trials)))
    sources = (
        {one.description: one.source for one in mutants(witness_source(name))} if chosen else {}
    )
    found = []
    for trial in chosen:
        wrong = Submission(name="mutant", task=name, source=sources[trial.mutant])
        catch = catch_with(trial.seed)(wrong)
        end = (bool(catch), bool(catch and catch.corner))
        if end != (bool(trial.by), trial.corner):
            words = f"caught by {catch.by}" if catch else "not caught"
            found.append(f"seed {trial.seed}, {trial.mutant}: {words}, was {trial.by or 'alive'}")
    return found


def sign(names: Iterable[str], signed: dict[str, Signed]) -> None:
    """Write the digests of today into what stood at the revision."""
    names = list(names)
    certified = [name for name in names if signed[name].certificate]
    sign_certificates(PATH, {name: certificate_digest(name) for name in certified})
    for name in names:
        if signed[name].trials:
            sign_trials(_trials_file(name, FOLDER), mutation_digest(name))


def _certify_drawn(
    drawn: Sequence[str], stood: dict[str, Signed], jobs: int, cache: Path
) -> dict[str, str]:
    with Evaluator(Settings(device="interpreter", jobs=jobs)) as evaluator:
        evaluator.session.expect((), NodeNotes())
        certifier = LocalCertifier(evaluator.session.pipeline)
        return try_again(drawn, certifier, stood, cache / "tried.txt")


def run(names: Sequence[str], revision: str, jobs: int, cache: Path, *, write: bool) -> int:
    """Compare, try, sign and print."""
    signed = {name: read_signed(name) for name in names}
    today = {name: Signed(certificate_digest(name), mutation_digest(name)) for name in names}
    lapsed = [
        name
        for name, one in signed.items()
        if one.certificate not in ("", today[name].certificate)
        or one.trials not in ("", today[name].trials)
    ]
    if not lapsed:
        print("nothing has lapsed")
        return 0
    before, now = record_both(lapsed, signed, revision, jobs, cache)
    stood = {name: signed[name].holds(before[name]) for name in before}
    changed = {name: parts for name in before if (parts := compare(before[name], now[name]))}
    equal = [name for name in before if name not in changed]
    drawn = draw_again(equal, [today[name].certificate for name in equal]) if equal else []
    tried = _certify_drawn(drawn, stood, jobs, cache) if drawn else {}
    _print_table(lapsed, changed, equal, tried)
    differ = any(tried.values())
    if write and not differ:
        sign(equal, stood)
    print(f"{len(equal)} equal, {len(changed)} changed, {len(lapsed) - len(before)} lapsed before;")
    verb = "nothing signed" if differ or not write else f"{len(equal)} signed"
    print(f"{len(tried)} certified again, {sum(map(bool, tried.values()))} differ; {verb}")
    return 1 if differ or changed else 0


def _print_table(
    lapsed: Iterable[str], changed: dict[str, list[str]], equal: list[str], tried: dict[str, str]
) -> None:
    print("task | fingerprint | certified again")
    for name in lapsed:
        words = "equal" if name in equal else "lapsed before"
        if name in changed:
            words = f"changed: {', '.join(changed[name])}"
        again = (tried[name] or "the same") if name in tried else ""
        print(f"{name} | {words} | {again}")


def main() -> None:
    """The command."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("names", nargs="*", help="all tasks of the catalogue without one")
    parser.add_argument("--since", required=True, metavar="REV", help="where certificates stood")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--dry-run", action="store_true", help="print, and write nothing")
    given = parser.parse_args()
    names = given.names or [*json.loads(PATH.read_text(encoding="utf-8")), *catalog.names()]
    own = [name for name in dict.fromkeys(names) if catalog.path_of(name).is_file()]
    own = [name for name in own if not catalog.is_added(name)]
    given.cache.mkdir(parents=True, exist_ok=True)
    raise SystemExit(run(own, given.since, given.jobs, given.cache, write=not given.dry_run))


if __name__ == "__main__":
    main()
