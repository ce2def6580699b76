"""What the makers' data sheets say of common GPUs: bandwidth and dense matrix rates.

Dense means without structured sparsity: if a sheet prints the doubled figure, half of it stands
here. 16-bit and 8-bit float rates are those that accumulate in float32, which GeForce GPUs halve.
`fp64` is the tensor cores' rate on GPUs whose tensor cores have one. `fp32` is the ordinary cores'
rate, fused multiply-adds counted as two.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Sheet:
    """Peaks of one GPU model as its maker states them."""

    title: str
    bandwidth_gb_per_s: float
    tflops: dict[str, float]
    """By rate, named as in `core.performance.Gpu`."""
    l2_mib: int
    """MiB of L2 cache, as torch reports it."""


def sheet_of(name: str) -> Sheet | None:
    """The sheet by the name that torch gives a GPU.

    Only whole names match: an "RTX 4090 D", a laptop GPU or a partition of a GPU is another model.
    """
    return _BY_NAME.get(" ".join(name.lower().split()))


def _rates(
    *, fp64: float, fp32: float, tf32: float, half: float, int8: float, fp8: float | None = None
) -> dict[str, float]:
    """fp16 and bf16 are alike on all GPUs that have both."""
    rates = {"fp64": fp64, "fp32": fp32, "tf32": tf32, "fp16": half, "bf16": half, "int8": int8}
    return rates if fp8 is None else {**rates, "fp8": fp8}


_AMPERE = _rates(fp64=19.5, fp32=19.5, tf32=156.0, half=312.0, int8=624.0)
_HOPPER_SXM = _rates(fp64=67.0, fp32=67.0, tf32=494.5, half=989.5, int8=1979.0, fp8=1979.0)
_HOPPER_NVL = _rates(fp64=60.0, fp32=60.0, tf32=417.5, half=835.5, int8=1670.5, fp8=1670.5)
_HOPPER_PCIE = _rates(fp64=51.0, fp32=51.0, tf32=378.0, half=756.5, int8=1513.0, fp8=1513.0)

# The names that torch gives, and the title, bandwidth in GB/s and rates of the GPU's data sheet.
_SHEETS: tuple[tuple[tuple[str, ...], Sheet], ...] = (
    (
        ("NVIDIA GeForce RTX 4090",),
        Sheet(
            "RTX 4090",
            1008.0,
            _rates(fp64=1.29, fp32=82.6, tf32=82.6, half=165.2, int8=660.6, fp8=330.3),
            l2_mib=72,
        ),
    ),
    (
        ("NVIDIA GeForce RTX 5090",),
        Sheet(
            "RTX 5090",
            1792.0,
            _rates(fp64=1.64, fp32=104.8, tf32=104.8, half=209.5, int8=838.0, fp8=419.0),
            l2_mib=96,
        ),
    ),
    (("NVIDIA A100-PCIE-40GB",), Sheet("A100 PCIe 40 GB", 1555.0, _AMPERE, l2_mib=40)),
    (("NVIDIA A100-SXM4-40GB",), Sheet("A100 SXM 40 GB", 1555.0, _AMPERE, l2_mib=40)),
    (("NVIDIA A100 80GB PCIe",), Sheet("A100 PCIe 80 GB", 1935.0, _AMPERE, l2_mib=40)),
    (("NVIDIA A100-SXM4-80GB",), Sheet("A100 SXM 80 GB", 2039.0, _AMPERE, l2_mib=40)),
    (("NVIDIA H100 PCIe",), Sheet("H100 PCIe", 2039.0, _HOPPER_PCIE, l2_mib=50)),
    (("NVIDIA H100 80GB HBM3",), Sheet("H100 SXM", 3350.0, _HOPPER_SXM, l2_mib=50)),
    (("NVIDIA H100 NVL",), Sheet("H100 NVL", 3900.0, _HOPPER_NVL, l2_mib=60)),
    (("NVIDIA H200",), Sheet("H200 SXM", 4800.0, _HOPPER_SXM, l2_mib=60)),
    (("NVIDIA H200 NVL",), Sheet("H200 NVL", 4800.0, _HOPPER_NVL, l2_mib=60)),
    (
        ("NVIDIA H20",),
        Sheet(
            "H20",
            4000.0,
            _rates(fp64=1.0, fp32=44.0, tf32=74.0, half=148.0, int8=296.0, fp8=296.0),
            l2_mib=60,
        ),
    ),
    (("NVIDIA H800 PCIe",), Sheet("H800 PCIe", 2039.0, {**_HOPPER_PCIE, "fp64": 0.8}, l2_mib=50)),
    (("NVIDIA H800",), Sheet("H800 SXM", 3350.0, {**_HOPPER_SXM, "fp64": 1.0}, l2_mib=50)),
    (
        ("NVIDIA L20",),
        Sheet(
            "L20",
            864.0,
            _rates(fp64=0.93, fp32=59.8, tf32=59.8, half=119.5, int8=239.0, fp8=239.0),
            l2_mib=96,
        ),
    ),
    (
        ("NVIDIA L40S",),
        Sheet(
            "L40S",
            864.0,
            _rates(fp64=1.43, fp32=91.6, tf32=183.0, half=362.0, int8=733.0, fp8=733.0),
            l2_mib=96,
        ),
    ),
    (
        ("NVIDIA L4",),
        Sheet(
            "L4",
            300.0,
            _rates(fp64=0.47, fp32=30.3, tf32=60.0, half=121.0, int8=242.5, fp8=242.5),
            l2_mib=48,
        ),
    ),
    (
        ("NVIDIA A10G",),
        Sheet(
            "A10G", 600.0, _rates(fp64=0.55, fp32=35.0, tf32=35.0, half=70.0, int8=140.0), l2_mib=6
        ),
    ),
    # Turing's tensor cores have neither TF32 nor bfloat16.
    (
        ("Tesla T4",),
        Sheet("T4", 320.0, {"fp64": 0.25, "fp32": 8.1, "fp16": 65.0, "int8": 130.0}, l2_mib=4),
    ),
    (
        ("NVIDIA B200",),
        Sheet(
            "B200",
            8000.0,
            _rates(fp64=40.0, fp32=80.0, tf32=1125.0, half=2250.0, int8=4500.0, fp8=4500.0),
            l2_mib=126,
        ),
    ),
)

_BY_NAME = {name.lower(): sheet for names, sheet in _SHEETS for name in names}
