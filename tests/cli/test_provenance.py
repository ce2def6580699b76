from kernelbenchx.cli.provenance import describe_isolation, setting, versions
from kernelbenchx.core.environment import Environment

HERE = Environment(
    harness="1.2", python="3.11.9", torch="2.13.0", triton="3.7.1", machine="Linux x86_64"
)
CARD = Environment(
    harness="1.2", python="3.12", torch="2.11", triton="3.6", machine="Linux", gpu="Some Card"
)


def test_versions_are_named() -> None:
    assert versions(HERE) == "torch 2.13.0, triton 3.7.1, Python 3.11.9, Linux x86_64"


def test_what_a_level_lacks_is_said_and_nothing_where_it_lacks_nothing() -> None:
    assert describe_isolation("L3", ()) == "isolation L3"
    assert (
        describe_isolation("L1", ("seccomp", "landlock"))
        == "isolation L1 (missing: seccomp, landlock)"
    )


def test_the_setting_is_one_line_with_the_card_or_without_one() -> None:
    said = setting(HERE, "L3", (), checks=True)
    assert said.startswith("kernelbenchx 1.2, torch 2.13.0, ")
    assert said.endswith("Linux x86_64, no GPU, isolation L3, source checks on")
    other = setting(CARD, "L2", ("namespaces",), checks=False)
    assert "Some Card" in other and "no GPU" not in other
    assert other.endswith("isolation L2 (missing: namespaces), source checks switched off")
