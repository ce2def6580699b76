"""What the KernelBench-X paper (arXiv 2605.04956) prints, as numbers: facts, nothing derived."""

from dataclasses import dataclass

METHODS = ("AutoTriton", "GEAK", "KernelAgent", "Claude", "KernelLLM")
"""The fifth is KernelLLM in the tables and DeepSeek-Coder in the text: which is not known."""

NEAR_ZERO = "KernelLLM"
"""Not one correct kernel; the paper's deviance leaves it out."""

MODELS = {"GEAK": "DeepSeek-V3.2-Chat", "KernelAgent": "DeepSeek-V3.2-Chat"}
"""Where the paper names the base model."""


@dataclass(frozen=True, kw_only=True)
class Overall:
    """A row of Table 1: percent of 176 tasks; speedup and score over correct kernels."""

    compiled: float
    correct: float
    conversion: float
    speedup: float | None
    score: float


TABLE_1 = {
    "AutoTriton": Overall(compiled=36.4, correct=17.0, conversion=46.9, speedup=1.35, score=60.7),
    "GEAK": Overall(compiled=68.8, correct=30.7, conversion=44.6, speedup=1.15, score=50.0),
    "KernelAgent": Overall(compiled=64.2, correct=10.8, conversion=16.8, speedup=1.41, score=68.1),
    "Claude": Overall(compiled=45.5, correct=22.7, conversion=50.0, speedup=1.26, score=54.2),
    "KernelLLM": Overall(compiled=1.7, correct=0.0, conversion=0.0, speedup=None, score=0.0),
}

TABLE_2 = {
    "Activation": (70.0, 32.5, 46.4),
    "Math": (72.2, 40.3, 55.8),
    "Fusion": (43.8, 10.8, 24.8),
    "MatrixMultiply": (60.0, 15.0, 25.0),
    "Quantization": (41.7, 0.0, 0.0),
    "SpatialOps": (25.0, 0.0, 0.0),
}
"""Mean of four methods: percent compiled, percent correct, and their ratio in percent."""

TASKS = {
    "Activation": 10,
    "Convolution": 2,
    "Fusion": 60,
    "Index": 6,
    "LinearAlgebra": 17,
    "Loss": 6,
    "Math": 36,
    "MatrixMultiply": 10,
    "Normalization": 5,
    "Optimizer": 5,
    "Pooling": 2,
    "Quantization": 6,
    "Random": 2,
    "Reduce": 6,
    "SpatialOps": 3,
}

TABLE_3 = {
    "Activation": (40.0, 50.0, 0.0, 40.0, 0.0),
    "Convolution": (0.0, 0.0, 50.0, 0.0, 0.0),
    "Fusion": (10.0, 23.3, 0.0, 10.0, 0.0),
    "Index": (16.7, 16.7, 0.0, 16.7, 0.0),
    "LinearAlgebra": (5.9, 35.3, 5.9, 17.6, 0.0),
    "Loss": (16.7, 50.0, 0.0, 33.3, 0.0),
    "Math": (30.6, 36.1, 44.4, 50.0, 0.0),
    "MatrixMultiply": (20.0, 40.0, 0.0, 0.0, 0.0),
    "Normalization": (40.0, 60.0, 0.0, 20.0, 0.0),
    "Optimizer": (20.0, 60.0, 0.0, 20.0, 0.0),
    "Pooling": (50.0, 0.0, 0.0, 0.0, 0.0),
    "Quantization": (0.0, 0.0, 0.0, 0.0, 0.0),
    "Random": (0.0, 50.0, 50.0, 50.0, 0.0),
    "Reduce": (0.0, 16.7, 0.0, 33.3, 0.0),
    "SpatialOps": (0.0, 0.0, 0.0, 0.0, 0.0),
}
"""Percent correct, methods in the order above."""

TABLE_4 = {
    "Activation": (80.0, 60.0, 60.0, 50.0, 0.0),
    "Convolution": (50.0, 0.0, 50.0, 0.0, 0.0),
    "Fusion": (30.0, 68.3, 40.0, 36.7, 1.7),
    "Index": (33.3, 50.0, 16.7, 66.7, 0.0),
    "LinearAlgebra": (11.8, 64.7, 29.4, 41.2, 0.0),
    "Loss": (16.7, 83.3, 16.7, 83.3, 0.0),
    "Math": (58.3, 75.0, 63.9, 61.1, 0.0),
    "MatrixMultiply": (40.0, 90.0, 50.0, 30.0, 0.0),
    "Normalization": (80.0, 60.0, 40.0, 40.0, 0.0),
    "Optimizer": (20.0, 80.0, 40.0, 60.0, 0.0),
    "Pooling": (100.0, 50.0, 0.0, 50.0, 0.0),
    "Quantization": (0.0, 50.0, 83.3, 33.3, 0.0),
    "Random": (0.0, 100.0, 50.0, 50.0, 0.0),
    "Reduce": (0.0, 66.7, 16.7, 50.0, 0.0),
    "SpatialOps": (0.0, 66.7, 0.0, 0.0, 0.0),
}
"""Percent compiled (every call of the test ended), methods in the order above."""

SOLVED_CONSISTENTLY = "Math"
"""The category that the abstract calls solved consistently."""
LOSS_ABOVE = 80.0
"""The text says that correctness of Loss exceeds this many percent."""

FUSION_FAILING_EVERYWHERE = 72.0
"""Percent of the Fusion tasks that no method solves: all that is said of tasks jointly."""


@dataclass(frozen=True, kw_only=True)
class Deviance:
    """Explained deviance in percent."""

    category: float
    method: float


CORRECT_DEVIANCE = Deviance(category=9.4, method=3.3)
COMPILED_DEVIANCE = Deviance(category=5.24, method=5.18)
CATEGORY_GIVEN_METHOD = 34.6
METHOD_GIVEN_CATEGORY = 13.0
"""The paper calls these two deviance reductions."""


@dataclass(frozen=True, kw_only=True)
class PublishedRound:
    """GEAK after one of its rounds, on an RTX 5090: percent, mean speedup, mean score."""

    compiled: float
    correct: float
    speedup: float
    score: float


ROUNDS_GPU = "RTX 5090"
ROUNDS = {
    0: PublishedRound(compiled=52.3, correct=18.2, speedup=1.58, score=62.7),
    2: PublishedRound(compiled=68.8, correct=30.7, speedup=1.44, score=53.3),
}
"""The paper prints the first and the last; that of the middle is in a figure."""


@dataclass(frozen=True, kw_only=True)
class Transition:
    """Mean speedup and score of kernels newly and already correct after a round."""

    rescued: int
    """Timed; the public corpus of iterations gives the counts."""
    rescued_speedup: float
    rescued_score: float
    persistent: int
    persistent_speedup: float
    persistent_score: float


TRANSITIONS = {
    "0 to 1": Transition(
        rescued=15, rescued_speedup=1.16, rescued_score=43.7,
        persistent=32, persistent_speedup=1.58, persistent_score=62.9,
    ),
    "1 to 2": Transition(
        rescued=7, rescued_speedup=1.32, rescued_score=35.5,
        persistent=46, persistent_speedup=1.46, persistent_score=56.0,
    ),
}  # fmt: skip

GPUS = ("RTX 5090", "RTX 4090", "A100-PCIE-40GB", "H20", "H800 PCIe", "L20")
SLOWER_THAN_EAGER = 46.6
SLOWER_BY_GPU = {"A100-PCIE-40GB": 18.0, "L20": 76.0}
"""Percent of correct kernels; by GPU only the least and the most are printed."""
POOLED_MEDIAN_SPEEDUP = 1.0008
CARD_RATIO_MEDIAN, CARD_RATIO_MEAN, CARD_RATIO_WORST = 2.15, 2.73, 21.4
"""Largest over smallest speedup of a kernel on six GPUs."""
