"""The environment of a zygote, built from nothing: no variable of this process is passed on."""

from pathlib import Path

from kernelbenchx.runner.gpus import visible_to_workers
from kernelbenchx.worker.settings import KINDS

# Where driver and toolkit libraries lie on machines that do not list them in ld.so.cache.
_LIBRARIES = ("/usr/local/nvidia/lib", "/usr/local/nvidia/lib64", "/usr/local/cuda/lib64")
_PROGRAMS = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")
_TOOLKIT = "/usr/local/cuda/bin"


def build_environment(kind: str, folder: str) -> dict[str, str]:
    """All variables for a zygote of this kind; `folder` is its home and temporary folder."""
    variables = {
        "PATH": ":".join(_PROGRAMS),
        "HOME": folder,
        "TMPDIR": folder,
        "USER": "nobody",
        "LOGNAME": "nobody",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "PYTHONDONTWRITEBYTECODE": "1",
        "TRITON_CACHE_DIR": f"{folder}/triton",
        "CUDA_VISIBLE_DEVICES": "",
        # One thread per worker: the judge runs as many workers as there are cores.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }
    if kind == "interpret":
        variables["TRITON_INTERPRET"] = "1"
    if KINDS[kind].device:
        variables["CUDA_VISIBLE_DEVICES"] = visible_to_workers()
        variables["CUDA_CACHE_PATH"] = f"{folder}/cuda"
        variables["PATH"] = ":".join((_TOOLKIT, *_PROGRAMS))
    # Modules are linked with the driver, also where none is used.
    if KINDS[kind].device or kind == "ahead":
        present = [path for path in _LIBRARIES if Path(path).is_dir()]
        if present:
            variables["LD_LIBRARY_PATH"] = ":".join(present)
    return variables
