"""The turn of a submission in an actor: the driver decides which turns give way."""

from collections.abc import Callable

from kernelbenchx.evaluate.slot_scheduler import Turn


class DriverSlots:
    """Stands in for the slots that the driver holds, with the latest state that it sent."""

    def __init__(self, say_long: Callable[[str], None]) -> None:
        self.waiting = False
        self._say_long = say_long

    def others_wait(self) -> bool:
        """Whether a submission waited at the driver's last update."""
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
        """Continue where another actor stopped, unless this one did more itself."""
        self.was_put_off = self.was_put_off or was_put_off
        self.seconds = max(self.seconds, seconds)
