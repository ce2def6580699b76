"""Compiles sources in forked children of one warm process; JSON lines in, JSON lines out."""

import importlib.util
import json
import os
import sys
import tempfile
from types import ModuleType
from typing import Any

from worker.cross_compile import compile_recorded, install, prewarm


def main() -> None:
    prewarm("sm_90")
    # Replies go where nobody prints.
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        with tempfile.TemporaryDirectory() as folder:
            child = os.fork()
            if child == 0:
                os.environ["TRITON_CACHE_DIR"] = folder
                _answer(json.loads(line), replies)
                os._exit(0)
            _, status = os.waitpid(child, 0)
        if status:
            print(json.dumps({"died": status}), file=replies, flush=True)


def _answer(order: dict[str, Any], replies: Any) -> None:
    compilation = install(
        order["target"], all_configurations=order["all_configurations"], seed=order["seed"]
    )
    raised, returned, not_tried, refused, differences = None, None, [], [], []
    module = _load(order["path"])
    try:
        if order["launches"] is None:
            returned = module.main()
        else:
            recorded = compile_recorded(vars(module), order["launches"], compilation)
            not_tried, refused = recorded.untried, recorded.refused
            differences = recorded.differences
    except Exception as error:  # noqa: BLE001 - a test asks what the wrapper would have seen
        raised = {"type": type(error).__name__, "message": str(error)}
    reply = {
        "kernels": compilation.kernels,
        "launched": compilation.launched,
        "raised": raised,
        "returned": returned,
        "not_tried": not_tried,
        "refused": refused,
        "differences": differences,
    }
    print(json.dumps(reply), file=replies, flush=True)


def _load(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("submission", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["submission"] = module
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
