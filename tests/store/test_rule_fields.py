"""What the papers' rules say, as the analysis reads it of a run."""

from pathlib import Path

import msgspec

from kernelbenchx.core.outcome import Reason, Wrong
from kernelbenchx.core.rules import Rules, make_unknown_rule
from kernelbenchx.store.attempts import read_attempts
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from ruled import LOOSE, UNKNOWN, by_kernelbench, by_kernelbenchx
from samples import evaluation

WRONG = Wrong(case="c", reason=Reason.BAD_VALUES, detail="off")


def test_what_the_papers_rules_say_and_why_it_is_unknown(tmp_path: Path) -> None:
    wrong = evaluation(outcome=WRONG)
    given = {
        "a": by_kernelbench(LOOSE),
        "b": Rules(kernelbench=make_unknown_rule("no memory left")),
        "c": by_kernelbenchx(called=True, correct=False, infeasible="texts of errors"),
        "d": None,
    }
    with writing(RunFolder(tmp_path)) as database:
        for key, rules in given.items():
            one = msgspec.structs.replace(wrong, submission=key, rules=rules)
            database.append(key, one, key)
    found = {one.submission: one for one in read_attempts([tmp_path])}
    theirs = {key: (one.passes_1e_2, one.passes_1e_4) for key, one in found.items()}
    assert theirs == {"a": LOOSE, **dict.fromkeys("bcd", UNKNOWN)}
    assert {key: one.rule_unknown for key, one in found.items() if one.rule_unknown} == {
        "b": "no memory left"
    }
    ours = {key: (one.paper_called, one.paper_correct) for key, one in found.items()}
    assert ours == {"c": (True, False), **dict.fromkeys("abd", (None, None))}
    assert found["c"].paper_infeasible == "texts of errors"
    assert {one.outcome for one in found.values()} == {"wrong"}
