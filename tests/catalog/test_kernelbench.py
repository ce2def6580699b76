from kernelbenchx import catalog
from kernelbenchx.catalog.kernelbench import find_problem, problem_files


def test_problems_are_found_by_number() -> None:
    assert find_problem(2, 12) == "level2/gemm_multiply_leaky_relu"
    assert find_problem(2, 101) is None


def test_the_data_set_has_250_files() -> None:
    assert [len(problem_files(level)) for level in (1, 2, 3, 4)] == [100, 100, 50, 0]
    assert problem_files(2)[11].startswith("12_")


def test_a_problem_is_also_found_by_the_name_of_its_published_file() -> None:
    assert catalog.select("level1/19_ReLU") == ("level1/relu",)
    assert catalog.select("level1/19_ReLU:bf16") == ("level1/relu:bf16",)
    for other in ("level1/19_Relu", "level2/19_ReLU", "19_ReLU", "level1/101_ReLU"):
        assert catalog.find(other) is None
