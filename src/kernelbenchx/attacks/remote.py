"""Tries attacks and controls in the actors of a cluster."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from kernelbenchx.attacks.attack import Attack, Control
from kernelbenchx.attacks.batches import batches, tried_controls
from kernelbenchx.attacks.redteam import Redteam
from kernelbenchx.attacks.results import RedteamReport, Result
from kernelbenchx.attacks.side_effects import SideEffectMonitor
from kernelbenchx.cluster.operations import JobContext
from kernelbenchx.core.record import Record, from_json, to_json
from kernelbenchx.evaluate.engine import RemoteJudge

_OPERATION = "kernelbenchx.attacks.remote:try_there"


class BatchRequest(Record, frozen=True, kw_only=True):
    """What one actor tries in a row."""

    attacks: tuple[Attack, ...] = ()
    controls: tuple[Control, ...] = ()


def run_remotely(
    judge: RemoteJudge,
    attacks: Sequence[Attack],
    controls: Sequence[Control],
    tell: Callable[[Result], None],
) -> RedteamReport:
    """Batches side by side on different nodes; on one machine one waits for the other."""
    ground = judge.provenance
    settings, level = ground.settings, ground.isolation.level.value
    report = RedteamReport(
        level=level,
        missing=ground.isolation.missing,
        environment=ground.environment,
        checks=settings.checks,
    )
    wanted = [BatchRequest(attacks=tuple(one)) for one in batches(attacks, settings.device, level)]
    wanted += [BatchRequest(controls=(one,)) for one in tried_controls(controls, settings)]

    def try_batch(request: BatchRequest) -> list[Result]:
        return from_json(judge.call(_OPERATION, to_json(request)), list[Result])

    with ThreadPoolExecutor(judge.slots) as pool:
        for request, results in zip(wanted, pool.map(try_batch, wanted), strict=True):
            (report.attacks if request.attacks else report.controls).extend(results)
            for result in results:
                tell(result)
    return report


def try_there(context: JobContext, request: bytes) -> bytes:
    """On a node: a batch, watched there as on this machine."""
    wanted = from_json(request, BatchRequest)
    with SideEffectMonitor() as arena:
        redteam = Redteam(context.pipeline, arena)
        results = redteam.attack(wanted.attacks)
        results += [redteam.control(one) for one in wanted.controls]
    return to_json(results)
