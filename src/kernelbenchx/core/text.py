"""Sanitizes external text for storing and sending."""

import msgspec


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which JSON can spell and no encoding accepts.

    Valid text is returned itself: a reply may be long, and copies of it add up.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


LONGEST_NAME, LONGEST_PATH = 300, 1000
"""Longest name in a record, and longest path or message with one."""


def label(text: str, most: int = 120) -> str:
    """A name on one line: nothing in it moves a cursor or makes a table too wide."""
    if len(text) <= most and text.isprintable():
        return text.strip()
    shown = "".join(one if one.isprintable() else " " for one in text[: most + 1]).strip()
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def clean_fields(record: msgspec.Struct, *names: str, most: int = LONGEST_NAME) -> None:
    """Turn fields of a new record into labels: external names enter where records are made."""
    for name in names:
        given = getattr(record, name)
        shown = label(given, most)
        if shown != given:
            msgspec.structs.force_setattr(record, name, shown)
