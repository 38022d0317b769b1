"""Flags of which few rows are known, where a badge in the field's own name says it: words and
classes that part those rows as well do so by chance, as that of an advertisement does."""

from collections import Counter
from collections.abc import Sequence
from operator import attrgetter

from crawloop_assets.crawler.read import Scope
from crawloop_assets.induce.listing.judging import FoundReader, judge_reader
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.locate.own_badges import own_badge
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec


def few_badges(
    spec: FieldSpec, samples: Sequence[KnownCell], others: Sequence[Scope]
) -> list[FoundReader]:
    """The reader of the badge, as a list; empty where there is none, or enough rows of both
    kinds are known to tell what says it."""
    counts = Counter(map(str, map(attrgetter("value"), samples)))
    fewest = min(map(counts.__getitem__, ("True", "False")))
    if not samples or fewest >= tuned("otherwise.fewest_rows_each"):
        return []
    known = list(map(attrgetter("scope", "value"), samples))
    prior = tuned("marks.trust")
    badges = own_badge(spec, known, others, ".")
    return [judge_reader(spec, one, samples, others, prior) for one in badges]
