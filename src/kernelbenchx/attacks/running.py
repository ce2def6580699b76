"""Sets a run of the suite up: limits, warm workers, the arena around them."""

from collections.abc import Callable, Sequence

from kernelbenchx.attacks.arena import Arena
from kernelbenchx.attacks.attack import Attack, Control
from kernelbenchx.attacks.redteam import Redteam
from kernelbenchx.attacks.results import Report, Result
from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.settings import Settings
from kernelbenchx.evaluate.session import Session, resolved

MEMORY_BYTES, RESULT_BYTES = 1 << 30, 64 << 20


def against(  # noqa: PLR0913 - the options of one command
    *,
    attacks: Sequence[Attack],
    controls: Sequence[Control],
    checks: bool = True,
    isolation: str = "auto",
    device: str = "auto",
    stage: Stage = Stage.EXE,
    tell: Callable[[Result], None] = lambda _: None,
) -> Report:
    """Everything tried against this installation, at one level, with or without source checks."""
    settings = resolved(_wanted(device, isolation, stage, checks=checks))
    if stage is Stage.PERF and settings.device != "cuda":
        raise BadInput("--stage perf needs a CUDA GPU, and torch finds none")
    with Session(settings) as session, Arena() as arena:
        return Redteam(session.pipeline, arena).run(attacks, controls, tell)


def _wanted(device: str, isolation: str, stage: Stage, *, checks: bool) -> Settings:
    """Low limits on memory, since attacks go to them; where times are measured, the usual ones.

    Limits on time are the usual ones: a busy machine must not end who would have ended by itself.
    """
    if stage is Stage.PERF:
        return Settings(device=device, isolation=isolation, stage=stage, checks=checks)
    return Settings(
        device=device,
        isolation=isolation,
        stage=stage,
        checks=checks,
        jobs=2,
        memory_bytes=MEMORY_BYTES,
        output_bytes=RESULT_BYTES,
    )
