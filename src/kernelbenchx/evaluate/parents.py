"""The warm parents that a device needs: started beside everything else, without torch here."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from kernelbenchx.core.outcome import Stage
from kernelbenchx.core.settings import Settings
from kernelbenchx.runner.levels import Isolation
from kernelbenchx.runner.parent import MOST_CHILDREN
from kernelbenchx.runner.zygote import Zygote


@contextmanager
def warm_parents(settings: Settings, isolation: Isolation) -> Iterator[dict[str, Zygote]]:
    """One for each way of running, ended afterwards; on a card everyone will need it at once."""
    modes = ("interpret", "compile") if settings.device == "interpreter" else ("ahead", "cuda")
    with ExitStack() as stack:
        # Timed submissions wait for the card with their processes warm.
        jobs = MOST_CHILDREN if settings.stage is Stage.PERF else settings.jobs
        zygotes = {mode: Zygote(mode, isolation, jobs=jobs) for mode in modes}
        for zygote in zygotes.values():
            stack.push(zygote)  # started by its first order unless it is started now, ended here
        for zygote in zygotes.values() if settings.device == "cuda" else ():
            started = threading.Thread(target=zygote.start_parent, daemon=True)
            started.start()
            stack.callback(started.join)
        yield zygotes
