"""Text from outside, made fit to be kept and sent."""

import msgspec


def replace_surrogates(text: str) -> str:
    """Without halves of pairs, which JSON can spell and nobody can encode.

    Text that is whole already comes back itself: a reply may be long, and copies of it add up.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


LONGEST_NAME, LONGEST_PATH = 300, 1000
"""Of a name in a record, and of a path or a message with one."""


def label(text: str, most: int = 120) -> str:
    """A name on one line: nothing in it moves a cursor, and nothing makes a table endless."""
    if len(text) <= most and text.isprintable():
        return text.strip()
    shown = "".join(one if one.isprintable() else " " for one in text[: most + 1]).strip()
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def clean_fields(record: msgspec.Struct, *names: str, most: int = LONGEST_NAME) -> None:
    """Make fields of a new record labels: where it is made, a name from outside enters."""
    for name in names:
        given = getattr(record, name)
        shown = label(given, most)
        if shown != given:
            msgspec.structs.force_setattr(record, name, shown)
