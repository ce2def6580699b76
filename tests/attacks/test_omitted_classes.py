from kernelbenchx.attacks.attack import attacks, timing_attacks
from kernelbenchx.attacks.omitted_classes import OMITTED

SECTIONS = {"N": 11, "C": 30, "T": 24, "V": 17, "X": 16}
CLASSES = {f"{kind}{n}" for kind, count in SECTIONS.items() for n in range(1, count + 1)}
ATTACKED = {one.ident for one in (*attacks(), *timing_attacks())}


def test_every_class_is_attacked_or_left_out_with_a_reason() -> None:
    assert ATTACKED | set(OMITTED) == CLASSES
    assert all(len(reason) > 20 for reason in OMITTED.values())


def test_no_class_is_both() -> None:
    assert not ATTACKED & set(OMITTED)
