"""The turn of a submission in an actor: the driver has the slots, and says which turns give way."""

from collections.abc import Callable

from kernelbenchx.evaluate.slot_scheduler import Turn


class DriverSlots:
    """Stands in for the slots that the driver holds; says what it was told of them last."""

    def __init__(self, say_long: Callable[[str], None]) -> None:
        self.waiting = False
        self._say_long = say_long

    def others_wait(self) -> bool:
        """Whether a submission waited when the driver last looked."""
        return self.waiting

    def note_long(self, turn: Turn) -> None:
        """Tell the driver, which decides."""
        if isinstance(turn, RemoteTurn):
            self._say_long(turn.job)


class RemoteTurn(Turn):
    """One submission in an actor, under the driver's name for the job."""

    def __init__(self, job: str) -> None:
        super().__init__()
        self.job = job

    def take_over(self, seconds: float, *, was_put_off: bool) -> None:
        """Go on where another actor left off, unless this one did more itself."""
        self.was_put_off = self.was_put_off or was_put_off
        self.seconds = max(self.seconds, seconds)
