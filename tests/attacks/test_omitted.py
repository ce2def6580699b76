from kernelbenchx.attacks.attack import attacks
from kernelbenchx.attacks.omitted import OMITTED, all_classes


def test_every_class_is_attacked_or_left_out_with_a_reason() -> None:
    attacked = {one.ident for one in attacks()}
    assert attacked | set(OMITTED) == set(all_classes())
    assert all(len(reason) > 20 for reason in OMITTED.values())


def test_no_class_is_both() -> None:
    assert not {one.ident for one in attacks()} & set(OMITTED)


def test_there_are_73_classes() -> None:
    assert len(all_classes()) == len(set(all_classes())) == 73
