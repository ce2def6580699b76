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
