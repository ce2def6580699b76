import importlib.util

import pytest

from kernelbenchx.core.errors import BadInput
from kernelbenchx.evaluate.dependencies import require_evaluation_extra


def test_an_installation_with_torch_is_fine() -> None:
    require_evaluation_extra()


def test_one_without_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(BadInput, match="kernelbenchx\\[eval\\]"):
        require_evaluation_extra()
