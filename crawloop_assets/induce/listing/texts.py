"""Small questions about texts that several modules of this package ask."""

from collections.abc import Sequence


def shared_start(texts: Sequence[str]) -> str:
    """What all texts begin with; ValueError if there are none."""
    # The first and the last of sorted texts differ earliest.
    first, last = min(texts), max(texts)
    for index, (one_char, other_char) in enumerate(zip(first, last, strict=False)):
        if one_char != other_char:
            return first[:index]
    return first


def shared_end(texts: Sequence[str]) -> str:
    """What all texts end with; ValueError if there are none."""
    return shared_start([text[::-1] for text in texts])[::-1]
