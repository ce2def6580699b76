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


def test_a_handler_in_code_that_the_entry_does_not_call_is_not(around: Examine) -> None:
    demo = "def demo(x):\n    try:\n        f(x, x)\n    except Exception:\n        pass\n"
    assert not around(_f("launch(x)") + demo).fatal
    used = around(demo.replace("f(x, x)", "launch(x)") + _f("demo(x)"))
    assert [finding.rule for finding in used.fatal] == ["fallback"]


def test_a_name_that_is_bound_under_a_handler_is_not_a_launch(around: Examine) -> None:
    bound = (
        "try:\n    helper = tl.sigmoid\nexcept AttributeError:\n"
        "    @triton.jit\n    def helper(x):\n        return x\n"
        "@triton.jit\ndef outer(x):\n    tl.store(x, helper(tl.load(x)))\n"
    )
    assert not around(bound + _f("outer[(1,)](x)")).fatal
    used = _f("try:\n        outer[(1,)](x)\n    except Exception:\n        pass")
    assert [finding.rule for finding in around(bound + used).fatal] == ["fallback"]
