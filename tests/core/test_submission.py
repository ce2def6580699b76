from kernelbenchx.core.submission import Submission


def test_the_digest_depends_on_the_source_alone() -> None:
    one = Submission(name="a", task="math/add", source="x = 1\n")
    same = Submission(name="b", task="math/div", source="x = 1\n")
    other = Submission(name="a", task="math/add", source="x = 2\n")
    assert one.digest == same.digest
    assert one.digest != other.digest
