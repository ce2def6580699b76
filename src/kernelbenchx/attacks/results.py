"""Results of attacks and controls, one by one and all together."""

from dataclasses import dataclass, field

from kernelbenchx.core.environment import Environment


@dataclass(frozen=True, kw_only=True)
class Result:
    """The result of one attack or control."""

    name: str
    ident: str
    """The class of an attack; empty for a control."""
    what: str
    expected: str
    got: str
    stopped_by: str
    """The rule, limit or reason that ended it."""
    level: str
    """The lowest level that is said to stop it; empty for a control."""
    ok: bool
    """It got what its file says, harmed nothing, and later submissions were judged correctly."""
    contained: bool
    """Its file promises that it is stopped at the level at hand."""
    problems: tuple[str, ...] = ()
    """What it got or did beyond what its file says."""
    performance: str = ""
    """The state of its times, where times were requested and it was correct."""
    tier: str = ""
    """How its times were obtained, where it has some."""
    speedup: float | None = None
    """Over eager by device time, where it has times."""
    expected_performance: str = ""


@dataclass(kw_only=True)
class RedteamReport:
    """All results of a run, and the setting that they hold for."""

    level: str
    missing: tuple[str, ...] = ()
    """Protections of this level that the machine could not give."""
    environment: Environment
    checks: bool
    """Whether the source checks were on."""
    attacks: list[Result] = field(default_factory=list)
    controls: list[Result] = field(default_factory=list)

    @property
    def through(self) -> list[Result]:
        """Attacks that got or did something although their file says that this level stops them."""
        return [one for one in self.attacks if one.contained and not one.ok]

    @property
    def beyond(self) -> list[Result]:
        """Attacks that only a higher level stops."""
        return [one for one in self.attacks if not one.contained]

    @property
    def stopped(self) -> list[Result]:
        return [one for one in self.attacks if one.contained and one.ok]

    @property
    def held(self) -> bool:
        """Nothing got through and every control passed."""
        return not self.through and all(one.ok for one in self.controls)
