"""What the paper says of times: means by method, by round and over GPUs, as printed."""

from kernelbenchx.analysis.intervals import wilson
from kernelbenchx.analysis.published_attempts import count_of
from kernelbenchx.analysis.published_data import (
    CARD_RATIO_MEAN,
    CARD_RATIO_MEDIAN,
    CARD_RATIO_WORST,
    GPUS,
    POOLED_MEDIAN_SPEEDUP,
    ROUNDS,
    ROUNDS_GPU,
    SLOWER_BY_GPU,
    SLOWER_THAN_EAGER,
    TABLE_1,
    TASKS,
    TRANSITIONS,
)
from kernelbenchx.analysis.table import Table, Value, columns

EVERY = sum(TASKS.values())
NO_KERNELS = (
    "Times of single kernels are published only for GEAK's rounds (`iterations`): here no interval "
    "can be given."
)


def speed() -> Table:
    """Mean speedup and score of every method."""
    rows: list[tuple[Value, ...]] = [
        (method, "Table 1", None, count_of(one.correct, EVERY), one.speedup, one.score / 100.0)
        for method, one in TABLE_1.items()
    ]
    last = ROUNDS[max(ROUNDS)]
    kernels = count_of(last.correct, EVERY)
    rows.append(("GEAK", "last round", ROUNDS_GPU, kernels, last.speedup, last.score / 100.0))
    return Table(
        name="published_speed",
        title="Speedup and Score as printed",
        about=(
            "Arithmetic means over correct kernels. Table 1 names no GPU; rounds were measured on"
            f" an {ROUNDS_GPU}. GEAK's kernels after its last round stand in both, and differ."
        ),
        columns=columns(
            ("method", "method"),
            ("source", "printed in"),
            ("on", "GPU"),
            ("kernels", "correct kernels", "count"),
            ("speedup", "speedup", "ratio"),
            ("score", "Score", "percent"),
        ),
        rows=tuple(rows),
        notes=(
            f"Median speedup over all kernels and GPUs: {POOLED_MEDIAN_SPEEDUP}x;"
            f" {SLOWER_THAN_EAGER} % are slower than eager.",
            NO_KERNELS,
        ),
    )


def round_rates() -> Table:
    """GEAK after its first and its last round."""
    rows: list[tuple[Value, ...]] = []
    for number, one in ROUNDS.items():
        called, right = (
            wilson(count_of(part, EVERY), EVERY) for part in (one.compiled, one.correct)
        )
        ends = (called.value, called.low, called.high, right.value, right.low, right.high)
        rows.append((number, EVERY, *ends, one.speedup, one.score / 100.0))
    return Table(
        name="published_round_rates",
        title="GEAK by round, as printed",
        about=f"On an {ROUNDS_GPU}; the middle round is only in a figure. Intervals: Wilson.",
        columns=columns(
            ("round", "round", "count"),
            ("n", "tasks", "count"),
            ("called", "compiled", "percent"),
            ("called_low", "low", "percent"),
            ("called_high", "high", "percent"),
            ("correct", "correct", "percent"),
            ("correct_low", "low", "percent"),
            ("correct_high", "high", "percent"),
            ("speedup", "mean speedup", "ratio"),
            ("score", "mean score", "percent"),
        ),
        rows=tuple(rows),
    )


def list_gpus() -> Table:
    """How far speedups differ between GPUs."""
    ratios = {"median": CARD_RATIO_MEDIAN, "mean": CARD_RATIO_MEAN, "worst": CARD_RATIO_WORST}
    every = f"{len(GPUS)} GPUs"
    rows: list[tuple[Value, ...]] = [
        (f"largest over smallest speedup of a kernel, {name}", every, ratio, None)
        for name, ratio in ratios.items()
    ]
    shares = {every: SLOWER_THAN_EAGER, **SLOWER_BY_GPU}
    rows += [
        ("correct kernels slower than eager", card, None, share / 100.0)
        for card, share in shares.items()
    ]
    return Table(
        name="published_cards",
        title="Speed on several GPUs, as printed",
        about=f"Measured on {', '.join(GPUS)}; the other GPUs' shares are only in a figure.",
        columns=columns(
            ("measure", "measure"),
            ("on", "GPU"),
            ("ratio", "ratio", "ratio"),
            ("share", "share", "percent"),
        ),
        rows=tuple(rows),
        notes=(
            NO_KERNELS,
            "The baselines that were published for the L20 are, but for two tasks, those of the"
            f" {ROUNDS_GPU}: its share, and the worst ratio, may come from that.",
        ),
    )


def rounds() -> Table:
    """The mean of the last round from its two groups."""
    rows = []
    for name, one in TRANSITIONS.items():
        n = one.rescued + one.persistent
        speedup = one.rescued * one.rescued_speedup + one.persistent * one.persistent_speedup
        score = one.rescued * one.rescued_score + one.persistent * one.persistent_score
        printed = ROUNDS.get(int(name[-1]))
        rows.append(
            (
                name,
                one.rescued,
                one.persistent,
                one.persistent_speedup,
                speedup / n,
                printed.speedup if printed else None,
                score / n / 100.0,
                printed.score / 100.0 if printed else None,
            )
        )
    return Table(
        name="published_rounds",
        title="Does the mean speedup fall because kernels get slower?",
        about=(
            f"GEAK on an {ROUNDS_GPU}. The mean after a round, put together from the kernels"
            " rescued in it and those that were correct before. Where it equals the printed mean,"
            " the fall is composition."
        ),
        columns=columns(
            ("rounds", "rounds"),
            ("rescued", "rescued, timed", "count"),
            ("persistent", "persistent, timed", "count"),
            ("persistent_speedup", "speedup of persistent", "ratio"),
            ("mixed", "mean speedup of both", "ratio"),
            ("printed", "printed", "ratio"),
            ("score", "mean score of both", "percent"),
            ("printed_score", "printed", "percent"),
        ),
        rows=tuple(rows),
        notes=("Arithmetic means, as the paper has them; the tables above have intervals.",),
    )
