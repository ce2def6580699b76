"""Text from outside, made fit to be kept and sent."""


def whole(text: str) -> str:
    """Without halves of pairs, which JSON can spell and nobody can encode.

    Text that is whole already comes back itself: a reply may be long, and copies of it add up.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


def label(text: str, most: int = 120) -> str:
    """A name on one line: nothing in it moves a cursor, and nothing makes a table endless."""
    if len(text) <= most and text.isprintable():
        return text.strip()
    shown = "".join(one if one.isprintable() else " " for one in text[: most + 1]).strip()
    return shown if len(shown) <= most else shown[: most - 1] + "…"
