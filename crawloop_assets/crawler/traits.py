"""What is usual of how a version reads: which reader wins, and what stands around a
number.

A proof counts it, and every batch that teaches; what is another one than usual is a
sign.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from crawloop_assets.crawler.context import Context
from crawloop_assets.crawler.extraction import FieldVote

OTHERS = "\x1fothers"
"""Stands for the less frequent categories of a trait; none has this name. (A store in
Postgres keeps no NUL.)"""

AROUND = ("words", "beside", "places", "hidden")
"""What of a context is counted."""

_MOST_CATEGORIES = 12


def said_around(context: Context, trait: str) -> str:
    """What a context says of one of the traits `AROUND`."""
    return f"{trait} {getattr(context, trait)}".strip()


def vote_traits(field: str, vote: FieldVote) -> Iterator[tuple[str, str]]:
    """(trait of a field, what it was): the reader its value comes from, what stands
    around its number, if it is one, and over its column, if it has one."""
    yield f"reader:{field}", vote.reader
    if vote.head:
        yield f"head:{field}", vote.head
    if vote.context is not None:
        for trait in AROUND:
            yield f"{trait}:{field}", said_around(vote.context, trait)


def counted_traits(traits: Iterable[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """How often each category of a trait was seen: trait -> category -> count."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for trait, category in traits:
        counts[trait][category] += 1
    return {trait: _most_frequent(categories) for trait, categories in counts.items()}


def _most_frequent(counts: Counter[str]) -> dict[str, int]:
    """The most frequent categories, the others summed up under a name none has.

    Equally frequent ones are in the order of their names, so that the same batch always
    teaches the same.
    """
    ranked = sorted(counts, key=lambda category: (-counts[category], category))
    frequent = {category: counts[category] for category in ranked[:_MOST_CATEGORIES]}
    others = counts.total() - sum(frequent.values())
    if others:
        frequent[OTHERS] = others
    return frequent
