"""The counterparts of what the papers print."""

from attempts_made import made
from kernelbenchx.analysis.papers import tables
from paper_samples import at_published_sizes


def test_stored_times_are_of_the_named_gpu_or_that_of_the_run() -> None:
    given = [at_published_sizes("activation/relu", 1.0, 2.0)]
    here = [at_published_sizes("activation/relu", 1.0, 2.0, gpu="NVIDIA H20, published sizes")]

    def reference(attempts: list, gpu: str = "") -> str:  # type: ignore[type-arg]
        (found,) = [one for one in tables(attempts, gpu) if one.name == "paper_speedups"]
        return str(found.records()[1]["reference"])

    assert reference(given) == "stored RTX 5090, every row"
    assert reference(given, "h800") == "stored H800 PCIe, every row"
    assert reference(here) == "stored H20, every row"


def test_a_run_without_times_has_no_speed() -> None:
    found = {one.name: one for one in tables([made("activation/relu")])}
    assert found["paper_speedups"].rows == found["paper_sums"].rows == ()
