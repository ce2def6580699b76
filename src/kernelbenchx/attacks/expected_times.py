"""What the file of an attack on the clock says about the times that it may get."""

from dataclasses import dataclass

from kernelbenchx.attacks.attack_header import BrokenAttack, one_of, several_of
from kernelbenchx.core.outcome import Reason

FIELDS = frozenset({"perf", "perf-no-checks", "reason", "gains", "flag", "aftermath"})
PERFORMANCES = ("failed", "timed", "unmeasured")
NO_GAIN, QUICKER_CALLS = "no", "calls"


@dataclass(frozen=True, kw_only=True)
class ExpectedTimes:
    """The times that a correct attack may get."""

    checks: frozenset[str] = frozenset()
    """Performances it may get with the source checks on; none where it cannot be correct."""
    no_checks: frozenset[str] = frozenset()
    """Performances it may get with the source checks off."""
    reasons: frozenset[str] = frozenset()
    """Why it may fail or stay unmeasured; empty where any reason will do."""
    quicker_calls: bool = False
    """Its call time may honestly be lower; its device time must not be."""
    flag: str = ""
    """What a flag must say where it is timed; empty where nothing could show what it did."""
    aftermath: bool = False
    """The honest control is timed again after it, and must be as fast as before."""

    def allowed_performances(self, *, checks: bool) -> frozenset[str]:
        """The performances that it may get."""
        return self.checks if checks else self.no_checks


def read_times(
    name: str, fields: dict[str, str], *, may_pass: bool, may_pass_unchecked: bool
) -> ExpectedTimes:
    """Times an attack may get; only an attack that may be correct has them."""
    checks = _performances(name, fields, "perf", wanted=may_pass)
    no_checks = _performances(name, fields, "perf-no-checks", wanted=may_pass_unchecked)
    gains = fields.get("gains")
    if gains is not None:
        one_of(name, gains, (NO_GAIN, QUICKER_CALLS))
    if ("timed" in checks | no_checks) != (gains is not None):
        raise BrokenAttack(f"{name}: `gains` stands where it may be timed, and only there")
    if "flag" in fields and gains is None:
        raise BrokenAttack(f"{name}: `flag` stands only where it may be timed")
    known = tuple(reason.value for reason in Reason)
    return ExpectedTimes(
        checks=checks,
        no_checks=no_checks,
        reasons=several_of(name, fields["reason"], known) if "reason" in fields else frozenset(),
        quicker_calls=gains == QUICKER_CALLS,
        flag=fields.get("flag", ""),
        aftermath=one_of(name, fields.get("aftermath", "no"), ("yes", "no")) == "yes",
    )


def _performances(name: str, fields: dict[str, str], key: str, *, wanted: bool) -> frozenset[str]:
    if (key in fields) != wanted:
        said = "may be correct, but with which times?" if wanted else "is never timed"
        raise BrokenAttack(f"{name}: {said} ({key})")
    return several_of(name, fields[key], PERFORMANCES) if wanted else frozenset()
