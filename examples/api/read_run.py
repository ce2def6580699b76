"""Keep results in a run folder, and read them again as records, rows and a table.

python examples/api/read_run.py [FOLDER]
"""

import sys
import tempfile
from pathlib import Path

import kernelbenchx as kbx

SUBMISSIONS = Path(__file__).parents[1] / "submissions"


def main(out: Path) -> None:
    """Check the sources of the sample kernels; what was judged before is read, not judged again."""
    found = kbx.read_submissions(SUBMISSIONS)
    with kbx.Evaluator(device="interpreter", stage="check", out=out) as evaluator:
        print(len(list(evaluator.map(found))), "judged")

    run = kbx.load_run(out)
    for result in run.results:
        if isinstance(result.outcome, kbx.Rejected):
            print(result.submission, result.outcome.findings[0].rule)
    print(run.query("select outcome, count(*) as n from evaluations group by outcome"))
    print(run.to_arrow().num_rows, "rows")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(Path(*sys.argv[1:2] or [folder]) / "run")
