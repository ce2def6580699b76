import json
from pathlib import Path

import pytest

from kernelbenchx.catalog import certificates
from kernelbenchx.catalog.digests import certificate_digest


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "certificates.json"
    monkeypatch.setattr(certificates, "PATH", path)
    certificates._load_certificates.cache_clear()
    return path


def test_a_certificate_stands_only_for_the_file_it_was_made_for(shipped: Path) -> None:
    digest = certificate_digest("activation/relu")
    certified = {"activation/relu": {"digest": digest}, "activation/gelu": {"digest": "older"}}
    shipped.write_text(json.dumps(certified))
    assert certificates.standing("activation/relu")
    assert not certificates.standing("activation/gelu")
    assert not certificates.standing("activation/selu")
    certificates._load_certificates.cache_clear()


def test_without_certificates_nothing_is_certified(shipped: Path) -> None:
    assert not shipped.exists()
    assert not certificates.standing("activation/relu")
    certificates._load_certificates.cache_clear()
