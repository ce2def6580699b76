"""No handler around a launch."""

from collections.abc import Callable

import pytest

from kernelbenchx.checks.rule import Report
from kernelbenchx.core.outcome import Composition

Examine = Callable[..., Report]


def _f(body: str) -> str:
    return f"def f(x, y):\n    {body}\n    return x\n"


@pytest.mark.parametrize(
    "body",
    [
        "try:\n        launch(x)\n    except RuntimeError:\n        pass",
        "try:\n        launch(x)\n    except* ValueError:\n        pass",
        "try:\n        if x is not None:\n            launch(x)\n    except Exception as e:\n"
        "        raise ValueError from e",
        "try:\n        launch(x)\n    finally:\n        return x",
        "while True:\n        try:\n            launch(x)\n        finally:\n            break",
        "try:\n        (lambda: launch(x))()\n    except Exception:\n        pass",
        "launch(x)\n    try:\n        torch.cuda.synchronize()\n"
        "    except RuntimeError:\n        pass",
    ],
)
def test_a_handler_around_a_launch_is_refused(body: str, around: Examine) -> None:
    assert "fallback" in {finding.rule for finding in around(_f(body)).fatal}


@pytest.mark.parametrize(
    "body",
    [
        "try:\n        n = torch.broadcast_shapes(x.shape, y.shape)\n    except RuntimeError:\n"
        "        raise ValueError('shapes')\n    launch(x)",
        "try:\n        launch(x)\n    finally:\n        n = 1",
        "try:\n        n = int('3')\n    except ValueError:\n        n = 0\n    else:\n"
        "        launch(x)",
        "with torch.cuda.device(x.device):\n        launch(x)",
    ],
)
def test_a_handler_elsewhere_is_not(body: str, around: Examine) -> None:
    report = around(_f(body))
    assert not report.fatal
    assert report.composition is Composition.PURE


def test_torch_off_the_device_is_noted_and_not_counted(around: Examine) -> None:
    guarded = "if not x.is_cuda:\n        return torch.exp(x)\n    launch(x)"
    report = around(_f(guarded))
    assert report.composition is Composition.PURE
    assert [(finding.rule, finding.fatal) for finding in report.findings] == [("fallback", False)]
    small = guarded.replace("not x.is_cuda", "x.numel() < 9")
    assert around(_f(small)).composition is Composition.MIXED
