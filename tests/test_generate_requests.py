"""A thousand requests at once: what was printed keeps its promises, and a small one does too."""

import re
import sys

import pytest

from benchmark_files import FOLDER, benchmark

PRINTED = (FOLDER / "generate_requests.txt").read_text(encoding="utf-8")


def test_what_was_printed_keeps_its_promises() -> None:
    module = benchmark("generate_requests")
    assert PRINTED.startswith("1000 requests at once, at most 64 in flight\n")
    rows = re.findall(r"^\| (.+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) MB \|", PRINTED, flags=re.M)
    assert [row[0] for row in rows] == list(module.SCRIPTS)
    for _, tries, lost, at_once, memory_mb in rows:
        assert int(tries) >= 1000
        assert int(lost) == 0
        assert int(at_once) == 64
        assert int(memory_mb) < module.MOST_MB == 1024
    assert int(rows[1][1]) > 1000


def test_faults_are_got_over_and_lost_replies_would_be_seen() -> None:
    module = benchmark("generate_requests")
    found = module.ask_all("every fifth fails", requests=24, in_flight=12)
    assert (found.requests, found.lost) == (24, 0)
    assert found.tries > 24
    assert found.at_once <= 12


def test_replies_that_are_not_ones_own_count_as_lost() -> None:
    module = benchmark("generate_requests")
    texts = {0: "reply 0 and more", 1: "reply 11 ", 3: "reply 3 "}
    assert module.own_replies(texts, 5) == 2


def test_what_was_printed_of_harmful_replies_keeps_its_promises() -> None:
    module = benchmark("generate_requests")
    assert "\n200 harmful replies to kbx generate --method sample\n" in PRINTED
    rows = re.findall(r"^\| (.+) \| (\d+) \| (yes|no) \| (\d+) MB \|", PRINTED, flags=re.M)
    assert [row[0] for row in rows] == list(module.HARMFUL)
    for _, judged, clean, memory_mb in rows:
        assert (int(judged), clean) == (200, "yes")
        assert int(memory_mb) < module.MOST_MB


@pytest.mark.usefixtures("warm_workers")
def test_harm_is_survived_and_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    module = benchmark("generate_requests")
    found = module.survive("no end", 3, "--stage", "check")
    assert (found.judged, found.clean) == (3, True)
    monkeypatch.setattr(module.kbx, "main", lambda *_, **__: sys.stdout.write("\x1b[2J") * 0)
    assert not module.survive("no end", 3, "--stage", "check").clean
