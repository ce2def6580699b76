"""Times on a card: fresh inputs, judged outputs, two clocks, intervals, limits of physics."""
