"""What is recorded of a launch, autotuning, ablation, and wrappers that speak of CUDA."""

import json
import math

import torch
import triton
import triton.language as tl
from expecting import fails, near
from triton.tools.tensor_descriptor import TensorDescriptor

CURED = (
    "probe_autotune_draws_by_the_seed",
    "probe_autotune_prunes",
    "probe_autotune_without_reset_is_wrong",
    "probe_autotune_with_reset_is_right",
    "probe_autotune_restores_values",
    "probe_autotune_calls_hooks",
    "probe_do_bench_runs_once",
    "probe_driver_answers",
    "probe_wrapper_for_cuda_runs",
    "probe_grid_function_gets_plain_values",
    "probe_call_without_a_grid_is_refused",
    "probe_device_assert_is_an_error",
    "probe_module_is_not_filled_with_names",
)

CONFIGS = [triton.Config({"B": size}, num_warps=size // 64) for size in (64, 128, 256, 512)]


@triton.jit
def add_kernel(x, y, o, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    tl.store(o + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


@triton.jit
def many_kernel(x, desc, scale, n, big, flag, nothing, both, TYPE: tl.constexpr, F: tl.constexpr):
    tl.store(x, scale)


def tuned(**options):
    """A fresh autotuned sum, so that nothing is remembered from another probe."""

    @triton.autotune(configs=CONFIGS, key=["n"], **options)
    @triton.jit
    def sum_kernel(x, o, n, B: tl.constexpr):
        i = tl.program_id(0) * B + tl.arange(0, B)
        tl.atomic_add(o, tl.sum(tl.load(x + i, mask=i < n, other=0.0), 0))

    return sum_kernel


def tuned_add(**options):
    return triton.autotune(configs=CONFIGS, key=["n"], **options)(add_kernel)


@triton.jit
def double_kernel(x, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


@triton.jit
def assert_kernel(x):
    tl.device_assert(tl.load(x) > 10.0, "too small")


@triton.jit
def helper(x):
    return x * 2


@triton.jit
def asm_kernel(x, o, B: tl.constexpr):
    v = tl.load(x + tl.arange(0, B))
    r = tl.inline_asm_elementwise(
        "add.f32 $0, $1, $1;", "=f,f", [v], dtype=tl.float32, is_pure=True, pack=1
    )
    tl.store(o + tl.arange(0, B), r)


@triton.jit
def forgotten_kernel(x):
    tl.store(x, math.pi * partial)  # noqa: F821 - that is the point


def grid(meta):
    return (triton.cdiv(meta["n"], meta["B"]),)


def drawn(seed, **options):
    from worker.interpreter import watching

    kernel = tuned_add(**options)
    x, o = torch.randn(1000), torch.empty(1000)
    with watching(seed) as watch:
        kernel[grid](x, x, o, 1000)
        near(o, x + x)
        (launch,) = watch.launches
        assert kernel.best_config.kwargs["B"] // 64 == launch["options"]["num_warps"]
    return kernel.best_config.kwargs["B"]


def probe_autotune_draws_by_the_seed():
    sizes = [drawn(seed) for seed in range(12)]
    assert sizes == [drawn(seed) for seed in range(12)]
    assert len(set(sizes)) > 1


def probe_autotune_prunes():
    def keep(configs, named_args, **_):
        assert named_args["n"] == 1000
        return [c for c in configs if c.kwargs["B"] == 256]

    assert {drawn(s, prune_configs_by={"early_config_prune": keep}) for s in range(5)} == {256}


def probe_autotune_without_reset_is_wrong():
    x, o = torch.ones(1000), torch.zeros(1)
    tuned()[grid](x, o, 1000)
    assert o.item() == 2000


def probe_autotune_with_reset_is_right():
    x, o = torch.ones(1000), torch.zeros(1)
    kernel = tuned(reset_to_zero=["o"])
    kernel[grid](x, o, 1000)
    assert o.item() == 1000


def probe_autotune_restores_values():
    x = torch.ones(1000)
    plain = triton.autotune(configs=CONFIGS, key=["n"])(double_kernel)
    plain[grid](x, 1000)
    near(x, torch.full((1000,), 4.0))
    careful = triton.autotune(configs=CONFIGS, key=["n"], restore_value=["x"])(double_kernel)
    careful[grid](x, 1000)
    near(x, torch.full((1000,), 8.0))


def probe_autotune_calls_hooks():
    seen = []
    hooked = [triton.Config({"B": 64}, pre_hook=lambda a: seen.append(a["n"])) for _ in range(2)]
    kernel = triton.autotune(configs=hooked, key=["n"])(add_kernel)
    x, o = torch.randn(100), torch.empty(100)
    kernel[grid](x, x, o, 100)
    near(o, x + x)
    assert seen == [100, 100]


def probe_autotune_refuses_its_parameters_in_every_launch():
    x, o, kernel = torch.ones(1000), torch.zeros(1000), tuned_add()
    for _ in range(2):
        try:
            kernel[grid](x, x, o, 1000, B=64)
        except ValueError as error:
            assert "Conflicting meta-parameters: B" in str(error)
        else:
            raise AssertionError("took it twice")
    kernel[grid](x, x, o, 1000)
    near(o, x + x)


def probe_do_bench_runs_once():
    runs = []
    assert triton.testing.do_bench(lambda: runs.append(1)) == 1.0
    assert triton.testing.do_bench(lambda: runs.append(1), quantiles=[0.5, 0.2]) == [1.0, 1.0]
    assert len(runs) == 2


def probe_driver_answers():
    active = triton.runtime.driver.active
    assert active.get_active_torch_device() == torch.device("cpu")
    assert active.utils.get_device_properties(0)["max_shared_mem"] == 232448
    assert active.utils.get_device_properties(0)["multiprocessor_count"] == 132
    assert active.get_current_target().arch == 90


def probe_wrapper_for_cuda_runs():
    from worker.devices import redirect_cuda

    def wrapper(x):
        assert x.is_cuda
        if x.device.type != "cuda":
            return x + x
        o = torch.zeros(x.shape, device=x.device, dtype=x.dtype)
        programs = torch.cuda.get_device_properties(x.device).multi_processor_count
        with torch.cuda.device(x.device):
            add_kernel[(min(programs, 4),)](x, x.to("cuda"), o, x.numel(), B=256)
        torch.cuda.synchronize()
        active = triton.runtime.driver.active.get_active_torch_device()
        return o + torch.zeros(1, device=active)

    x = torch.randn(1000)
    with redirect_cuda():
        o = wrapper(x)
    near(o, x + x)


def probe_host_tensors_are_refused_as_on_a_gpu():
    from worker.devices import redirect_cuda

    from worker.interpreter import watching

    def launch(*tensors):
        add_kernel[(1,)](*tensors, 8, B=8)

    with redirect_cuda(tracked=True), watching(0) as watch:
        x, y = torch.arange(8, device="cuda").float(), torch.ones(8, device="cuda")
        for host in (torch.empty(8), x.cpu(), torch.ones(16)[8:], torch.ones(8) * 2):
            with fails("ValueError", r"^Pointer argument \(at 1\) cannot be accessed from Triton"):
                launch(x, host, y)
        assert [one["type"] for one in watch.failures] == ["ValueError"] * 4
        for reached in (torch.ones(8).cuda(), torch.ones(8).pin_memory(), x.cpu().to(x.device)):
            launch(x, reached, y)
            near(y, x + reached)
        with fails("ValueError", "at 0"):
            add_kernel[(0,)](torch.ones(8), x, y, 8, B=8)
        add_kernel[(0,)](torch.ones(0), x, y, 8, B=8)
        watch.begin_call(ablate=True)
        launch(x, torch.empty(8), y)


def probe_driver_names_the_gpu():
    from worker.devices import redirect_cuda

    with redirect_cuda(tracked=True):
        device = triton.runtime.driver.active.get_active_torch_device()
        assert device == torch.device("cuda", 0) == torch.empty(1, device=device).device


def probe_launch_is_recorded():
    from worker.interpreter import watching

    x = torch.zeros(64).bfloat16()
    desc = TensorDescriptor.from_tensor(torch.zeros(16, 16), [16, 16])
    with watching(0) as watch:
        many_kernel[(2, 1)](
            x[1:], desc, 0.5, 7, 2**40, True, None, (x, 3), TYPE=tl.float32, F=1.5, num_warps=8
        )
        (launch,) = json.loads(json.dumps(watch.launches))
    assert launch["kernel"] == "many_kernel"
    assert launch["grid"] == [2, 1, 1]
    assert launch["options"] == {"num_warps": 8}
    assert launch["line"] == many_kernel.fn.__code__.co_firstlineno
    args = {arg.pop("name"): arg for arg in launch["args"]}
    assert args["x"] == {"kind": "pointer", "dtype": "bf16", "aligned": False}
    assert args["desc"]["kind"] == "descriptor"
    assert args["desc"]["block_shape"] == [16, 16]
    assert args["scale"] == {"kind": "float", "value": 0.5}
    assert args["n"] == {"kind": "int", "value": 7, "dtype": "i32"}
    assert args["big"]["dtype"] == "i64"
    assert args["flag"] == {"kind": "bool", "value": True}
    assert args["nothing"] == {"kind": "none"}
    assert [item["kind"] for item in args["both"]["items"]] == ["pointer", "int"]
    assert args["F"] == {"kind": "constexpr", "value": 1.5}
    assert args["TYPE"]["kind"] == "constexpr"


def probe_ablation_records_and_does_nothing():
    from worker.interpreter import watching

    x, o = torch.ones(100), torch.zeros(100)
    with watching(0) as watch:
        watch.begin_call(ablate=True)
        add_kernel[(1,)](x, x, o, 100, B=128)
        assert len(watch.launches) == 1
        assert not o.any()
        watch.begin_call()
        add_kernel[(1,)](x, x, o, 100, B=128)
        assert len(watch.launches) == 1
        assert o.all()


def probe_grid_function_gets_plain_values():
    seen = {}
    x, o = torch.ones(100), torch.zeros(100)
    add_kernel[lambda meta: seen.update(meta) or (1,)](x, x, o, 100, B=128)
    assert seen["x"] is x
    assert type(seen["n"]) is int


def probe_call_without_a_grid_is_refused():
    with fails("RuntimeError", "grid"):
        helper(torch.ones(1))


def probe_too_large_grid_is_refused():
    with fails("ValueError", "65535"):
        add_kernel[(1, 70000)](torch.ones(1), torch.ones(1), torch.ones(1), 0, B=1)
    add_kernel[(0,)](torch.ones(1), torch.ones(1), torch.ones(1), 0, B=1)


def probe_a_number_is_no_grid():
    with fails("TypeError", "the grid is of type int"):
        add_kernel[1](torch.ones(1), torch.ones(1), torch.ones(1), 0, B=1)
    with fails("TypeError", "tuple of sizes"):
        add_kernel[lambda meta: meta["n"]](torch.ones(1), torch.ones(1), torch.ones(1), 1, B=1)


def probe_device_assert_is_an_error():
    from worker.interpreter import watching

    with watching(0) as watch:
        assert_kernel[(1,)](torch.full((1,), 11.0))
        with fails("DeviceAssertion", "too small"):
            assert_kernel[(1,)](torch.zeros(1))
        assert watch.flags == {"device_assert"}


def probe_inline_assembly_is_refused():
    from worker.interpreter import watching

    with watching(0) as watch:
        with fails("NotInterpretable", "inline assembly"):
            asm_kernel[(1,)](torch.ones(8), torch.ones(8), B=8)
        assert watch.flags == {"not_interpretable:inline assembly"}


def probe_module_is_not_filled_with_names():
    # Triton's own rewriting puts everything it imports into the module of the kernel.
    with fails("NotTriton", "partial"):
        forgotten_kernel[(1,)](torch.ones(1))


@triton.jit
def cast_kernel(o, n, m: tl.int64, both):
    tl.store(o, n.to(tl.int64) + m.to(tl.int64) + both[1].to(tl.int64))


@triton.jit(do_not_specialize=["n"])
def general_kernel(o, n):
    tl.store(o, n.to(tl.int64))


@triton.jit
def annotated_kernel(o, n: tl.int64, x: "fp16"):  # noqa: F821 - Triton's own way to name a type
    tl.static_assert(n.dtype == tl.int64)
    tl.static_assert(x.dtype == tl.float16)
    tl.store(o, n + 1)


@triton.jit
def missing_kernel(o, x, SIGN: tl.constexpr):
    if SIGN:
        tl.store(o, tl.lod(x))
    else:
        tl.store(o, unheard_of)  # noqa: F821


def probe_integers_of_one_are_constants():
    o = torch.zeros(1, dtype=torch.int64)
    cast_kernel[(1,)](o, 2, 1, (1, 3))
    assert o.item() == 6
    with fails("NotTriton", "a constant has no attribute 'to'.*do_not_specialize"):
        cast_kernel[(1,)](o, 1, 1, (1, 3))
    with fails("NotTriton", "a constant has no attribute 'to'"):
        cast_kernel[(1,)](o, 2, 1, (3, 1))


def probe_parameters_can_ask_not_to_be_specialized():
    o = torch.zeros(1, dtype=torch.int64)
    general_kernel[(1,)](o, 1)
    assert o.item() == 1
    annotated_kernel[(1,)](o, 1, 2.5)
    assert o.item() == 2
    with fails("OverflowError", "does not fit into i64"):
        annotated_kernel[(1,)](o, 1 << 63, 2.5)
    with fails("TypeError", "cannot be interpreted as an integer"):
        annotated_kernel[(1,)](o, 1.5, 2.5)


def probe_arguments_that_no_kernel_takes_are_refused():
    with fails("TypeError", "failed to specialize argument of type: str"):
        general_kernel[(1,)](torch.zeros(1), "one")


def probe_names_that_triton_does_not_have_are_refused_as_a_compiler_would():
    o = torch.zeros(1)
    with fails("NotTriton", "module 'triton.language' has no attribute 'lod'"):
        missing_kernel[(1,)](o, o, SIGN=True)
    with fails("NotTriton", "name 'unheard_of' is not defined"):
        missing_kernel[(1,)](o, o, SIGN=False)
