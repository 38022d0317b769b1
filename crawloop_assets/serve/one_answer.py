"""One answer to several questions: pages of which no more than a heading is read and
nothing known, and that say the same whatever address was asked for.

A record is at one address; a wall, an error or an empty shell is at all of them. That
is told in any language, on the first day of a family, and without a word that anybody
has written down.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace
from itertools import filterfalse
from typing import TYPE_CHECKING

from crawloop_assets.drift.facts import SMALL
from crawloop_assets.drift.resemblance import proofs
from crawloop_assets.page import Verdict
from crawloop_assets.schema import RecordSchema

if TYPE_CHECKING:
    from crawloop_assets.serve.reading import Reading

_MADE_UP = 8
"""Characters of a word with a digit, from which on it is the number of a request, the
time or the address of the visitor: another one in each answer."""

_FEWEST = 2
_READ = (Verdict.OK, Verdict.DRIFT)


def without_one_answer(
    readings: Sequence["Reading"], schema: RecordSchema
) -> list["Reading"]:
    """The readings; pages that are one answer to several addresses are another kind of
    page."""
    answers = [_answer(reading, schema) for reading in readings]
    counts = Counter(answers)
    return [
        _as_another_page(reading, counts[answer])
        if answer is not None and counts[answer] >= _FEWEST
        else reading
        for reading, answer in zip(readings, answers, strict=True)
    ]


def _answer(reading: "Reading", schema: RecordSchema) -> Hashable:
    """What a small page says of which nothing is known and no record read that says more
    than one thing, None of any other."""
    facts = reading.facts
    if reading.verdict not in _READ or reading.previous:
        return None
    if proofs(reading.values, schema):
        return None
    if facts is None or facts.text_chars > SMALL:
        return None
    said = (facts.title, *facts.headings, facts.lead)
    if not any(said):
        return None
    return tuple(tuple(filterfalse(_is_made_up, text.split())) for text in said)


def _is_made_up(word: str) -> bool:
    """Whether a word is this answer's own."""
    return len(word) >= _MADE_UP and any(map(str.isdigit, word))


def _as_another_page(reading: "Reading", count: int) -> "Reading":
    """A reading of what is no page of a record."""
    reason = f"{count} addresses have this one answer"
    return replace(reading, verdict=Verdict.SOFT_404, reason=reason, findings=())
