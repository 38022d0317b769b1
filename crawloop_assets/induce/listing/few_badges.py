"""Flags of which few rows are known, where a badge in the field's own name says it: words and
classes that part those rows as well do so by chance, as that of an advertisement does.

Without such a badge, and where a row is known that is so and two that are not, a person looks at
what the one text tells that stands in that row alone and is no part of another field.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from operator import attrgetter

from crawloop_assets.crawler.read import Scope
from crawloop_assets.induce.listing.judging import FoundReader, judge_reader
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.locate.own_badges import lone_badge, own_badge
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.value import as_list


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
    badges = badges or lone_badge(spec, known, others, _claimed(samples))
    return [judge_reader(spec, one, samples, others, prior) for one in badges]


def _claimed(samples: Sequence[KnownCell]) -> list[str]:
    """What other fields are known to say."""
    beside = chain.from_iterable(map(attrgetter("beside"), samples))
    return list(dict.fromkeys(map(str, chain.from_iterable(map(as_list, beside)))))
