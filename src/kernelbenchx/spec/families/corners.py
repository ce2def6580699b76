"""What every run meets beyond what a family plans: calls, and values at the ends of floats."""

import math
from collections.abc import Mapping
from dataclasses import replace

from kernelbenchx.spec.task import Task

ENDS = (math.inf, -math.inf, math.nan)
"""Planted by nearly every task."""


def with_corners(task: Task, *corners: Mapping[str, str]) -> Task:
    """The same task; options by axis, an axis that is not named takes its first one."""
    if task.space is None:
        raise ValueError("a task without a space has no corners")
    return replace(task, space=replace(task.space, corners=(*task.space.corners, *corners)))
