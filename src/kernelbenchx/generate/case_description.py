"""A case in the words that its author may read: shapes, dtypes, layouts and switches, no value."""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from kernelbenchx.catalog.statement import Statement
from kernelbenchx.core.outcome import CaseResult, CaseState
from kernelbenchx.core.parsing import parse_python

_DTYPE = re.compile(r"bool|(u?int|float|bfloat|complex)\d+(_\w+)?")
_SIZES = re.compile(r"\(((-?\d+,?)*)\)")
_REAL = re.compile(r"-?(\d+\.\d*|\d*\.\d+|\d+(\.\d*)?e[+-]?\d+|inf|nan)")
_REALS = re.compile(rf"\(({_REAL.pattern}|-?\d+|,)*\)")
_LAYOUT = re.compile(r"(\w+_)?layout")
_VALUES = "values"
"""How the inputs of a problem are drawn."""
_FAILED = (CaseState.WRONG, CaseState.BROKEN)
_TELLING = 0.5
"""A trait is named if it is more frequent by this much among failing than among passing cases."""


def case_words(case: str, statement: Statement) -> str:
    """`shape=(5, 409), dtype=bfloat16, layout=strided`; how values were drawn is left out."""
    known = _may_be_told(statement, [case])
    told = (_describe_trait(name, value, known) for name, value in _pairs(case))
    return ", ".join(words for words in told if words)


def in_common(cases: Sequence[CaseResult], statement: Statement) -> str:
    """`All failing inputs, and no other, have dtype=bfloat16`; empty where nothing separates them.

    Where it does not hold for all, or for passing ones too, the text gives counts.
    """
    failed = [one for one in cases if one.state in _FAILED]
    right = [one for one in cases if one.state is CaseState.PASSED]
    if len(failed) < 2 or not right:
        return ""
    known = _may_be_told(statement, [one.case for one in cases])
    failing, passing = (
        Counter(trait for one in group for trait in _traits(one.case, known))
        for group in (failed, right)
    )
    alone = sorted(one for one, n in failing.items() if n == len(failed) and not passing[one])
    if alone:
        return f"All failing inputs, and no other, have {', '.join(alone)}"

    def excess(trait: str) -> float:
        return failing[trait] / len(failed) - passing[trait] / len(right)

    best = max(sorted(failing), key=excess, default="")
    if not best or excess(best) < _TELLING:
        return ""
    some = f"{failing[best]} of {len(failed)} failing inputs have {best}"
    return f"{some}; {passing[best] or 'none'} of {len(right)} that pass"


def _traits(case: str, known: frozenset[str]) -> set[str]:
    """Shapes are no trait: no two cases need have the same."""
    pairs = [(name, value) for name, value in _pairs(case) if not _SIZES.fullmatch(value)]
    return {_describe_trait(name, value, known) for name, value in pairs} - {""}


def _pairs(case: str) -> Iterator[tuple[str, str]]:
    """Name and value; commas inside brackets do not separate."""
    for part in re.split(r",(?=[A-Za-z_]\w*=)", case):
        name, equals, value = part.partition("=")
        if equals:
            yield name, value


def _describe_trait(name: str, value: str, known: frozenset[str]) -> str:
    if _SIZES.fullmatch(value):
        return f"{name}={value.replace(',', ', ').replace(', )', ',)')}"
    if _LAYOUT.fullmatch(name) or _DTYPE.fullmatch(value):
        return f"{name}={value}"
    if name not in known:
        return ""
    if _REALS.fullmatch(value):
        return f"{name} given"
    return f"{name} a number" if _REAL.fullmatch(value) else f"{name}={value}"


def _may_be_told(statement: Statement, cases: Sequence[str]) -> frozenset[str]:
    """Names that feedback may quote: the arguments, or the sizes of a problem."""
    if not statement.level:
        return _parameters(statement)
    return frozenset(name for case in cases for name, _ in _pairs(case)) - {_VALUES}


def _parameters(statement: Statement) -> frozenset[str]:
    """Names of the arguments that the task's function takes."""
    function = parse_python(f"def {statement.signature}: ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    every = function.args
    return frozenset(one.arg for one in (*every.posonlyargs, *every.args, *every.kwonlyargs))
