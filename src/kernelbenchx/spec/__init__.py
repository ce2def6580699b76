"""The words a task file is written in."""

from kernelbenchx.spec.binomial import Binomial
from kernelbenchx.spec.call import Call, CaseDevice, GeneratorSeed, call
from kernelbenchx.spec.cases import Case, case, grid, repeat_calls
from kernelbenchx.spec.close import Close, Perturbed
from kernelbenchx.spec.contract import Contract, Evidence, Verdict
from kernelbenchx.spec.cost import Cost
from kernelbenchx.spec.distribution import Dropout, Uniform
from kernelbenchx.spec.exact import Exact
from kernelbenchx.spec.exact_contiguous import ExactContiguous
from kernelbenchx.spec.families.attention import attention_family
from kernelbenchx.spec.families.axes import Normal, argument
from kernelbenchx.spec.families.binary import binary
from kernelbenchx.spec.families.convolution import convolution
from kernelbenchx.spec.families.decomposition import decomposition
from kernelbenchx.spec.families.dropout import dropout
from kernelbenchx.spec.families.elementwise import elementwise
from kernelbenchx.spec.families.grid_sampling import sampling
from kernelbenchx.spec.families.indexing import indexing
from kernelbenchx.spec.families.linear import linear_layer, wide_linear
from kernelbenchx.spec.families.loss import IGNORED, loss, reduced_size, split_shape
from kernelbenchx.spec.families.matmul import any_ranks, matmul
from kernelbenchx.spec.families.mistakes import ignore_argument
from kernelbenchx.spec.families.normalization import normalization
from kernelbenchx.spec.families.optimizer import optimizer_step
from kernelbenchx.spec.families.pooling import pooling
from kernelbenchx.spec.families.problem import problem
from kernelbenchx.spec.families.quantized import Rule, quantise, quantized_product
from kernelbenchx.spec.families.random_numbers import random_numbers
from kernelbenchx.spec.families.reduction import reduction
from kernelbenchx.spec.inputs import Draw
from kernelbenchx.spec.mutants import Mutant, Patch
from kernelbenchx.spec.picked import Picked
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
    "IGNORED",
    "Binomial",
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
    "ExactContiguous",
    "Filled",
    "GeneratorSeed",
    "Matches",
    "Mutant",
    "NonNegative",
    "Normal",
    "Orthonormal",
    "Patch",
    "Perturbed",
    "Picked",
    "Promise",
    "Property",
    "Quantized",
    "Reconstructs",
    "Rule",
    "Scheme",
    "Task",
    "Uniform",
    "Upper",
    "Verdict",
    "any_ranks",
    "argument",
    "attention_family",
    "binary",
    "call",
    "case",
    "convolution",
    "decomposition",
    "dropout",
    "elementwise",
    "grid",
    "ignore_argument",
    "indexing",
    "linear_layer",
    "loss",
    "matmul",
    "normalization",
    "optimizer_step",
    "pooling",
    "problem",
    "product_slack",
    "quantise",
    "quantized_product",
    "random_numbers",
    "reduced_size",
    "reduction",
    "repeat_calls",
    "sampling",
    "split_shape",
    "symmetric",
    "wide_linear",
]
