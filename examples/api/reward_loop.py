"""A reward loop: replies of a model in, a reward for each out, the void ones left out.

`Model` stands in for the policy that you train. Everything else is what a trainer needs.
"""

from collections.abc import Sequence
from statistics import fmean

import kernelbenchx as kbx

TASKS = ("relu",)
DEADLINE_S = 300.0


class Model:
    """Replies with a kernel that is right, one that is wrong, and with no kernel at all."""

    def write(self, prompt: str, task: kbx.TaskInfo) -> list[str]:
        """As many samples for one prompt."""
        wrong = task.witness.replace("v < 0.0", "v > 0.0")
        code = [f"```python\n{source}```" for source in (task.witness, wrong)]
        return [*code, f"I am sorry, {prompt.splitlines()[0][2:]} is too hard."]

    def learn(self, replies: Sequence[str], advantages: Sequence[float | None]) -> None:
        """A gradient step; `None` is a sample to leave out."""


def main() -> None:
    """One pass over the tasks; the workers stay warm in between."""
    model = Model()
    with kbx.Evaluator(device="interpreter", jobs=2) as evaluator:
        for task in kbx.tasks(*TASKS):
            replies = model.write(task.statement, task)
            results = evaluator.map(replies, task=task, deadline_s=DEADLINE_S)
            rewards = [kbx.reward(result).value for result in results]
            model.learn(replies, relative_to_mean(rewards))
            shown = ", ".join("none" if one is None else f"{one:.2f}" for one in rewards)
            print(f"{task.name}: {shown}")


def relative_to_mean(rewards: Sequence[float | None]) -> list[float | None]:
    """Advantages within a group. A void result says nothing about its kernel: it stays `None`."""
    known = [one for one in rewards if one is not None]
    mean = fmean(known) if known else 0.0
    return [None if one is None else one - mean for one in rewards]


if __name__ == "__main__":
    main()
