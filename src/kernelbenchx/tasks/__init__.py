"""The catalogue: one folder per category, one file per task.

Called as `kernelbenchx.tasks(...)` it is the public function of `kernelbenchx/task_info.py`.
"""

from kernelbenchx.callable_package import make_callable

make_callable(__name__)
