from kernelbenchx.catalog.kernelbench import find_problem, problem_files


def test_problems_are_found_by_number() -> None:
    assert find_problem(2, 12) == "level2/gemm_multiply_leaky_relu"
    assert find_problem(2, 101) is None


def test_the_data_set_has_250_files() -> None:
    assert [len(problem_files(level)) for level in (1, 2, 3, 4)] == [100, 100, 50, 0]
    assert problem_files(2)[11].startswith("12_")
