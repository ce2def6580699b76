"""The words of a statement about a task's numerical contract, from its options."""

from collections.abc import Callable

from kernelbenchx.catalog.facts import ContractFacts
from kernelbenchx.core.errors import BrokenTask


def contract_words(contract: ContractFacts) -> str:
    """Plain sentences; they say what is expected, never what is tested."""
    words = _CONTRACTS.get(contract.kind)
    if words is None:
        raise BrokenTask(f"no words for the contract {contract.kind}")
    return words(contract)


def _describe_close(contract: ContractFacts) -> str:
    options = contract.options
    where = options.get("compute", "float32").removeprefix("torch.")
    units = "one unit in the last place for 16-bit outputs and four for wider ones"
    ulps = options.get("ulps", "None")
    if ulps != "None":
        units = f"{ulps} units in the last place of the output's dtype"
    text = (
        "Every element is compared with the exact result. Expected is what a computation in "
        f"{where} gives, rounded once to the output's dtype (float64 inputs: in float64): "
        f"within {units}"
    )
    if options.get("scale") == "Intermediates":
        text += (
            f", plus what rounding every intermediate result to {_rounding(options, where)}, "
            "in any order of summation, can add at that element"
        )
    elif "scale" in options:
        text += ", plus what rounding inside the computation, in any order, can add at that element"
    sentences = [text + ".", _dots(options)]
    sentences.append("NaN and infinities stand exactly where they stand in the exact result.")
    signs = options.get("signed_zero") == "True"
    sentences.append("The sign of a zero counts." if signs else "-0.0 equals 0.0.")
    return " ".join(sentence for sentence in sentences if sentence)


def _rounding(options: dict[str, str], where: str) -> str:
    return "TF32" if options.get("tf32") == "True" else where


def _dots(options: dict[str, str]) -> str:
    if options.get("tf32") == "True":
        return "Dot products of float32 inputs may round their operands to TF32."
    return "TF32 operands are not allowed in dot products of float32 inputs."


def _describe_exact(contract: ContractFacts) -> str:
    signs = (
        "the sign of a zero counts" if contract.options.get("signed_zero") else "-0.0 equals 0.0"
    )
    return (
        f"Every element must equal the reference exactly; NaN counts as equal to NaN, and {signs}."
    )


def _describe_exact_contiguous(contract: ContractFacts) -> str:
    return f"{_describe_exact(contract)} The result must be contiguous."


def _describe_uniform(contract: ContractFacts) -> str:
    options = contract.options
    low, high = options.get("low", "0"), options.get("high", "1")
    return (
        f"Judged by their law, not by one stream: independent numbers, uniform on [{low}, {high}) "
        f"where {high} itself never occurs, with at least 23 random bits. No row, column, diagonal "
        "or block repeats another, also in another call or at another distance. The same generator "
        "seed gives the same tensor again, another seed an independent one, also if it differs in "
        "high bits only."
    )


def _describe_dropout(contract: ContractFacts) -> str:
    rest = " ".join(contract_words(part) for part in contract.parts)
    return (
        "Judged by its law, not by one mask: each element is dropped with the given probability, "
        "independently of all others and again in every call, and a dropped one contributes "
        "exactly zero. The probability holds at every position, also if it is tiny or nearly 1. "
        "No row, column, diagonal or block repeats the mask of another, also in another call or at "
        "another distance. Without training, and for probabilities 0 and 1, nothing is random. "
        f"{rest}"
    )


def _describe_picked(contract: ContractFacts) -> str:
    rest = " ".join(contract_words(part) for part in contract.parts)
    return (
        f"{rest} An index is right if the element it names attains the exact value up to twice "
        "that rounding; of several such elements any may be named. Where the value is NaN, the "
        "index is the one described above."
    )


def _describe_binomial(_contract: ContractFacts) -> str:
    return (
        "Judged by its law, not by one stream: each element is exactly its factor times a binomial "
        "number, drawn independently of all others and again in every call. No row, column, "
        "diagonal or block repeats another, also in another call or at another distance. Where the "
        "number is certain, nothing is random."
    )


def _describe_quantized(_contract: ContractFacts) -> str:
    return (
        "The integer scheme described above is the exact result: quantise, multiply the codes as "
        "integers, rescale in float32. Where the scale is a power of two, every division is exact "
        "and a tie goes to the even code. Elsewhere a code whose quotient lies within 2^-21 of a "
        "tie, as a share of the quotient, may go either way. The unquantised product, another "
        "granularity, truncation, another rounding of ties or another clamp is wrong."
    )


def _describe_property(contract: ContractFacts) -> str:
    clauses = "; ".join(dict.fromkeys(_describe_law(part) for part in contract.parts))
    return (
        "The answer is not unique and any valid one is right, whatever its signs. Judged is that "
        f"{clauses}; all up to rounding in the dtype of the output."
    )


def _describe_law(law: ContractFacts) -> str:
    output, by = law.options.get("output", "0"), law.options.get("by", "columns")
    words = {
        "Reconstructs": "the factors multiply to the input",
        "Orthonormal": f"the {by} of output {output} are orthonormal",
        "Upper": f"output {output} is exactly zero below its diagonal",
        "NonNegative": f"output {output} has no negative element",
        "Descending": f"output {output} is in descending order",
        "Matches": f"output {output} has the exact values, up to rounding of the largest",
        "Filled": "what is written into `out` equals what is returned",
    }
    if law.kind not in words:
        raise BrokenTask(f"no words for the law {law.kind}")
    return words[law.kind]


_CONTRACTS: dict[str, Callable[[ContractFacts], str]] = {
    "Close": _describe_close,
    "Exact": _describe_exact,
    "ExactContiguous": _describe_exact_contiguous,
    "Uniform": _describe_uniform,
    "Dropout": _describe_dropout,
    "Picked": _describe_picked,
    "Binomial": _describe_binomial,
    "Quantized": _describe_quantized,
    "Property": _describe_property,
}
