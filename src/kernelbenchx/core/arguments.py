"""Refuses arguments of the wrong type in one line that names the argument."""


def require_type(name: str, value: object, kinds: type | tuple[type, ...], wanted: str) -> None:
    """Raise a `TypeError` unless the value is of one of these types; `wanted` says which."""
    if not isinstance(value, kinds):
        raise TypeError(f"{name} takes {wanted}, not {describe_type(value)}")


def describe_type(value: object) -> str:
    """The type of a value with its article; `None` is called `None`."""
    if value is None:
        return "None"
    kind = type(value).__name__
    return f"{'an' if kind[:1].lower() in 'aeiou' else 'a'} {kind}"
