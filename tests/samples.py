"""Small records that several tests need."""

from kernelbenchx.core.environment import Environment, Isolation
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Composition, Correct, Outcome, Stage
from kernelbenchx.core.submission import Origin


def evaluation(name: str = "one", outcome: Outcome | None = None) -> Evaluation:
    return Evaluation(
        submission=name,
        task="activation/relu",
        digest="d" * 64,
        origin=Origin(),
        outcome=outcome or Correct(cases=4, worst=0.5),
        composition=Composition.PURE,
        stage=Stage.EXE,
        provisional=True,
        device="interpreter",
        isolation=Isolation(level="L3"),
        checks=True,
        seed=5,
        seconds=0.25,
        environment=Environment(
            harness="0", python="3.11", torch="2.13", triton="3.7.1", machine="here"
        ),
    )
