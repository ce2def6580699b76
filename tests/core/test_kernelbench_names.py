from kernelbenchx.core.kernelbench_names import read_kernel_name


def test_names_of_kernels_say_problem_and_sample() -> None:
    found = read_kernel_name("level_2_problem_12_sample_3_kernel#2")
    assert found == (2, 12, 3)
    assert str(found) == "KernelBench level 2, problem 12"


def test_other_names_say_nothing() -> None:
    for other in ("level_2_problem_12_sample_3", "level_x_problem_1_sample_0_kernel", "gelu"):
        assert read_kernel_name(other) is None
