"""A simulated study as attempts, one after another, in the form that the analysis reads."""

from typing import Any

from kernelbenchx.analysis.attempt import Attempt, Speed
from kernelbenchx.analysis.frame import AttemptFrame, frame_of
from kernelbenchx.core.grades import Grade


class Study:
    """Attempts of one run; every one is its own submission."""

    def __init__(self) -> None:
        self.attempts: list[Attempt] = []

    def add(
        self,
        task: int,
        *,
        right: bool = True,
        runs: bool = True,
        over: float | None = None,
        **more: Any,
    ) -> None:
        """An attempt that is right, wrong or broken; with a speedup it is timed."""
        name = str(len(self.attempts))
        digest, category = more.pop("digest", name), more.pop("category", "Math")
        times: dict[str, Any] = {}
        if over is not None and right:
            speed = Speed(speedup=over, low=over, high=over, speed_class="undecided")
            times = {"performance": "timed", "eager": speed}
        given: dict[str, Any] = {"method": "m", "gpu": "GPU", "round": 0, "sample": 0, **more}
        self.attempts.append(
            Attempt(
                run="planted",
                key=name,
                submission=digest,
                task=f"{category.lower()}/t{task}",
                category=category,
                model="model",
                digest=digest,
                difficulty=1,
                dtypes=(),
                device="cuda",
                outcome="correct" if right else "wrong" if runs else "broken",
                reason="",
                stage="perf" if right else "exe" if runs else "call",
                composition="pure",
                provisional=False,
                isolation="",
                grade=Grade.CERTIFIED,
                **given,
                **times,
            )
        )

    def frame(self) -> AttemptFrame:
        """As the analysis sees it."""
        return frame_of(self.attempts)
