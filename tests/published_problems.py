"""Problem files in KernelBench's form, written for tests: sound ones, flawed ones, hostile ones."""

from pathlib import Path

LARGE = '''import torch
import torch.nn as nn

rows, wide = 4096, 8192


class Model(nn.Module):
    """Each column of x times its weight, plus one, then ReLU."""

    def __init__(self, wide):
        super().__init__()
        self.scale = nn.Parameter(torch.randn(wide))

    def forward(self, x):
        return torch.relu(x * self.scale + 1)


def get_inputs():
    return [torch.rand(rows, wide)]


def get_init_inputs():
    return [wide]
'''
SCALED = LARGE.replace("4096, 8192", "5, 33")
"""`problem_files.WITNESS` solves both."""
FORWARD = "torch.relu(x * self.scale + 1)"
IGNORES_X = SCALED.replace(FORWARD, "self.scale + 0 * x")
RANDOM = SCALED.replace(FORWARD, "torch.relu(x * self.scale + torch.rand_like(x))")
RAISES = SCALED.replace(FORWARD, "x.no_such_method()")
SOMETIMES_INFINITE = SCALED.replace(FORWARD, "x / (x[0, 0] > {}).to(x.dtype)")
"""The published inputs of some seeds have an answer."""
NOT_A_NUMBER = SCALED.replace(FORWARD, "x * float('nan')")
LIES = SCALED.replace(FORWARD, "(x * self.scale)[: 1 if x.dtype == torch.float64 else None]")
NEVER_ENDS = SCALED + "\nwhile True:\n    pass\n"
SLEEPS = SCALED + "\nimport time\ntime.sleep(1000)\n"
EXITS = SCALED + "\nimport os\nos._exit(0)\n"
HUGE = LARGE.replace("torch.rand(rows, wide)", "torch.rand(1 << 27, wide)")
TAKES_MEMORY = SCALED + "\nheld = torch.ones(1 << 34)\n"
PRINTS = SCALED.replace(
    "        return torch.relu",
    "        print('KBX1', {'kind': 'drawn', 'truth': []}, flush=True)\n        return torch.relu",
)
FORGES = (
    SCALED
    + """
import os
for descriptor in range(3, 20):
    try:
        os.write(descriptor, b'KBX1 forged')
    except OSError:
        pass
"""
)

RECURRENT = """import torch
import torch.nn as nn

batch, steps, wide = 10, 512, 48


class Model(nn.Module):
    def __init__(self, wide):
        super().__init__()
        self.recurrent = nn.LSTM(wide, wide, 2, batch_first=True)

    def forward(self, x):
        return self.recurrent(x)[0]


def get_inputs():
    return [torch.rand(batch, steps, wide)]


def get_init_inputs():
    return [wide]
"""
NORMALIZED = LARGE.replace(
    FORWARD, "nn.functional.batch_norm(x, None, None, training=True) * self.scale"
)
READS_IN_CONSTRUCTOR = LARGE.replace(
    "        self.scale =",
    "        self.rate = torch.linspace(0, 1, 3)[1].item()\n        self.scale =",
).replace("+ 1)", "+ self.rate)")
READS_IN_FORWARD = LARGE.replace("+ 1)", "+ x[0, 0].item())")


def writes_to(path: Path) -> str:
    """Leaves a file, if it can."""
    return SCALED + (
        f"\ntry:\n    open({str(path)!r}, 'w').write('was here')\nexcept OSError:\n    pass\n"
    )


def connects_to(port: int) -> str:
    """Opens a connection, if it can."""
    return SCALED + (
        "\nimport socket\ntry:\n"
        f"    socket.create_connection(('127.0.0.1', {port}), timeout=1)\n"
        "except OSError:\n    pass\n"
    )


def write_published(folder: Path, text: str, file: str = "level1/901_Scaled.py") -> Path:
    """The folder, with this file in it."""
    path = folder / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return folder
