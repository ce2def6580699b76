"""The words a task file is written in."""

from kernelbenchx.spec.call import Call, CaseDevice, GeneratorSeed, call
from kernelbenchx.spec.cases import Case, called, case, grid
from kernelbenchx.spec.close import Close, Perturbed
from kernelbenchx.spec.contract import Contract, Evidence, Verdict
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.distribution import Dropout, Uniform
from kernelbenchx.spec.exact import Exact
from kernelbenchx.spec.families.axes import argument
from kernelbenchx.spec.families.elementwise import elementwise
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant, Patch
from kernelbenchx.spec.promises import Promise
from kernelbenchx.spec.properties import (
    Descending,
    Filled,
    Matches,
    NonNegative,
    Orthonormal,
    Property,
    Reconstructs,
    Upper,
)
from kernelbenchx.spec.quantized import Quantized, Scheme, product_slack, symmetric
from kernelbenchx.spec.task import Task

__all__ = [
    "Call",
    "Case",
    "CaseDevice",
    "Close",
    "Contract",
    "Cost",
    "Descending",
    "Draw",
    "Dropout",
    "Evidence",
    "Exact",
    "Filled",
    "GeneratorSeed",
    "Matches",
    "Mutant",
    "NonNegative",
    "Orthonormal",
    "Patch",
    "Perturbed",
    "Promise",
    "Property",
    "Quantized",
    "Reconstructs",
    "Scheme",
    "Task",
    "Uniform",
    "Upper",
    "Verdict",
    "argument",
    "call",
    "called",
    "case",
    "elementwise",
    "grid",
    "product_slack",
    "symmetric",
]
