from pathlib import Path

import pytest

from kernelbenchx import catalog
from kernelbenchx.catalog import index
from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.index import describe, main


@pytest.mark.parametrize("kept", ["{}", "<<<<<<< ours"])
def test_an_index_that_is_out_of_date_is_named_and_written_anew(
    kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "index.json"
    path.write_text(kept)
    monkeypatch.setattr(index, "INDEX", path)
    monkeypatch.setattr(catalog, "names", lambda: ("activation/relu",))
    with pytest.raises(SystemExit, match="run `make index`: activation/relu"):
        main(["--check"])
    main([])
    assert capsys.readouterr().out == "changed: activation/relu\n"
    with pytest.raises(SystemExit) as ended:
        main(["--check"])
    assert ended.value.code == 0


def test_the_signature_is_as_it_is_written() -> None:
    assert "stride: Pair=1" in describe("convolution/conv2d").signature
    assert describe("random/rand").signature.startswith("rand(*size: Any, generator: torch.Gen")


def test_of_a_contract_what_differs_from_its_defaults_is_kept() -> None:
    assert facts("convolution/conv2d").contract.options == {"scale": "_Rounding", "tf32": "True"}
    assert facts("math/reciprocal").contract.options == {}
    (inner,) = facts("fusion/fused_bmm_dropout_gelu").contract.parts
    assert inner.kind == "Close"
    laws = [part.kind for part in facts("linear_algebra/svd").contract.parts]
    assert laws[0] == "NonNegative" and laws.count("Orthonormal") == 2
