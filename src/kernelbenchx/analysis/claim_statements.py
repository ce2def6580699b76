"""The claims of the two papers, each with a definition that a study can confirm or refute.

A threshold or a sign is written down for each statement. It is a choice of this project: the papers
print numbers, and a study that finds another number may still agree with what they say.
"""

from dataclasses import dataclass
from enum import StrEnum

PAPER_X, PAPER_KB, OURS = "KernelBench-X", "KernelBench", "none: ours"


class Side(StrEnum):
    """Where the value lies if the statement holds."""

    ABOVE = "above"
    BELOW = "below"


@dataclass(frozen=True, kw_only=True)
class ClaimStatement:
    """One claim."""

    name: str
    paper: str
    says: str
    value: str
    """What is computed."""
    side: Side
    threshold: float
    printed: str
    """Numbers of the paper, as it gives them; empty where it gives none."""
    lacks: str = ""
    """What the paper does not give, so that its own number has no interval."""

    @property
    def border(self) -> str:
        """The side and the threshold, as people read it."""
        return f"{self.side} {self.threshold:.3g}"


WHICH_TASKS = (
    "which tasks a method solved: the value is halfway between both extremes, the interval covers "
    "both"
)
NO_NUMBER = "the paper prints no number for this"

STATEMENTS = (
    ClaimStatement(
        name="category_over_method",
        paper=PAPER_X,
        says="The category of a task explains more of what is correct than the method does.",
        value="explained deviance by category less that by method, in points, corrected for the "
        "bias of many levels; the same of log likelihoods, which are half a deviance",
        side=Side.ABOVE,
        threshold=0.0,
        printed="9.4 % and 3.3 % alone; 34.6 and 13.0 of log likelihood, added to the other",
        lacks=WHICH_TASKS,
    ),
    ClaimStatement(
        name="fusion_unsolved",
        paper=PAPER_X,
        says="Most Fusion tasks are solved by no method.",
        value="percent of Fusion tasks without a correct kernel of any method, sample or round",
        side=Side.ABOVE,
        threshold=50.0,
        printed="72 %",
    ),
    ClaimStatement(
        name="quantization_zero",
        paper=PAPER_X,
        says="Quantization is beyond every method.",
        value="percent of attempts at Quantization tasks that are correct; 20 is the mean rate of "
        "the paper's four methods over all categories",
        side=Side.BELOW,
        threshold=20.0,
        printed="0 of 30",
    ),
    ClaimStatement(
        name="compile_not_correct",
        paper=PAPER_X,
        says="That a kernel compiles does not predict that it is correct.",
        value="percent of kernels that compile and run which are correct, each task with the same "
        "weight",
        side=Side.BELOW,
        threshold=50.0,
        printed="16.8 to 50.0 % by method",
        lacks=WHICH_TASKS,
    ),
    ClaimStatement(
        name="slower_than_eager",
        paper=PAPER_X,
        says="Many correct kernels are slower than eager PyTorch: more than a third.",
        value="percent of correct, timed kernels with a speedup below 1",
        side=Side.ABOVE,
        threshold=100.0 / 3.0,
        printed="46.6 %",
        lacks="the number of kernels and their speedups",
    ),
    ClaimStatement(
        name="refinement_repairs",
        paper=PAPER_X,
        says="Refinement repairs: later rounds have more correct kernels.",
        value="percent correct after the last round less that after the first, in points, by task; "
        "by step: kernels rescued less kernels that regressed",
        side=Side.ABOVE,
        threshold=0.0,
        printed="18.2 % to 30.7 %; 15 and 8 rescued",
    ),
    ClaimStatement(
        name="refinement_no_speedup",
        paper=PAPER_X,
        says="Refinement does not speed up kernels that are already correct.",
        value="speed after the last round over that after the first, of rewritten kernels that are "
        "correct in both: geometric mean",
        side=Side.BELOW,
        threshold=1.05,
        printed="1.58x to 1.44x, means of different kernels",
        lacks="the times of kernels that did not gain: the high end of those that did is an upper "
        "bound",
    ),
    ClaimStatement(
        name="rescued_slower",
        paper=PAPER_X,
        says="Rescued kernels are slower than those that were correct before.",
        value="mean speedup of kernels that a step made correct over that of kernels correct "
        "before and after it: geometric means, in the papers arithmetic ones",
        side=Side.BELOW,
        threshold=1.0,
        printed="1.16x against 1.58x; 1.32x against 1.46x",
        lacks="the single speedups of the persistent kernels",
    ),
    ClaimStatement(
        name="portability",
        paper=PAPER_X,
        says="The speed of one kernel depends on the GPU.",
        value="largest over smallest speedup of a kernel over the GPUs: median",
        side=Side.ABOVE,
        threshold=1.5,
        printed="2.15",
        lacks="the number of kernels and their speedups",
    ),
    ClaimStatement(
        name="under_20_percent",
        paper=PAPER_KB,
        says="Models beat eager PyTorch on fewer than a fifth of the problems.",
        value="fast_1 of one attempt over all problems, in percent",
        side=Side.BELOW,
        threshold=20.0,
        printed="under 20 %",
    ),
    ClaimStatement(
        name="gain_by_samples",
        paper=PAPER_KB,
        says="More samples solve more problems.",
        value="fast_1 of the best of k samples less that of one, in points",
        side=Side.ABOVE,
        threshold=5.0,
        printed="4 % to 37 % at k=100",
        lacks="which problems: both shares are taken as independent, which is wider",
    ),
    ClaimStatement(
        name="gain_by_turns",
        paper=PAPER_KB,
        says="More turns solve more problems.",
        value="fast_1 of the best kernel of all turns less that of the first, in points",
        side=Side.ABOVE,
        threshold=5.0,
        printed="12 % to 43 % and 36 % to 72 %",
        lacks="which problems: both shares are taken as independent, which is wider",
    ),
    ClaimStatement(
        name="gain_by_execution_feedback",
        paper=PAPER_KB,
        says="Telling a model its execution results helps.",
        value="fast_1 within all turns with G+E less that with G, in points",
        side=Side.ABOVE,
        threshold=0.0,
        printed="R1: 18 to 41 %, 44 to 62 %, 4 to 12 % by level",
        lacks="which problems: both shares are taken as independent, which is wider",
    ),
    ClaimStatement(
        name="gain_by_profile",
        paper=PAPER_KB,
        says="Telling a model the profile helps too.",
        value="fast_1 within all turns with G+E+P less that with G+E, in points",
        side=Side.ABOVE,
        threshold=0.0,
        printed="R1: 41 to 43 %, 62 to 72 %, 12 to 18 % by level",
        lacks="which problems: both shares are taken as independent, which is wider",
    ),
    ClaimStatement(
        name="examples_do_not_help",
        paper=PAPER_KB,
        says="More worked examples do not help.",
        value="fast_1 with more examples less that with fewer, in points",
        side=Side.BELOW,
        threshold=0.0,
        printed="",
        lacks=NO_NUMBER,
    ),
    ClaimStatement(
        name="hardware_facts_help_little",
        paper=PAPER_KB,
        says="Facts about the GPU help little.",
        value="fast_1 with hardware facts less that without, in points",
        side=Side.BELOW,
        threshold=5.0,
        printed="",
        lacks=NO_NUMBER,
    ),
    ClaimStatement(
        name="memory_over_compute",
        paper=OURS,
        says="Kernels gain more where memory is the limit than where arithmetic is.",
        value="mean speedup of kernels of memory-bound tasks over that of compute-bound ones: "
        "geometric means; a task is memory-bound where its IOU exceeds its MFU on that GPU",
        side=Side.ABOVE,
        threshold=1.0,
        printed="",
    ),
    ClaimStatement(
        name="math_solved",
        paper=PAPER_X,
        says="Math is solved consistently: by every method, more than half of it.",
        value="percent of a method's kernels for Math tasks that are correct, each task with the "
        "same weight; one row for each method",
        side=Side.ABOVE,
        threshold=50.0,
        printed="solved consistently; 30.6 to 50.0 % by method",
    ),
    ClaimStatement(
        name="portability_worst",
        paper=PAPER_X,
        says="The speed of a kernel may differ more than tenfold between GPUs.",
        value="largest over smallest speedup of a kernel over the GPUs: the largest of all "
        "kernels, with the ends of its measurements",
        side=Side.ABOVE,
        threshold=10.0,
        printed="21.4",
        lacks="the times of that kernel; in the released code the baselines of the L20 are those "
        "of the RTX 5090, so that the ratio may come from them",
    ),
    ClaimStatement(
        name="correct_within_turns",
        paper=PAPER_KB,
        says="Within ten turns a model solves more than nine of ten problems.",
        value="percent of problems with a correct kernel in one of the first ten turns; fewer "
        "turns bound it from below",
        side=Side.ABOVE,
        threshold=90.0,
        printed="over 90 % for DeepSeek R1",
        lacks="the share itself and the problems it is of",
    ),
    ClaimStatement(
        name="wall_of_samples",
        paper=PAPER_KB,
        says="Some problems withstand a hundred samples: more than a tenth.",
        value="percent of problems without a correct kernel, of those with a hundred samples or "
        "more",
        side=Side.ABOVE,
        threshold=10.0,
        printed="34 convolution problems at k=100",
        lacks="what became of the other problems: the share is at least that of those named",
    ),
)

BY_NAME = {one.name: one for one in STATEMENTS}
