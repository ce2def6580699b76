"""What the KernelBench paper (arXiv 2502.10517) prints, as numbers: facts, nothing derived."""

LEVELS = {1: 100, 2: 100, 3: 50}
"""Problems of each level."""
GPU = "L40S"
"""Of every number that names no other."""

TABLE_1 = {
    "GPT-4o": (4, 5, 0),
    "o1": (10, 24, 12),
    "DeepSeek V3": (6, 4, 8),
    "DeepSeek R1": (12, 36, 2),
    "Claude 3.5 Sonnet": (10, 7, 2),
    "Llama 3.1-70B": (3, 0, 0),
    "Llama 3.1-405B": (3, 0, 2),
}
"""Percent of the problems of levels 1, 2 and 3 beaten in one attempt: fast_1 over eager."""

KINDS = ("G", "G+E", "G+E+P")
"""The feedback of a turn: the previous kernel, also execution results, also the profile."""
TURNS = 10
TABLE_2 = {
    "DeepSeek R1": {1: (18, 41, 43), 2: (44, 62, 72), 3: (4, 12, 18)},
    "DeepSeek V3": {1: (9, 13, 19), 2: (7, 5, 6), 3: (14, 22, 14)},
    "Llama 3.1-70B": {1: (9, 5, 7), 2: (0, 5, 4), 3: (0, 8, 2)},
}
"""fast_1 within ten turns by model and level, in percent, for each of `KINDS`."""

SAMPLED_AT_10 = {"DeepSeek V3": (11, 14, 14), "Llama 3.1-70B": (5, 3, 1)}
"""fast_1 of the best of ten samples on levels 1, 2 and 3, in percent."""
SAMPLED_AT_100 = ("DeepSeek V3", 2, 4, 37)
"""Model, level, percent at k=1 and at k=100."""

UNSOLVED_AT_100 = ("DeepSeek V3", 1, 34)
"""Model, level and convolution problems of which no sample of a hundred is correct."""
CORRECT_WITHIN_TURNS = ("DeepSeek R1", 90)
"""Model, and the percent of problems that it exceeds with a correct kernel within ten turns."""

BY_GPU = ("DeepSeek R1", 2, {"L40S": 36, "A10G": 47})
"""Model, level and percent by GPU."""
OVER_COMPILE = ("DeepSeek R1", 2, 37)
"""Model, level and percent over torch.compile."""
