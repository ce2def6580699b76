"""How often verdicts on the papers' claims are wrong, on simulated studies with a planted truth.

    python benchmarks/planted_claims.py [--seeds 100]

For each claim studies are drawn in which its value is known. No effect: it lies on the threshold,
so the claim is false by as little as possible. Other side: beyond the threshold by as much as the
printed number is on this side. As printed: true, with the paper's n. Twice: the distance from the
threshold is doubled and there are four times as many tasks. The studies go through
`kernelbenchx.analysis.claims`, as those of `kbx analyze claims` do.
"""

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import _planted_reach as reach
import _planted_studies as studies
import numpy as np
from numpy.random import Generator

from kernelbenchx.analysis.claim_findings import ClaimFinding, ClaimVerdict

FALSE, TRUE, TWICE = 0.05, 0.05, 0.90
"""At most so many false claims hold, true ones fail; at least so many planted twice hold."""
KINDS = ("no effect", "other side", "as printed", "twice, n x 4")


@dataclass(frozen=True)
class Planted:
    """A claim, the value it has in each kind of world, and how a study with it is drawn."""

    claim: str
    values: tuple[float, float, float, float]
    """In the order of `KINDS`."""
    n: str
    draw: Callable[[Generator, float, int], Sequence[ClaimFinding]]
    """From the value and how many times the paper's n."""
    assumed: bool = False
    """The paper prints no number: the effect is made up."""

    def verdict(self, rng: Generator, kind: int) -> ClaimVerdict:
        """Of one study; of several rows of a claim the first is the whole."""
        scale = 4 if kind == len(KINDS) - 1 else 1
        found = self.draw(rng, self.values[kind], scale)
        return next(one.verdict for one in found if one.claim == self.claim)


def both_sides(border: float, printed: float) -> tuple[float, float, float, float]:
    """On the threshold, beyond it, as printed, and twice as far."""
    return border, 2 * border - printed, printed, 2 * printed - border


def by_factor(border: float, printed: float) -> tuple[float, float, float, float]:
    """The same of ratios."""
    return border, border**2 / printed, printed, printed**2 / border


G, GE, GEP = (f"refine feedback={kind}" for kind in ("G", "G+E", "G+E+P"))
FEW, MANY = "one_shot examples=1", "one_shot examples=4"
UNTOLD, TOLD = "one_shot hardware=none", "one_shot hardware=H200"

CLAIMS = (
    Planted("category_over_method", (0.0, -0.025, 0.061, 0.122), "176 tasks x 4", studies.deviance),
    Planted("fusion_unsolved", both_sides(0.5, 43 / 60), "60 tasks x 4", studies.fusion),
    Planted("quantization_zero", (0.2, 0.4, 0.0, 0.0), "6 tasks x 5", studies.quantization),
    Planted("compile_not_correct", both_sides(0.5, 0.415), "342 kernels", studies.conversion),
    Planted("slower_than_eager", both_sides(1 / 3, 0.466), "142 kernels", studies.slow),
    Planted("refinement_repairs", both_sides(0.0, 0.125), "176 tasks", studies.repairs),
    Planted("refinement_no_speedup", by_factor(1.05, 1.004), "46 kernels", studies.falling),
    Planted("rescued_slower", by_factor(1.0, 0.733), "15 and 32 kernels", studies.rescue),
    Planted("portability", by_factor(1.5, 2.15), "142 kernels x 6", studies.gpus),
    Planted("under_20_percent", both_sides(0.2, 0.16), "250 problems", studies.one_attempt),
    Planted("gain_by_samples", (0.05, 0.0, 0.33, 0.61), "100 problems x 10", studies.samples),
    Planted("gain_by_turns", (0.05, 0.0, 0.31, 0.57), "100 problems x 10", studies.turns),
    Planted(
        "gain_by_execution_feedback", both_sides(0.0, 0.18), "250 problems",
        partial(studies.choice, G, GE, 0.256),
    ),
    Planted(
        "gain_by_profile", both_sides(0.0, 0.06), "250 problems",
        partial(studies.choice, GE, GEP, 0.436),
    ),
    Planted(
        "examples_do_not_help", both_sides(0.0, -0.05), "250 problems",
        partial(studies.choice, FEW, MANY, 0.16), assumed=True,
    ),
    Planted(
        "hardware_facts_help_little", both_sides(0.05, 0.0), "250 problems",
        partial(studies.choice, UNTOLD, TOLD, 0.16), assumed=True,
    ),
    Planted(
        "memory_over_compute", by_factor(1.0, 1.25), "90 and 30 tasks", studies.bound, assumed=True
    ),
    Planted("math_solved", both_sides(0.5, 0.7), "36 tasks", reach.math, assumed=True),
    Planted("portability_worst", by_factor(10.0, 21.4), "142 kernels x 6", reach.worst),
    Planted(
        "correct_within_turns", both_sides(0.9, 0.95), "250 problems x 10", reach.turns,
        assumed=True,
    ),
    Planted("wall_of_samples", (0.1, 0.02, 0.34, 0.58), "100 problems x 100", reach.samples),
)  # fmt: skip


Tally = dict[tuple[str, str], Counter[ClaimVerdict]]
"""By claim and kind of world."""


def tally(seeds: int, claims: Sequence[Planted] = CLAIMS) -> Tally:
    """Verdicts of so many studies for each claim and kind."""
    found: Tally = {}
    for number, one in enumerate(claims):
        for at, kind in enumerate(KINDS):
            found[one.claim, kind] = Counter(
                one.verdict(np.random.default_rng([number, at, seed]), at) for seed in range(seeds)
            )
    return found


def pooled(found: Tally, kinds: Sequence[str], verdict: ClaimVerdict) -> float:
    """The share of a verdict in these kinds, over all claims."""
    own = [count for (_, kind), count in found.items() if kind in kinds]
    return sum(one[verdict] for one in own) / sum(one.total() for one in own)


HEADS = (
    "claim",
    "paper's n",
    "false, no effect: holds",
    "false, other side: holds",
    "true, as printed: fails",
    "true, as printed: holds",
    "twice, n x 4: holds",
)


def decline(seeds: int) -> str:
    """Whether the mean falls where no persistent kernel becomes slower."""
    means = []
    for seed in range(seeds):
        study = studies.declining(np.random.default_rng(seed), 1.0, 1)
        speeds = [(one.round, one.eager.speedup) for one in study.attempts if one.eager]
        means.append([np.mean([over for at, over in speeds if at == wanted]) for wanted in (0, 1)])
    before, after = np.mean(means, axis=0)
    return (
        f"decline by composition only: the mean speedup falls from {before:.2f}x to {after:.2f}x; "
        "no persistent kernel becomes slower"
    )


def lines(found: Tally) -> Iterator[str]:
    """What is printed."""
    yield f"| {' | '.join(HEADS)} |"
    yield f"|{'---|' * len(HEADS)}"
    for one in CLAIMS:
        nothing, other, printed, twice = (found[one.claim, kind] for kind in KINDS)
        cells = (
            _share(nothing, ClaimVerdict.HOLDS), _share(other, ClaimVerdict.HOLDS),
            _share(printed, ClaimVerdict.FAILS), _share(printed, ClaimVerdict.HOLDS),
            _share(twice, ClaimVerdict.HOLDS),
        )  # fmt: skip
        star = " *" if one.assumed else ""
        yield f"| {one.claim}{star} | {one.n} | {' | '.join(cells)} |"
    yield ""
    yield "* The paper prints no number: the effect is assumed."
    yield ""
    border, wrong = (pooled(found, KINDS[:many], ClaimVerdict.HOLDS) for many in (1, 2))
    missed = pooled(found, KINDS[2:3], ClaimVerdict.FAILS)
    power = pooled(found, KINDS[3:], ClaimVerdict.HOLDS)
    yield f"a false claim is called holds: {wrong:.1%} (at most {FALSE:.0%})"
    yield f"a false claim whose value lies on the threshold is called holds: {border:.1%}"
    yield f"a true claim with the paper's n is called fails: {missed:.1%} (at most {TRUE:.0%})"
    yield f"twice the effect and four times n is called holds: {power:.1%} (at least {TWICE:.0%})"


def _share(count: Counter[ClaimVerdict], verdict: ClaimVerdict) -> str:
    return f"{count[verdict] / count.total():.0%}"


def main() -> None:
    """Print the table and the three pooled shares."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=100)
    options = parser.parse_args()
    began = time.monotonic()
    found = tally(options.seeds)
    print(f"{options.seeds} studies for each claim and kind of world\n")
    print("\n".join(lines(found)))
    print(decline(options.seeds))
    print(f"\n{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
