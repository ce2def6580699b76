from pathlib import Path

from kernelbenchx.core.trial import Trial
from kernelbenchx.store.database import writing
from kernelbenchx.store.layout import RunFolder
from kernelbenchx.store.trials import KeptTrial


def test_the_first_trial_of_a_key_stays(tmp_path: Path) -> None:
    with writing(RunFolder(tmp_path)) as database:
        assert database.trial("k") is None
        for passed in (False, True):
            trial = Trial(passed=passed, detail="no")
            kept = KeptTrial(key="k", task="a/b", method="m", step="s", test="t", trial=trial)
            database.keep_trial(kept)
    with writing(RunFolder(tmp_path)) as database:
        assert database.trial("k") == Trial(passed=False, detail="no")
        rows = database.connection.execute("SELECT task, category, step, passed, test FROM trials")
        assert rows.fetchall() == [("b", "a", "s", 0, "t")]
