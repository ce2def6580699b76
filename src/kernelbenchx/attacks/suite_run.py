"""Sets a run of the suite up: limits, warm workers, the arena around them."""

from collections.abc import Callable, Sequence

from kernelbenchx.attacks.attack import Attack, Control
from kernelbenchx.attacks.redteam import Redteam
from kernelbenchx.attacks.remote import run_remotely
from kernelbenchx.attacks.results import RedteamReport, Result
from kernelbenchx.attacks.side_effects import SideEffectMonitor
from kernelbenchx.cluster.engine import EngineChoice
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.settings import Settings
from kernelbenchx.evaluate.watcher import Listener
from kernelbenchx.evaluator import Evaluator

MEMORY_BYTES, RESULT_BYTES = 2 << 30, 64 << 20


def against(  # noqa: PLR0913 - the options of one command
    *,
    attacks: Sequence[Attack],
    controls: Sequence[Control],
    checks: bool = True,
    isolation: str = "auto",
    device: str = "auto",
    stage: Stage = Stage.EXE,
    tell: Callable[[Result], None] = lambda _: None,
    engine: EngineChoice | None = None,
    listener: Listener | None = None,
) -> RedteamReport:
    """Everything tried against this installation, at one level, with or without source checks."""
    settings = _make_settings(device, isolation, stage, checks=checks)
    with Evaluator(settings, engine=engine or EngineChoice()) as evaluator:
        session = evaluator.session
        if listener is not None:
            session.expect((), listener)
        if session.remote is not None:
            return run_remotely(session.remote, attacks, controls, tell)
        with SideEffectMonitor() as arena:
            # The stages and their workers: processes are watched, canaries have other settings.
            return Redteam(session.pipeline, arena).run(attacks, controls, tell)


def _make_settings(device: str, isolation: str, stage: Stage, *, checks: bool) -> Settings:
    """Low limits on memory, since attacks go to them; where times are measured, the usual ones.

    Limits on time are the usual ones: a busy machine must not end a submission that would have
    ended by itself.
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
