"""Messages of Triton, CUDA and Python in plain words."""

import pytest

from kernelbenchx.generate.error_hints import meaning


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            "OutOfResources: out of resource: shared memory, Required: 266240, "
            "Hardware limit: 232448. Reducing block sizes or `num_stages` may help.",
            "needs 266240 bytes of shared memory and this GPU has 232448",
        ),
        ("out of resource: threads, Required: 2048, Hardware limit: 1024.", "lower num_warps"),
        ("CUDA error: an illegal memory access was encountered", "outside its tensors"),
        ("Triton Error [CUDA]: misaligned address", "no multiple of the element's size"),
        ("Triton Error [CUDA]: invalid argument", "the grid is empty or too large"),
        ("CUDA error: too many resources requested for launch", "more registers than there are"),
        ("CUDA error: device-side assert triggered", "tl.device_assert"),
        ("CUDA error: unspecified launch failure", "crashed"),
        ("torch.OutOfMemoryError: CUDA out of memory.", "too much memory"),
        (
            "ValueError: Pointer argument (at 0) cannot be accessed from Triton (cpu tensor?)",
            "lies on the host",
        ),
        ("ValueError: Shape element 0 must be a power of 2", "next_power_of_2"),
        ("ValueError: numel (2097152) exceeds triton maximum tensor numel (1048576)", "a loop"),
        ("module 'triton.language' has no attribute 'make_block_ptr'", "no block pointers"),
        ("module 'triton.language.math' has no attribute 'tanh'", "of the name tanh"),
        ("NameError('Cannot access global variable EPS from within @jit'ed ...", "pass EPS"),
        (
            "Loop-carried variable acc has initial type <['16', '16'], fp16> but is re-assigned to "
            "<['16', '16'], fp32> in loop! Please make sure that the type stays consistent.",
            "acc must keep its type through the loop: begin with fp32, or convert to fp16 inside",
        ),
        (
            "Loop-carried variable m has initial type fp32 but is re-assigned to <['16'], fp32> in "
            "loop! Please make sure that the type stays consistent.",
            "m must keep its shape and type through the loop, and goes from fp32 to <['16'], fp32>",
        ),
        (
            "Cannot make_shape_compatible: incompatible dimensions at index 0: 16 and 32",
            "the shapes of two blocks do not fit",
        ),
        ("TypeError: f() missing 1 required positional argument: 'y'", "compare both"),
    ],
)
def test_a_message_is_explained(said: str, words: str) -> None:
    assert words in meaning(said)


@pytest.mark.parametrize(
    "said", ["", "ValueError: FFT length must be even", "ZeroDivisionError: division by zero"]
)
def test_a_message_that_explains_itself_is_left_alone(said: str) -> None:
    assert meaning(said) == ""
