"""Counts values of rows that are read of a column with another header than usual.

Where columns have changed their places, what counts cells reads another field, of rows
that are all new, too. A header that has only got another name stands over the known
values; or the schema gives the field that name, and no column is called as ever.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import product, starmap

from crawloop_assets.drift.changes import RecordPair, known_before
from crawloop_assets.drift.evidence_signs import SeenAround, voted_on
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.text import tokens

_LEAST_KNOWN = 10
"""From so many values it is known what their column is called."""


def count_head_signs(
    schema: RecordSchema,
    outcomes: Sequence[PageOutcome],
    pairs: Sequence[RecordPair],
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Count HEAD, of the version that read most pages, where it is known what it calls
    its columns."""
    old = known_before(pairs)
    for spec in schema.fields:
        known = norms.known(f"head:{spec.name}", _LEAST_KNOWN, per_version=True)
        if not known:
            continue
        voted = list(voted_on(spec, outcomes, norms.version, old))
        named = [one for one in voted if one.vote.head]
        # A header over values that are the known ones has only got another name.
        heads = [(one, one.vote.head) for one in named]
        fine = SeenAround(heads, known, norms.moves(spec.name)).fine
        for one in named:
            is_fine = any(map(partial(_are_one, one.vote.head), fine))
            facts = outcomes[one.page].facts
            has_sign = not is_fine and not _is_renamed(
                spec, one.vote.head, known, facts
            )
            expected = ", ".join(sorted(known))
            tallies.add(
                Sign.HEAD,
                spec.name,
                one.page,
                has_sign=has_sign,
                expected=expected,
                got=one.vote.head,
            )


def _is_renamed(
    spec: FieldSpec, head: str, known: Iterable[str], facts: PageFacts | None
) -> bool:
    """Whether a header is the only one of its page that is a name of the field, and none
    is a known one. What moves day by day may be another thing by another name."""
    columns = facts.columns if facts else ()
    names = set(map(_words, (spec.name, *spec.aliases)))
    named = list(filter(names.__contains__, map(_words, columns)))
    is_there = any(starmap(_are_one, product(columns, known)))
    return (named, is_there, spec.volatile) == ([_words(head)], False, False)


def _words(text: str) -> frozenset[str]:
    """The words of a name."""
    return frozenset(tokens(text))


def _are_one(head: str, other: str) -> bool:
    """Whether a header has all words of another one, or that of it: "Date" and "Date
    issued" are one, "Low price" and "High price" are two."""
    words, others = _words(head), _words(other)
    return head == other or words < others or others < words
