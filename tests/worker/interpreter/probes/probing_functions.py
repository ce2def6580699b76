"""Functions of `tl.math` and of libdevice."""

import torch
import triton
import triton.language as tl
from expecting import fails, near
from triton.language.extra import libdevice

CURED = (
    "probe_libdevice_of_one_argument",
    "probe_libdevice_of_two_arguments",
    "probe_libdevice_of_bits",
    "probe_libdevice_of_cuda",
    "probe_libdevice_takes_no_halves",
)


@triton.jit
def unary_kernel(x, o, B: tl.constexpr, F: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, F(tl.load(x + i)).to(o.dtype.element_ty))


@triton.jit
def binary_kernel(x, y, o, B: tl.constexpr, F: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, F(tl.load(x + i), tl.load(y + i)).to(o.dtype.element_ty))


@triton.jit
def constant_kernel(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, libdevice.pow(tl.load(x + i), 2.0))


@triton.jit
def cuda_kernel(x, o, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(o + i, tl.extra.cuda.libdevice.tanh(tl.load(x + i)))


def unary(function, x, out=torch.float32):
    o = torch.empty(x.shape, dtype=out)
    unary_kernel[(1,)](x, o, B=x.numel(), F=function)
    return o


def wrong(pairs, x):
    """Names of functions that differ from torch."""
    names = []
    for name, (function, truth) in pairs.items():
        try:
            near(unary(function, x), truth(x).float(), within=2e-6)
        except Exception as error:  # noqa: BLE001 - all names are reported
            names.append(f"{name}: {error}")
    return names


def probe_math_of_triton():
    x = torch.rand(64) + 0.1
    pairs = {
        "erf": (tl.erf, torch.erf), "exp": (tl.exp, torch.exp), "exp2": (tl.exp2, torch.exp2),
        "log": (tl.log, torch.log), "log2": (tl.log2, torch.log2), "sin": (tl.sin, torch.sin),
        "cos": (tl.cos, torch.cos), "sqrt": (tl.sqrt, torch.sqrt), "abs": (tl.abs, torch.abs),
        "rsqrt": (tl.rsqrt, torch.rsqrt), "floor": (tl.floor, torch.floor),
        "ceil": (tl.ceil, torch.ceil), "sigmoid": (tl.sigmoid, torch.sigmoid),
        "sqrt_rn": (tl.sqrt_rn, torch.sqrt), "math.erf": (tl.math.erf, torch.erf),
    }  # fmt: skip
    assert wrong(pairs, x) == []


def probe_libdevice_of_one_argument():
    x = torch.rand(64) * 0.8 + 0.1
    same = [
        "erf",
        "erfc",
        "erfinv",
        "exp",
        "exp2",
        "expm1",
        "log",
        "log2",
        "log10",
        "log1p",
        "sqrt",
        "rsqrt",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "atanh",
        "floor",
        "ceil",
        "trunc",
        "abs",
        "lgamma",
    ]
    pairs = {name: (getattr(libdevice, name), getattr(torch, name)) for name in same}
    pairs |= {
        "acosh": (lambda v: libdevice.acosh(v + 1), lambda v: torch.acosh(v + 1)),
        "rint": (lambda v: libdevice.rint(v * 9), lambda v: torch.round(v * 9)),
        "nearbyint": (lambda v: libdevice.nearbyint(v * 9), lambda v: torch.round(v * 9)),
        "round": (libdevice.round, lambda v: torch.floor(v + 0.5)),
        "cbrt": (libdevice.cbrt, lambda v: v.double() ** (1 / 3)),
        "exp10": (libdevice.exp10, lambda v: 10 ** v.double()),
        "tgamma": (libdevice.tgamma, lambda v: torch.lgamma(v.double()).exp()),
        "normcdf": (libdevice.normcdf, torch.special.ndtr),
        "j0": (libdevice.j0, torch.special.bessel_j0),
        "j1": (libdevice.j1, torch.special.bessel_j1),
        "i0": (libdevice.cyl_bessel_i0, torch.special.i0),
        "erfcx": (libdevice.erfcx, torch.special.erfcx),
        "isnan": (libdevice.isnan, torch.isnan),
        "isinf": (libdevice.isinf, torch.isinf),
        "signbit": (libdevice.signbit, torch.signbit),
        "finitef": (libdevice.finitef, torch.isfinite),
        "fast_expf": (libdevice.fast_expf, torch.exp),
        "fast_logf": (libdevice.fast_logf, torch.log),
        "fast_sinf": (libdevice.fast_sinf, torch.sin),
        "fast_cosf": (libdevice.fast_cosf, torch.cos),
        "rcp_rn": (libdevice.rcp_rn, torch.reciprocal),
    }
    assert wrong(pairs, x) == []


def probe_libdevice_of_two_arguments():
    x, y = torch.rand(64) + 0.1, torch.rand(64) + 0.1
    pairs = {
        "pow": torch.pow, "atan2": torch.atan2, "fmod": torch.fmod, "hypot": torch.hypot,
        "copysign": torch.copysign, "div_rn": torch.div, "fast_dividef": torch.div,
        "fast_powf": torch.pow, "nextafter": torch.nextafter, "add_rn": torch.add,
        "mul_rn": torch.mul, "sub_rn": torch.sub, "fdim": lambda a, b: (a - b).clamp(min=0),
    }  # fmt: skip
    for name, truth in pairs.items():
        o = torch.empty(64)
        binary_kernel[(1,)](x, y, o, B=64, F=getattr(libdevice, name))
        near(o, truth(x, y), within=2e-6)
    constant_kernel[(1,)](x, o, B=64)
    near(o, x * x, within=2e-6)


def probe_libdevice_of_bits():
    x = torch.tensor([1, 2, 255, 0, -1, 7, 16, 1 << 30], dtype=torch.int32)
    near(unary(libdevice.popc, x, torch.int32), torch.tensor([1, 1, 8, 0, 32, 3, 1, 1]))
    near(unary(libdevice.clz, x, torch.int32), torch.tensor([31, 30, 24, 32, 0, 29, 27, 1]))
    near(unary(libdevice.ffs, x, torch.int32), torch.tensor([1, 2, 1, 0, 1, 1, 5, 31]))
    f = torch.randn(8)
    assert torch.equal(unary(libdevice.float_as_int, f, torch.int32), f.view(torch.int32))


def probe_libdevice_of_cuda():
    x, o = torch.randn(64), torch.empty(64)
    cuda_kernel[(1,)](x, o, B=64)
    near(o, x.tanh(), within=1e-6)


def probe_libdevice_of_doubles():
    x = torch.rand(64, dtype=torch.float64)
    near(unary(libdevice.erf, x, torch.float64), torch.erf(x), within=1e-15)


def probe_functions_round_once_on_every_processor():
    x = torch.linspace(0.1, 9.9, 64)
    for ours, truth in (
        (tl.exp, torch.exp),
        (tl.log2, torch.log2),
        (tl.sin, torch.sin),
        (tl.erf, torch.erf),
        (libdevice.tanh, torch.tanh),
        (libdevice.log1p, torch.log1p),
    ):
        assert torch.equal(unary(ours, x), truth(x.double()).float()), truth


def probe_libdevice_takes_no_halves():
    # A compiler refuses them as well.
    with fails("KeyError", "float16"):
        unary(libdevice.erf, torch.rand(64).half(), torch.float16)


def probe_unknown_function_is_refused():
    with fails("NotInterpretable", "__nv_rcp64h"):
        x = torch.ones(8, dtype=torch.float64)
        unary(lambda v: libdevice.rcp64h(v), x, torch.float64)
