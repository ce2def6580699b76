"""`--engine`: which machines judge. Ray is imported only when it is used."""

import importlib.metadata
import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager

from kernelbenchx.core.errors import BadInput
from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.record import Record
from kernelbenchx.core.settings import ResolvedSettings, Settings
from kernelbenchx.evaluate.engine import Engine
from kernelbenchx.evaluate.settings_resolution import resolve_settings
from kernelbenchx.runner.levels import Level

LOCAL, RAY = ENGINES = ("local", "ray")


class EngineChoice(Record, frozen=True, kw_only=True):
    """Which machines judge; never part of a key."""

    name: str = LOCAL
    address: str | None = None
    """The address of a Ray cluster; without one, Ray is started on this machine."""
    gpu: str = ""
    """The kind of GPU to use, as Ray names it; empty for any."""
    jobs: int | None = None
    """Most submissions at once on each node or GPU."""

    def __post_init__(self) -> None:
        if self.name not in ENGINES:
            raise BadInput(f"engine is {' or '.join(ENGINES)}, not {self.name!r}")
        if self.name == LOCAL and self.address:
            raise BadInput("an address needs `engine='ray'`")
        if self.name == LOCAL and self.gpu:
            raise BadInput(
                f"the kind of GPU {self.gpu!r} needs `engine='ray'`; on this machine "
                "CUDA_VISIBLE_DEVICES chooses GPUs, and `target` one to compile for"
            )


@contextmanager
def open_engine(choice: EngineChoice, wanted: Settings) -> Iterator[Engine | None]:
    """Open the engine; None if this machine judges. Unsupported settings are refused first."""
    if choice.name == LOCAL:
        yield None
        return
    require_ray()
    _require_possible(wanted)
    from kernelbenchx.cluster.ray_cluster import connect_cluster
    from kernelbenchx.cluster.ray_engine import RayEngine

    with connect_cluster(choice.address) as cluster:
        engine = RayEngine(cluster, choice.gpu, choice.jobs)
        try:
            yield engine
        finally:
            engine.close()


def resolve(wanted: Settings, engine: Engine | None) -> ResolvedSettings:
    """Resolve the settings for this machine, or the cluster."""
    return resolve_settings(wanted) if engine is None else engine.resolve(wanted)


def _require_possible(wanted: Settings) -> None:
    if wanted.stage is Stage.CHECK:
        raise BadInput("`stage='check'` runs nothing: leave out `engine='ray'`")
    if wanted.isolation == Level.L1:
        raise BadInput("`engine='ray'` needs isolation L2 or L3: at L1 submissions reach Ray")
    if wanted.gpus:
        raise BadInput("`engine='ray'` chooses GPUs itself: name a kind, not indices")


OLDEST = (2, 52)
"""The first version with token authentication."""


def require_ray() -> None:
    """Refuse in one line if Ray is missing or too old."""
    if importlib.util.find_spec("ray") is None:
        raise BadInput("`engine='ray'` needs the extra: pip install 'kernelbenchx[ray]'")
    said = importlib.metadata.version("ray")
    major, minor = said.split(".")[:2]
    if (int(major), int(minor)) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise BadInput(f"`engine='ray'` needs ray {oldest} or newer, this is {said}")
