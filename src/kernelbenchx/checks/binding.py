"""One binding of a task's arguments to a submission's own parameters: by name where one is known,
by position where it is not.

Names are tried in the order of their sources: the task's own, then those that others gave the same
argument. A name that a source knows for something else is never taken by position.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kernelbenchx.checks.rule import ParameterKind, SignatureParameter
from kernelbenchx.checks.signatures import BY_NAME, POSITIONAL, incompatibilities
from kernelbenchx.core.argument_binding import Argument, ArgumentBinding, Taker

Names = Mapping[str, str]
"""Other names of arguments, each with the task's own; none for what the task does not have."""


class CannotBind(Exception):
    """No call of the task can be written for a signature."""


def bind(
    wanted: Sequence[SignatureParameter],
    given: Sequence[SignatureParameter],
    others: Sequence[Names] = (),
) -> ArgumentBinding | None:
    """How the task's calls are written; None where the signature takes them as they are."""
    if not any(incompatibilities(wanted, given)):
        return None
    matching = _Matching(wanted, given)
    matching.by_name([{one.name: one.name for one in wanted}, *others])
    matching.by_position({name for names in others for name, own in names.items() if not own})
    return matching.binding()


def binds(wanted: Sequence[SignatureParameter], given: Sequence[SignatureParameter]) -> bool:
    """Whether some call of the task can be written for a signature."""
    try:
        bind(wanted, given)
    except CannotBind:
        return False
    return True


def map_names(
    wanted: Sequence[SignatureParameter], form: Sequence[SignatureParameter]
) -> dict[str, str]:
    """What each name of another signature of the same function means to the task.

    Of a form to which no call of the task binds only the names that it shares with the task count.
    """
    own = [{one.name: one.name for one in wanted}]
    matching = _Matching(wanted, form)
    matching.by_name(own)
    matching.by_position(frozenset(), strictly=True)
    try:
        matching.binding()
    except CannotBind:
        matching.taken.clear()
        matching.by_name(own)
        return {form[at].name: name for at, name in matching.taken.items()}
    return {one.name: matching.taken.get(at, "") for at, one in enumerate(form)}


@dataclass
class _Matching:
    """Which parameter of the submission takes which argument."""

    wanted: Sequence[SignatureParameter]
    given: Sequence[SignatureParameter]
    taken: dict[int, str] = field(default_factory=dict)
    """By the place of the parameter in the submission's signature."""

    def by_name(self, sources: Sequence[Names]) -> None:
        """The first source that knows a name counts, and the first name for an argument."""
        for names in sources:
            for at, one in self._select_by_kind((*POSITIONAL, ParameterKind.KEYWORD_ONLY)):
                wanted = names.get(one.name, "")
                if at not in self.taken and wanted and wanted not in self.taken.values():
                    self.taken[at] = wanted

    def by_position(self, foreign: set[str] | frozenset[str], *, strictly: bool = False) -> None:
        """Unknown names take what is left, in order; `foreign` ones take nothing.

        A parameter with a default takes an optional argument only where the task's default is the
        same: otherwise it is one of the submission's own, such as a block size. `strictly`: and
        never a required one.
        """
        own = {one.name for one in self.wanted}
        unknown = [
            (at, one)
            for at, one in self._select_by_kind(POSITIONAL)
            if at not in self.taken and one.name not in foreign and one.name not in own
        ]
        left = [one for one in self.wanted if one.name not in self.taken.values()]
        for argument in left:
            if argument.kind is ParameterKind.VAR_KEYWORD:
                continue
            optional = argument.has_default or argument.kind is ParameterKind.VAR_POSITIONAL
            for at, one in unknown:
                free = not optional and not strictly
                if free or not one.has_default or _same_default(one, argument):
                    self.taken[at] = argument.name
                    unknown.remove((at, one))
                    break

    def binding(self) -> ArgumentBinding:
        """Raises where a parameter or an argument without a default is left over."""
        for at, one in self._select_by_kind((*POSITIONAL, ParameterKind.KEYWORD_ONLY)):
            if at not in self.taken and not one.has_default:
                raise CannotBind(f"it requires `{one.name}`, which the task does not have")
        rest, named = self._left_over()
        takers = (*self.taken.values(), *rest, *named)
        for argument in self.wanted:
            if not _is_optional(argument) and argument.name not in takers:
                raise CannotBind(f"it has no parameter for `{argument.name}`")
        return ArgumentBinding(
            arguments=tuple(
                Argument(
                    name=one.name,
                    default=one.default if one.has_default else None,
                    variable=one.kind is ParameterKind.VAR_POSITIONAL,
                    keyword_only=one.kind is ParameterKind.KEYWORD_ONLY,
                )
                for one in self.wanted
            ),
            positional=tuple(self._takers(POSITIONAL)),
            keyword_only=tuple(
                one for one in self._takers((ParameterKind.KEYWORD_ONLY,)) if one.argument
            ),
            rest=rest,
            named=named,
        )

    def _left_over(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What `*args` and `**kwargs` take: required arguments by position, optional ones by name
        where that is possible."""
        kinds = {one.kind for one in self.given}
        left = [one for one in self.wanted if one.name not in self.taken.values()]
        left = [one for one in left if one.kind is not ParameterKind.VAR_KEYWORD]
        star = ParameterKind.VAR_POSITIONAL in kinds and all(
            at in self.taken for at, _ in self._select_by_kind(POSITIONAL)
        )
        rest, named = list[str](), list[str]()
        for one in left:
            is_named = (
                ParameterKind.VAR_KEYWORD in kinds and one.kind is not ParameterKind.VAR_POSITIONAL
            )
            placed = star and one.kind is not ParameterKind.KEYWORD_ONLY
            if is_named and (_is_optional(one) or not placed or named):
                named.append(one.name)
            elif placed:
                rest.append(one.name)
        return tuple(rest), tuple(named)

    def _takers(self, kinds: Sequence[ParameterKind]) -> Iterator[Taker]:
        for at, one in self._select_by_kind(kinds):
            by_name = one.kind in BY_NAME
            yield Taker(
                argument=self.taken.get(at, ""),
                keyword=one.name if by_name else "",
                required=not one.has_default,
            )

    def _select_by_kind(
        self, kinds: Sequence[ParameterKind]
    ) -> Iterator[tuple[int, SignatureParameter]]:
        return ((at, one) for at, one in enumerate(self.given) if one.kind in kinds)


def by_position_alone(given: Sequence[SignatureParameter]) -> tuple[SignatureParameter, ...]:
    """A signature behind something that passes no keywords on, such as `Function.apply`."""
    found = [
        replace(one, kind=ParameterKind.POSITIONAL_ONLY)
        if one.kind is ParameterKind.POSITIONAL_OR_KEYWORD
        else one
        for one in given
    ]
    for one in found:
        if one.kind is ParameterKind.KEYWORD_ONLY and not one.has_default:
            raise CannotBind(f"it requires `{one.name}` by name, which `apply` does not pass on")
    return tuple(
        p for p in found if p.kind not in (ParameterKind.KEYWORD_ONLY, ParameterKind.VAR_KEYWORD)
    )


def plain_call(name: str, wanted: Sequence[SignatureParameter]) -> str:
    """The shortest call of a task, as its statement spells it."""
    named = [
        f"*{one.name}" if one.kind is ParameterKind.VAR_POSITIONAL else one.name
        for one in wanted
        if not one.has_default and one.kind is not ParameterKind.VAR_KEYWORD
    ]
    return f"{name}({', '.join(named)})"


def _is_optional(parameter: SignatureParameter) -> bool:
    return parameter.has_default or parameter.kind in (
        ParameterKind.VAR_POSITIONAL,
        ParameterKind.VAR_KEYWORD,
    )


def _same_default(one: SignatureParameter, other: SignatureParameter) -> bool:
    if one.default == other.default:
        return True
    try:
        mine, theirs = ast.literal_eval(one.default), ast.literal_eval(other.default)
    except (ValueError, SyntaxError):
        return False
    return isinstance(mine, bool) is isinstance(theirs, bool) and bool(mine == theirs)
