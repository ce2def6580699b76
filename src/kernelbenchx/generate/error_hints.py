"""What a message of Triton, CUDA or Python means for the author of the kernel."""

import re

from kernelbenchx.generate.rounding import round_numbers

LONGEST = 700
"""Characters of a message from another tool."""
MOST_LINES = 12

_MEANINGS: tuple[tuple[str, str], ...] = (
    # launching
    (
        r"out of resource: shared memory, Required: (\d+), Hardware limit: (\d+)",
        r"one program needs \1 bytes of shared memory and this GPU has \2: "
        "take smaller blocks or a lower num_stages",
    ),
    (
        r"out of resource: (?:threads|registers), Required: (\d+), Hardware limit: (\d+)",
        r"one program needs \1 and this GPU has \2: lower num_warps or take smaller blocks",
    ),
    (
        r"too many resources requested for launch",
        "a program needs more registers than there are: lower num_warps or take smaller blocks",
    ),
    (
        r"illegal memory access",
        "a kernel read or wrote outside its tensors: check the mask and the strides of every load "
        "and store, also for sizes that are no multiple of the block",
    ),
    (r"misaligned address", "an offset is no multiple of the element's size"),
    (
        r"invalid (?:configuration )?argument",
        "the grid is empty or too large in one direction: launch nothing for empty tensors, and "
        "put the largest count on axis 0",
    ),
    (r"device-side assert", "a tl.device_assert failed, or an index was out of range"),
    (r"(?:unspecified launch failure|illegal instruction)", "the kernel crashed on the GPU"),
    (r"(?:CUDA )?out of memory", "too much memory was allocated at once"),
    (
        r"cannot be accessed from Triton|cpu tensor\?",
        "a tensor that lies on the host was passed to a kernel: allocate on the input's device",
    ),
    (
        r"missing (?:\d+ )?(?:required )?(?:positional )?arguments?",
        "the call does not pass every parameter of the function: compare both",
    ),
    # the language
    (
        r"must be a power of (?:2|two)",
        "sizes of blocks are powers of two: round up with triton.next_power_of_2 and mask the rest",
    ),
    (
        r"exceeds triton maximum tensor numel",
        "the block is too large for one program: go through it in a loop",
    ),
    (
        r"module 'triton\.language[\w.]*' has no attribute '(make_block_ptr|advance)'",
        "this Triton has no block pointers: use offsets and masks",
    ),
    (
        r"module 'triton\.language[\w.]*' has no attribute '(\w+)'",
        r"this Triton has no function of the name \1 there",
    ),
    (
        r"Cannot access global variable (\w+)",
        r"kernels see no globals: pass \1 as an argument, or make it a tl.constexpr",
    ),
    (
        r"cannot be a condition|Boolean value of Tensor with more than one value",
        "`if` and `while` take one value, not a block: use tl.where",
    ),
    (
        r"Expected dtype \['fp32', 'fp64'\] but got (\w+)",
        r"this function takes no \1: convert with .to(tl.float32) before it",
    ),
    (
        r"Loop-carried variable (\w+) has initial type <(\[[^]]*\]), (\w+)> "
        r"but is re-assigned to <\2, (\w+)>",
        r"\1 must keep its type through the loop: begin with \4, or convert to \3 inside",
    ),
    (
        r"Loop-carried variable (\w+) has initial type (.{1,80}) "
        r"but is re-assigned to (.{1,80}?) in loop",
        r"\1 must keep its shape and type through the loop, and goes from \2 to \3",
    ),
    (
        r"(?:arange's arguments must be of type tl.constexpr|must be a `?constexpr`?)",
        "what decides the shape of a block must be declared tl.constexpr and be known at launch",
    ),
    (
        r"(?:[MNK] >= \d+|All non-batch values in both first input shape)",
        "blocks of tl.dot have a smallest size: take larger ones and mask the rest",
    ),
    (
        r"Incompatible shape|shape mismatch|Cannot broadcast|[Cc]annot make_shape_compatible",
        "the shapes of two blocks do not fit: add axes with [:, None] and [None, :]",
    ),
    (
        r"Did you forget to add @triton\.jit",
        "a kernel calls a Python function: mark that one with @triton.jit as well",
    ),
    (r"has no attribute 'to'", "a Python number was converted: only blocks have .to"),
)
_COMPILED = tuple((re.compile(pattern), meaning) for pattern, meaning in _MEANINGS)


def meaning(said: str) -> str:
    """In plain words what is wrong and what to do; empty where the message says it itself."""
    for pattern, words in _COMPILED:
        found = pattern.search(said)
        if found is not None:
            return found.expand(words)
    return ""


def clean_message(said: str) -> str:
    """A message without the words of kbx's own tools, cut to a limit."""
    said = re.sub(r"^(\w+: )?(\w+(?:Error|Exception))\(['\"](.*)['\"],?\)$", r"\1\2: \3", said)
    said = re.sub(r", line \d+(?=;)", "", said)  # it is quoted
    # What differs from start to start would make another prompt of the same failure.
    said = re.sub(r"\b0x[0-9a-fA-F]{6,}", "0x...", re.sub(r" \(\d+\.\d s\)", "", said))
    said = said.removeprefix("the answer depends on the order of programs: ")
    said = re.sub(r"^(OutOfBounds|AmbiguousTruth|NotTriton|NotInterpretable): ", "", said)
    lines = [line for line in round_numbers(said).strip().splitlines() if line.strip()]
    text = "\n".join(lines[:MOST_LINES])
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
