"""What the audit codes of tasks mean: flaws of published tasks, and what a task here does instead.

I: a kernel that keeps to the statement is rejected. C: it passes only with the rounding of one
library. B: the test or its timing does not do what it should. W: a wrong kernel passes.
"""

from typing import NamedTuple


class Flaw(NamedTuple):
    """One kind of flaw."""

    published: str
    """What is wrong with the published task."""
    here: str
    """What the task of the same name does instead."""


FLAWS = {
    "I-RNG": Flaw(
        "Answers are compared with the random stream of torch. A kernel with a generator of its "
        "own is rejected.",
        "The law is judged. Any stream with the right distribution passes; one that repeats or "
        "has another rate fails.",
    ),
    "I-REF": Flaw(
        "The reference computes something other than the statement says.",
        "The reference computes what the statement says. The other formula is wrong.",
    ),
    "I-SIG": Flaw(
        "The test calls another signature than the one in the statement.",
        "Statement and calls have one source: the signature of the reference.",
    ),
    "I-BIT": Flaw(
        "Complex results must equal those of the reference bit by bit.",
        "Complex results have an error bound, as real ones do. Any order of sums passes.",
    ),
    "I-AMB": Flaw(
        "The answer is unique only up to signs or order, and one choice is accepted.",
        "Properties of the answer are judged. Every valid choice passes.",
    ),
    "I-QUANT": Flaw(
        "The quantisation scheme in the statement misses the error limit of the test.",
        "The integers of the stated scheme are the exact result. Another scheme is wrong.",
    ),
    "I-TOL": Flaw(
        "The reference itself is off by many times the tolerance, so exact answers are rejected.",
        "Answers are compared with the exact result, within what rounding does to that input.",
    ),
    "I-NOISE": Flaw(
        "The expected output is amplified rounding noise.",
        "The exact result decides, not the rounding of one library.",
    ),
    "C-ORDER": Flaw(
        "The tolerance is smaller than the difference between two valid orders of a sum.",
        "The error bound covers sums in any order.",
    ),
    "C-ROUND": Flaw(
        "Only the rounding steps of the library pass. A fused or more exact kernel is rejected.",
        "Answers are compared with the exact result, rounded once. Fused kernels pass.",
    ),
    "C-TOL": Flaw(
        "The tolerance is so tight that exact answers fail for some inputs.",
        "The error bound follows from the exact result and the dtype.",
    ),
    "B-HID": Flaw(
        "The test demands what the statement does not say: an error text or a sign convention.",
        "Everything that is judged is in the statement.",
    ),
    "B-SPEC": Flaw(
        "The statement contradicts itself or the test, or leaves the result open.",
        "The statement gives one result. The other reading is wrong.",
    ),
    "B-ENTRY": Flaw(
        "A check of function names rejects the reference itself.",
        "The statement names the entry, and a kernel with that entry passes.",
    ),
    "B-CHK": Flaw(
        "The check that a kernel quantises never runs.",
        "The contract sees the integers: codes of another width give other values.",
    ),
    "B-PERFX": Flaw(
        "The timing script raises for every Triton kernel.",
        "Timed inputs lie on the GPU, and outputs of timed calls are judged.",
    ),
    "B-PERFD": Flaw(
        "Timed inputs need no work: the output is constant or equals the input.",
        "Outputs of timed calls are judged. A kernel that skips the work fails there too.",
    ),
    "W-TRIV": Flaw(
        "A trivial kernel passes, such as one that returns its input.",
        "The trivial answer is wrong in the cases of the task.",
    ),
    "W-ARG": Flaw(
        "A kernel that ignores a documented argument passes.",
        "Every argument that changes the answer is varied.",
    ),
    "W-SIDE": Flaw(
        "A required side effect is never looked at.",
        "Arguments that a call writes are judged like outputs.",
    ),
    "W-BLOCK": Flaw(
        "Every input fits into one block, so a kernel that handles one block passes.",
        "Cases of the scope `scale` need many blocks.",
    ),
    "W-PDT": Flaw(
        "Times are taken in a dtype that no test covers.",
        "Every timed dtype is also checked.",
    ),
    "W-UNQ": Flaw(
        "A kernel that does not quantise passes.",
        "The result without quantisation is wrong.",
    ),
    "W-WRONG": Flaw(
        "A formula that is wrong for some inputs passes.",
        "Cases include inputs that tell the formulas apart.",
    ),
}
"""By code, as in `audit` of a task."""
