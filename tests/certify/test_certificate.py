from kernelbenchx.certify.certificate import Certificate, Kill

KILLS = (
    Kill(name="a", kind="mutant", killed=True, by="case"),
    Kill(name="b", kind="patch", killed=False),
    Kill(name="c", kind="sabotage", killed=True, by="case"),
)


def _certificate(*problems: str) -> Certificate:
    return Certificate(
        task="math/add", digest="d", witness="correct", worst=0.1, kills=KILLS, problems=problems
    )


def test_kills_are_counted_by_kind() -> None:
    certificate = _certificate()
    assert certificate.count("mutant", "patch") == 2
    assert certificate.count_killed("mutant", "patch") == 1
    assert certificate.count_killed("sabotage") == certificate.count("sabotage") == 1


def test_a_problem_is_no_certificate() -> None:
    assert _certificate().certified
    assert not _certificate("patch 'b' lives").certified
