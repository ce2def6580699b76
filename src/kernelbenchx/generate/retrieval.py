"""Which of a few texts is most like another: BM25 over words and parts of names."""

import math
import re
from collections import Counter
from collections.abc import Sequence

SATURATION = 1.5
"""How soon more of the same word says no more; the usual k1."""
LENGTH = 0.75
"""How much a long text pays for its length; the usual b."""
_WORD = re.compile(r"[a-z]+|[0-9]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_LONGEST = 200_000
"""Characters of a text that are read at all."""


def rank_texts(query: str, texts: Sequence[str]) -> list[int]:
    """The places of all texts, the likest first; equals stay in their order."""
    counted = [Counter(words(text)) for text in texts]
    scores = _scores(set(words(query)), counted)
    return sorted(range(len(texts)), key=lambda place: (-scores[place], place))


def words(text: str) -> list[str]:
    """In small letters; `tl.maximum_of` and `LayerNorm` are two or three words each."""
    return _WORD.findall(_HUMP.sub(" ", text[:_LONGEST]).lower())


def _scores(wanted: set[str], texts: Sequence[Counter[str]]) -> list[float]:
    lengths = [sum(text.values()) for text in texts]
    mean = sum(lengths) / len(lengths) if any(lengths) else 1.0
    rarity = {word: _rarity(sum(word in text for text in texts), len(texts)) for word in wanted}
    return [
        sum(
            rarity[word] * _share(text[word], length / mean)
            for word in sorted(wanted)  # a sum depends on its order, and sets have none
            if text[word]
        )
        for text, length in zip(texts, lengths, strict=True)
    ]


def _rarity(holding: int, count: int) -> float:
    return math.log(1 + (count - holding + 0.5) / (holding + 0.5))


def _share(times: int, length: float) -> float:
    return times * (SATURATION + 1) / (times + SATURATION * (1 - LENGTH + LENGTH * length))
