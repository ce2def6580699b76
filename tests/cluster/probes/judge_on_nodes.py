"""Two nodes judge a few samples of the demo; once both have joined, one loses its actor.

Prints one line of JSON: what each became and where, the notes of the run, and which processes of
kbx still live ten seconds after it.
"""

import json
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, sys.argv[1])

from _ray_nodes import Nodes, Seen

import kernelbenchx
from kernelbenchx import Evaluator, read_submissions

NAMES = ("gelu__always_tanh", "gelu__honest", "relu__assumes_contiguous", "relu__torch_only")
AFTER_S, JOINED_WITHIN_S = 10.0, 120.0


class Killer:
    """Kills an actor after the first verdict, once it may."""

    def __init__(self, nodes):
        self.cluster, self.notes = nodes, []
        self.may_kill = self.killed = False

    def wait_for_both(self):
        """An actor that is killed before it joined would not be lost."""
        ends = time.monotonic() + JOINED_WITHIN_S
        while sum("isolation" in words for words in self.notes) < 2 and time.monotonic() < ends:
            time.sleep(0.1)

    def begin(self, total, finished):
        pass

    def stage(self, submission, stage):
        pass

    def note(self, words):
        self.notes.append(words)

    def done(self, _evaluation):
        if self.may_kill and not self.killed:
            self.killed = self.cluster.kill("actor", random.Random(1))


def main():
    demo = Path(kernelbenchx.__file__).parent / "demo"
    found = read_submissions(*(demo / f"{name}.py" for name in NAMES))
    with Seen() as seen:
        nodes = Nodes(2)
        try:
            killer = Killer(nodes)
            here = "127.0.0.1:" + nodes.address.rpartition(":")[2]
            settings = {"device": "interpreter", "seed": 20_260_101}
            with Evaluator(engine="ray", address=here, **settings) as evaluator:
                list(evaluator.map(found.submissions[:1], watcher=killer))
                killer.wait_for_both()
                killer.may_kill = True
                results = list(evaluator.map(found, watcher=killer))
            left = seen.ours_after(AFTER_S)
        finally:
            nodes.close()
    rows = {one.submission: [one.verdict, one.placement.node] for one in results}
    said = {"rows": rows, "notes": killer.notes, "left": left, "killed": killer.killed}
    sys.stdout.write(json.dumps(said) + "\n")


main()
