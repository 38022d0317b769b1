"""Counts texts that are what they ever were, but for words that many of them share.

"24-117" is "24-117 - Published" from one day on: where all rows are new, no known value
speaks against it. How the texts of a field are written does (`value_shape`): with these
words none was ever seen, and without them all were.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from crawloop_assets.drift.fields import single_fields
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome, filled_values
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.values import value_shape
from crawloop_assets.schema import FieldKind, RecordSchema

_LEAST_KNOWN = 10
"""From so many texts it is known how a field is written."""

_LEAST_TEXTS = 5
"""What fewer texts share may be chance."""

_MOST_WORDS = 3
"""So many words may be before a text, or behind it."""

_MARKS = " -–—|:;,.·•()[]"
"""What may stand between a text and what was added."""


def count_added_signs(
    schema: RecordSchema, pages: Sequence[PageOutcome], norms: Norms, tallies: Tallies
) -> None:
    """Count ADDED of every text field: none where it is not known how its texts are
    written."""
    for spec in single_fields(schema, (FieldKind.TEXT,)):
        known = norms.known(f"shape:{spec.name}", _LEAST_KNOWN)
        values = list(filled_values(pages, spec.name))
        if len(values) < _LEAST_TEXTS:
            continue
        longer = _longer_than_known([str(one.value) for one in values], known)
        for at, _, _, text in values:
            has_sign = str(text) in longer
            tallies.add(Sign.ADDED, spec.name, at, has_sign=has_sign, got=text)


def _longer_than_known(texts: Sequence[str], known: Collection[str]) -> Collection[str]:
    """The texts that are written as known ones but for words that others share; none
    where less than half of all are."""
    unlike = [text for text in texts if value_shape(text) not in known]
    if not known or len(unlike) * 2 < len(texts):
        return ()
    shared = Counter(added for text in unlike for added, _ in _parted(text))
    longer = [text for text in unlike if _is_longer(text, shared, known)]
    return frozenset(longer) if len(longer) * 2 >= len(texts) else ()


def _is_longer(text: str, shared: Counter[str], known: Collection[str]) -> bool:
    """Whether a text without words that another one has, too, is written as known ones.

    Of two kinds ("24-117 - Published", "24-118 - Unpublished") either may be such.
    """
    return any(
        shared[added] > 1 and value_shape(rest) in known
        for added, rest in _parted(text)
    )


def _parted(text: str) -> Iterator[tuple[str, str]]:
    """(words, rest of the text) for its first or last words, one to three.

    "24-117 - Published" -> ("24-117", "Published"), ("Published", "24-117"), …
    """
    words = text.split()
    for count in range(1, min(_MOST_WORDS, len(words) - 1) + 1):
        yield " ".join(words[:count]), " ".join(words[count:]).strip(_MARKS)
        yield " ".join(words[-count:]), " ".join(words[:-count]).strip(_MARKS)
