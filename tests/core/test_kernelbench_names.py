from kernelbenchx.core.kernelbench_names import read_kernel_name, read_problem_name


def test_names_of_kernels_say_problem_and_sample() -> None:
    found = read_kernel_name("level_2_problem_12_sample_3_kernel#2")
    assert found == (2, 12, 3)
    assert str(found) == "KernelBench level 2, problem 12"


def test_other_names_say_nothing() -> None:
    for other in ("level_2_problem_12_sample_3", "level_x_problem_1_sample_0_kernel", "gelu"):
        assert read_kernel_name(other) is None


def test_names_of_problem_files_say_level_and_number() -> None:
    assert read_problem_name("level1/19_ReLU") == (1, 19)
    assert read_problem_name("level3/7_Net:bf16") == (3, 7)
    for other in ("level1/relu", "level4/19_ReLU", "fusion/19_ReLU", "level1/3d_pool", "19_ReLU"):
        assert read_problem_name(other) is None
