"""GPU timing: fresh inputs, judged outputs, device and call times, intervals, rooflines."""
