"""Honest kernels in other spellings: a witness under another signature that means the same."""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kernelbenchx.catalog.facts import facts
from kernelbenchx.catalog.published_signatures import published_signatures
from kernelbenchx.catalog.witness import witness_source
from kernelbenchx.checks.binding import map_names
from kernelbenchx.checks.rule import ParameterKind, SignatureParameter
from kernelbenchx.checks.signatures import POSITIONAL, parse_signature

TUNING = "BLOCK_SIZE=1024"
SPELLINGS = (
    ("activation/leaky_relu", "nameless"),
    ("activation/leaky_relu", "required"),
    ("activation/relu", "by name"),
    ("activation/relu", "fallback"),
    ("activation/sigmoid", "published prompt"),
    ("activation/sigmoid", "tuned"),
    ("activation/tanh", "published file"),
    ("activation/tanh", "torch"),
    ("activation/tanh", "collected"),
    ("index/index_fill_", "torch"),
    ("index/index_fill_", "options by name"),
    ("index/index_fill_", "torch again"),
    ("index/index_fill_", "nameless"),
    ("index/index_fill_", "reversed"),
    ("index/index_select", "torch"),
    ("index/index_select", "rest"),
    ("index/masked_select", "torch"),
    ("index/masked_select", "reversed"),
    ("loss/kl_div", "options by name"),
    ("loss/kl_div", "nameless"),
    ("loss/mse_loss", "reversed"),
    ("loss/mse_loss", "by name"),
    ("math/abs", "published prompt"),
    ("math/abs", "torch"),
    ("math/abs", "published file"),
    ("math/abs", "reversed"),
    ("math/add", "published prompt"),
    ("math/add", "tuned"),
    ("math/add", "rest"),
    ("math/add", "nameless"),
    ("math/add", "collected"),
    ("math/cos", "published file"),
    ("math/cos", "by name"),
    ("math/mul", "torch"),
    ("math/mul", "positional"),
    ("math/pow", "published prompt"),
    ("math/pow", "reversed"),
    ("math/softmax", "torch"),
    ("math/softmax", "nameless"),
    ("math/sub", "nameless"),
    ("math/sub", "required"),
    ("optimizer/AdamW", "published file"),
    ("optimizer/AdamW", "nameless"),
    ("optimizer/Lion", "published file"),
    ("optimizer/Lion", "reversed"),
    ("optimizer/RMSProp", "published file"),
    ("optimizer/RMSProp", "options by name"),
    ("pooling/avg_pool1d", "required"),
    ("random/rand", "published prompt"),
    ("reduce/argmax", "published file"),
    ("reduce/mean", "torch"),
    ("reduce/mean", "positional"),
    ("reduce/min", "published file"),
    ("reduce/std", "published prompt"),
    ("reduce/sum", "published prompt"),
)


@dataclass(frozen=True)
class Spelling:
    """A signature and what its names mean to the task."""

    signature: str
    means: Mapping[str, str]
    """The task's argument by the name of the parameter."""
    unpacks: tuple[str, ...] = ()
    """Statements in front of the body."""


def spell(task: str, kind: str) -> str:
    """The witness of a task under another signature."""
    known = facts(task)
    _, wanted = parse_signature(known.signature)
    return rewrite(witness_source(task), known.entry, KINDS[kind](task, wanted), wanted)


def rewrite(
    source: str, entry: str, spelling: Spelling, wanted: Sequence[SignatureParameter]
) -> str:
    """The entry with another signature; arguments that it lacks have the task's default."""
    tree = ast.parse(source)
    found = next(one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == entry)
    own = {argument: name for name, argument in spelling.means.items()}
    for node in ast.walk(found):
        if isinstance(node, ast.Name) and node.id in own:
            node.id = own[node.id]
    written = ast.parse(f"def {spelling.signature}: ...").body[0]
    assert isinstance(written, ast.FunctionDef)
    found.name, found.args, found.returns = written.name, written.args, None
    unpacked = {line.partition(" = ")[0] for line in spelling.unpacks}
    lacking = [one for one in wanted if one.name not in own and one.name not in unpacked]
    lines = [*spelling.unpacks, *(f"{one.name} = {one.default}" for one in lacking)]
    found.body = [*ast.parse("\n".join(lines)).body, *found.body]
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _as_published(
    source: str, number: int = 0
) -> Callable[[str, Sequence[SignatureParameter]], Spelling]:
    def made(task: str, wanted: Sequence[SignatureParameter]) -> Spelling:
        forms = [form for name, form in published_signatures(task).by_source if name == source]
        own = parse_signature(forms[number])[1]
        means = {name: argument for name, argument in map_names(wanted, own).items() if argument}
        collected = {one.name: one.name for one in own if one.kind is ParameterKind.VAR_POSITIONAL}
        return Spelling(forms[number], means | collected)

    return made


def _entry(task: str) -> str:
    return facts(task).entry


def _of(task: str, parts: Sequence[str], means: Mapping[str, str]) -> Spelling:
    return Spelling(f"{_entry(task)}({', '.join(parts)})", means)


def _text(one: SignatureParameter, name: str = "") -> str:
    return f"{name or one.name}={one.default}" if one.has_default else name or one.name


def _same(wanted: Sequence[SignatureParameter]) -> dict[str, str]:
    return {one.name: one.name for one in wanted}


def _nameless(task: str, wanted: Sequence[SignatureParameter]) -> Spelling:
    """Names that nobody knows, all by position."""
    names = {one.name: f"p{at}" for at, one in enumerate(wanted)}
    parts = [_text(one, names[one.name]) for one in wanted]
    return _of(task, parts, {own: name for name, own in names.items()})


def _positional(task: str, wanted: Sequence[SignatureParameter]) -> Spelling:
    """Nothing can be given by name."""
    return _of(task, [*map(_text, wanted), "/"], _same(wanted))


def _by_name(task: str, wanted: Sequence[SignatureParameter]) -> Spelling:
    """Nothing can be given by position."""
    return _of(task, ["*", *map(_text, wanted)], _same(wanted))


def _options_by_name(task: str, wanted: Sequence[SignatureParameter]) -> Spelling:
    """As torch has it."""
    needed = [_text(one) for one in wanted if not one.has_default]
    options = [_text(one) for one in wanted if one.has_default]
    return _of(task, [*needed, *(["*"] if options else []), *options], _same(wanted))


def _reversed(task: str, wanted: Sequence[SignatureParameter]) -> Spelling:
    """Nothing stands where the task has it, and nothing has a default."""
    return _of(task, [one.name for one in reversed(wanted)], _same(wanted))


def _required(task: str, wanted: Sequence[SignatureParameter]) -> Spelling:
    """Nothing has a default."""
    return _of(task, [one.name for one in wanted], _same(wanted))


def _tuned(task: str, wanted: Sequence[SignatureParameter]) -> Spelling:
    """With a parameter of its own in the middle, behind names that nobody knows."""
    needed = [one for one in wanted if not one.has_default]
    names = {one.name: f"p{at}" for at, one in enumerate(needed)}
    options = [_text(one) for one in wanted if one.has_default]
    parts = [*names.values(), TUNING, *options]
    means = {own: name for name, own in names.items()}
    return _of(task, parts, means | {one.name: one.name for one in wanted if one.has_default})


def _rest(task: str, wanted: Sequence[SignatureParameter]) -> Spelling:
    """What follows the first argument is collected."""
    first, *others = wanted
    needed = [one for one in others if not one.has_default]
    unpacks = [f"{one.name} = rest[{at}]" for at, one in enumerate(needed)]
    unpacks += [
        f"{one.name} = more.get({one.name!r}, {one.default})" for one in others if one.has_default
    ]
    signature = f"{_entry(task)}(p0, *rest, **more)"
    return Spelling(signature, {"p0": first.name}, tuple(unpacks))


def _collect(task: str, wanted: Sequence[SignatureParameter]) -> Spelling:
    """One tuple of everything that the task takes by position."""
    assert all(
        one.kind in POSITIONAL or one.kind is ParameterKind.POSITIONAL_ONLY for one in wanted
    )
    unpacks = [
        f"{one.name} = rest[{at}] if len(rest) > {at} else {one.default or None}"
        for at, one in enumerate(wanted)
    ]
    return Spelling(f"{_entry(task)}(*rest)", {}, tuple(unpacks))


def _fallback(task: str, wanted: Sequence[SignatureParameter]) -> Spelling:
    """The published name for any entry."""
    found = _nameless(task, wanted)
    return Spelling(found.signature.replace(_entry(task), "kernel_function", 1), found.means)


KINDS: Mapping[str, Callable[[str, Sequence[SignatureParameter]], Spelling]] = {
    "published file": _as_published("published file"),
    "published prompt": _as_published("published prompt"),
    "torch": _as_published("torch"),
    "torch again": _as_published("torch", 1),
    "nameless": _nameless,
    "positional": _positional,
    "by name": _by_name,
    "options by name": _options_by_name,
    "reversed": _reversed,
    "required": _required,
    "tuned": _tuned,
    "rest": _rest,
    "collected": _collect,
    "fallback": _fallback,
}
"""Ways to write the signature of a function, all honest."""


def lacking(task: str, *names: str) -> str:
    """The witness with a signature that has no such parameters."""
    known = facts(task)
    _, wanted = parse_signature(known.signature)
    kept = [one for one in wanted if one.name not in names]
    spelling = _of(task, [_text(one) for one in kept], _same(kept))
    return rewrite(witness_source(task), known.entry, spelling, wanted)
