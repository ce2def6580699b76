from kernelbenchx.attacks.attack import attacks, timing_attacks
from kernelbenchx.attacks.omitted_classes import OMITTED, all_classes

ATTACKED = {one.ident for one in (*attacks(), *timing_attacks())}


def test_every_class_is_attacked_or_left_out_with_a_reason() -> None:
    assert ATTACKED | set(OMITTED) == set(all_classes())
    assert all(len(reason) > 20 for reason in OMITTED.values())


def test_no_class_is_both() -> None:
    assert not ATTACKED & set(OMITTED)


def test_there_are_98_classes() -> None:
    assert len(all_classes()) == len(set(all_classes())) == 98
