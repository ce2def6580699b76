"""Prints what lazy submissions earn, as docs/how-to/train-with-rewards.md has it.

Each is evaluated in the interpreter. The honest ones below them show what partial work earns.
"""

import kernelbenchx as kbx

HEAD = """import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(y + at, {value}, mask=at < n)


def launch(x, n):
    y = torch.empty_like(x)
    if n:
        kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)
    return y


"""
BODY = """def relu(input, inplace=False):
    x = input.contiguous()
    ordinary = input.is_contiguous() and not inplace and x.numel() > 1
    y = {answer}
    return {result}
"""
SOFTMAX = """def softmax(input, dim, dtype=None):
    x = input if dtype is None else input.to(dtype)
    w = x.to(torch.promote_types(x.dtype, torch.float32))
    {body}
"""
RIGHT, WHOLE = "tl.where(v < 0, 0.0, v)", "launch(x, x.numel())"
IN_PLACE = "input.copy_(y) if inplace else y"
TORCH = "torch.clamp(x, min=0.0)"
COPIED = "launch({}, x.numel())"


def relu(value: str = "v", answer: str = WHOLE, result: str = IN_PLACE) -> str:
    """A submission for relu: what the kernel stores, how it is used, what is returned."""
    return HEAD.format(value=value) + BODY.format(answer=answer, result=result)


def softmax(body: str) -> str:
    """A submission for softmax, whose kernel copies."""
    return HEAD.format(value="v") + SOFTMAX.format(body=body)


ASSEMBLY = (
    'tl.inline_asm_elementwise("max.f32 $0, $1, 0.0;", "=f,f", [v], '
    "dtype=tl.float32, is_pure=True, pack=1)"
)
CUDA = "from torch.utils.cpp_extension import load_inline\n\nrelu = load_inline(name='relu')\n"
OPERATOR = (
    HEAD.format(value="v")
    + """@torch.library.custom_op("lazy::relu", mutates_args=())
def operator(x: torch.Tensor) -> torch.Tensor:
    return launch(torch.clamp(x, min=0.0), x.numel())


"""
    + BODY.format(answer="operator(x)", result=IN_PLACE)
)
LISTED = (
    "launch(torch.tensor([max(v, 0.0) for v in x.flatten().tolist()], dtype=x.dtype,"
    " device=x.device).reshape(x.shape), x.numel())"
)
LAZY = {
    "prose": ("relu", "I would write a kernel that keeps positive numbers.\n"),
    "half a file": ("relu", relu()[:300]),
    "a name that Triton lacks": ("relu", relu("tl.relu(v)")),
    "torch alone": ("relu", relu(answer=TORCH)),
    "torch beside a kernel that is not launched": ("relu", relu(RIGHT, f"{TORCH} if True else x")),
    "CUDA, which nothing here runs": ("relu", CUDA),
    "inline assembly, which needs a GPU": ("relu", relu(ASSEMBLY)),
    "exits before its first answer": ("relu", relu(answer="exit(0)")),
    "writes zeros": ("relu", relu("0.0 * at")),
    "writes ones": ("relu", relu("1.0 + 0.0 * at")),
    "copies the input": ("relu", relu()),
    "writes one element": ("relu", relu(RIGHT, "launch(x, min(x.numel(), 1))")),
    "returns its argument": ("relu", relu(RIGHT, result="input")),
    "raises except in easy cases": ("relu", relu(RIGHT, f"{WHOLE} if not ordinary else x.no")),
    "a copy behind torch": ("relu", relu(answer=COPIED.format(TORCH))),
    "a copy before torch": ("relu", relu(answer=f"{WHOLE}.clamp(min=0.0)")),
    "twenty copies behind torch": (
        "relu",
        relu(answer=f"[{COPIED.format(TORCH)} for _ in range(20)][-1]"),
    ),
    "a copy behind torch in float64": (
        "relu",
        relu(answer=COPIED.format("torch.clamp(x.double(), min=0.0).to(x.dtype)")),
    ),
    "torch inside an operator of its own": ("relu", OPERATOR),
    "Python computes, a kernel copies": ("relu", relu(answer=LISTED)),
    "torch in all dtypes but one": (
        "relu",
        relu(RIGHT, f"{WHOLE} if x.dtype == torch.float32 else {COPIED.format(TORCH)}"),
    ),
    "torch in all but contiguous cases": (
        "relu",
        relu(RIGHT, f"{WHOLE} if ordinary else {COPIED.format(TORCH)}"),
    ),
    "softmax of torch, copied": (
        "softmax",
        softmax("return launch(torch.softmax(w, dim).to(x.dtype).contiguous(), x.numel())"),
    ),
    "softmax of torch in four steps, copied": (
        "softmax",
        softmax(
            "e = torch.exp(w - w.amax(dim, keepdim=True)) if w.numel() else w\n"
            "    p = (e / e.sum(dim, keepdim=True)).to(x.dtype)\n"
            "    return launch(p.contiguous(), x.numel())"
        ),
    ),
}
HONEST = {
    "right in core of the first dtype alone": (
        "relu",
        relu(RIGHT, f"{WHOLE} if x.dtype == torch.float32 else x.no", result="y"),
    ),
    "right in core alone": ("relu", relu(RIGHT, f"{WHOLE} if ordinary else x.no")),
    "right but in place": ("relu", relu(RIGHT, result="y")),
    "right": ("relu", relu(RIGHT)),
}


def rows() -> list[str]:
    """A row for each submission: what it is, its verdict, what its kernels did, its reward."""
    made = [
        "| submission | task | verdict | composition | share | reward |",
        "|---|---|---|---|---|---|",
    ]
    with kbx.Evaluator(device="interpreter", seed=1) as evaluator:
        for name, (task, source) in {**LAZY, **HONEST}.items():
            one = evaluator.evaluate(source, task=task)
            value = kbx.reward(one).value
            shown = "none" if value is None else f"{value:.3f}"
            share = "" if one.kernel_share is None else f"{one.kernel_share:.2f}"
            word = f"**{name}**" if name in HONEST else name
            made.append(
                f"| {word} | {task} | {one.verdict} | {one.composition.value} | {share} | {shown} |"
            )
    return made


if __name__ == "__main__":
    print("\n".join(rows()))
