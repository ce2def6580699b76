from kernelbenchx.generate.search.log_speed import LogSpeed, improves


def _speed(value: float, half: float = 0.1, *, measured: bool = True) -> LogSpeed:
    return LogSpeed(value, value - half, value + half, measured)


def test_a_higher_lower_end_counts_and_the_same_again_does_not() -> None:
    assert improves(_speed(1.1), _speed(1.0))
    assert not improves(_speed(1.0), _speed(1.0))
    assert not improves(_speed(1.0), _speed(1.1))


def test_a_noisy_high_number_is_no_improvement() -> None:
    assert not improves(_speed(1.3, 0.5), _speed(1.0, 0.1))


def test_a_narrow_interval_below_the_number_is_no_improvement_either() -> None:
    assert not improves(_speed(0.95, 0.01), _speed(1.0, 0.1))


def test_a_measurement_stands_above_every_estimate() -> None:
    assert improves(_speed(-1.0), _speed(5.0, measured=False))
    assert not improves(_speed(5.0, measured=False), _speed(-1.0))


def test_the_noise_is_read_off_the_interval() -> None:
    assert 0.05 < _speed(0.0, 0.1).sd < 0.06
    assert LogSpeed(0.0, 0.0, 0.0).sd == 0.0
    assert LogSpeed(0.0, 0.0, 0.0).factor == 1.0
