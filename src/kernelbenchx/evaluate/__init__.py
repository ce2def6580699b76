"""The pipeline: stages in order, many submissions at once.

Called as `kernelbenchx.evaluate(...)` it is the public function of `kernelbenchx/evaluator.py`.
"""

from kernelbenchx.callable_package import make_callable

make_callable(__name__)
