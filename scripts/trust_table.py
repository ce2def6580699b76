"""Prints the tables of docs/explanation/trust.md from the files of the attack suite."""

from kernelbenchx.attacks.attack import Attack, attacks, timing_attacks
from kernelbenchx.attacks.omitted_classes import OMITTED

_WHO = {
    "rejected": "evidence: trace or ablation",
    "broken": "worker: refused, or ended by a limit",
    "wrong": "judge: compared with the truth",
    "correct": "evidence: reported as mixed, counted apart",
}

_TIME = {
    "failed": "no time: an answer of a timed call is wrong, old or late",
    "timed": "timed, no faster than an honest kernel",
    "unmeasured": "unmeasured",
}


def suite() -> list[str]:
    """One row per attack."""
    head = "| class | attack | tries | with the checks | without them | what stops it then | from |"
    rule = "|---|---|---|---|---|---|---|"
    return [head, rule, *map(_row, attacks())]


def timing() -> list[str]:
    """One row per attack on the clock."""
    head = "| class | attack | tries | with the checks | without them | its time then |"
    return [head, "|---|---|---|---|---|---|", *map(_timing_row, timing_attacks())]


def omitted() -> list[str]:
    """One row per class that is left out."""
    rows = [f"| {ident} | {why} |" for ident, why in OMITTED.items()]
    return ["| class | reason |", "|---|---|", *rows]


def beyond(level: str) -> list[str]:
    """Attacks that only a higher level stops."""
    return [f"- `{one.name}`: {_lower(one.what)}" for one in attacks() if one.level > level]


def _row(one: Attack) -> str:
    who = "; ".join(_WHO[outcome] for outcome in sorted(one.no_checks))
    with_checks, without = (" or ".join(sorted(kinds)) for kinds in (one.checks, one.no_checks))
    cells = (one.ident, f"`{one.name}`", one.what, with_checks, without, who, one.level)
    return f"| {' | '.join(cells)} |"


def _timing_row(one: Attack) -> str:
    assert one.times is not None
    said = _TIME | ({"timed": f"{_TIME['timed']}, and named by a flag"} if one.times.flag else {})
    times = "; or ".join(said[kind] for kind in sorted(one.times.no_checks))
    with_checks, without = (" or ".join(sorted(kinds)) for kinds in (one.checks, one.no_checks))
    return f"| {one.ident} | `{one.name}` | {one.what} | {with_checks} | {without} | {times} |"


def _lower(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]


def main() -> None:
    for title, lines in (
        ("suite", suite()),
        ("timing", timing()),
        ("omitted", omitted()),
        ("beyond L1", beyond("L1")),
    ):
        print(f"<!-- {title} -->", *lines, f"<!-- /{title} -->", sep="\n", end="\n\n")


if __name__ == "__main__":
    main()
