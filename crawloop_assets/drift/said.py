"""What the site has said before: a value that two refreshes in a row have from the site
is news.

It does not matter how many pages say it, nor whether their batch was red: that all of a
family is renamed in one night is as honest as one name. What matters is whether
anything but the past speaks against it. The known value that still stands there, a cut
off text, a wrong unit are no less so for being said again: they stay signs, and a
person is asked.
"""

from collections import defaultdict
from collections.abc import (
    Callable,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from functools import cached_property
from itertools import chain
from typing import Any

from crawloop_assets.drift.changes import RecordPair
from crawloop_assets.drift.elsewhere_signs import is_said_elsewhere
from crawloop_assets.drift.matching import Record, by_key, key_of, record_key
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.signs import RULES
from crawloop_assets.drift.tally import Hit, Tallies, Tally
from crawloop_assets.drift.trust import is_refuted
from crawloop_assets.drift.values import EMPTY, as_number
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same

_NEWS = frozenset(
    (
        Sign.CHANGED,
        Sign.REPRICED,
        Sign.RATIO,
        Sign.WHOLESALE,
        Sign.JUMP,
        Sign.LEAP,
        Sign.FELL,
        Sign.SWEPT,
        Sign.CURRENCY,
        Sign.ASIDE,
        Sign.ELSEWHERE,
        Sign.REPLACED,
        Sign.SHAPE,
    )
)
"""Signs that a value is another one than before, or written otherwise, or that a record
is gone, and of nothing else."""

_WITNESSED = frozenset(
    (
        Sign.STRAY,
        *(sign for sign, rule in RULES.items() if rule.prior and sign not in _NEWS),
    )
)
"""Signs that something else than the past speaks against a value: whatever is rare in
every family."""

_EVENT = 0.1
_LEAST_EVENT = 3
"""So many units of a batch that change at once are an event, which says nothing of how
often they change."""


class SaidBefore:
    """What the refresh before this one read of the records of a batch, and did not
    publish."""

    def __init__(
        self, schema: RecordSchema, family: Family, pages: Sequence[PageOutcome]
    ):
        self._pages = pages
        self._key = record_key(schema, family)
        self._specs = {spec.name: spec for spec in schema.fields}
        self._changes: dict[tuple[int, str], list[tuple[int, RecordPair]]] = {}

    def confirms(self, sign: Sign | None, subject: str, hit: Hit) -> bool:
        """Whether the refresh before, or another page of the site, said of the same
        records what is said now; of a whole page, all that it says."""
        page, spec = self._pages[hit.page], self._specs.get(subject)
        if sign is Sign.REPLACED:
            return bool(page.said_before) and hit.expected not in self._rows
        if spec is None:
            return bool(page.said_before) and page.said_before == page.values
        if is_said_elsewhere(spec, hit.got, page):
            return True
        if not self._key and len(page.values) > 1:
            return any(
                same(old.get(subject), hit.got, spec) for old in page.said_before
            )
        follows = _FOLLOWS.get(sign, same)
        said = [
            follows(self._said(page, pair.new).get(subject), hit.got, spec)
            for _, pair in self.changed(hit.page, spec)
            if same(pair.new.get(subject), hit.got, spec)
        ]
        return bool(said) and all(said)

    def changed(self, position: int, spec: FieldSpec) -> list[tuple[int, RecordPair]]:
        """The records of a page that have another value than was known, or of which
        none was, with their place on it."""
        found = self._changes.get((position, spec.name))
        if found is None:
            found = list(self._changed(position, spec))
            self._changes[position, spec.name] = found
        return found

    def _changed(
        self, position: int, spec: FieldSpec
    ) -> Iterator[tuple[int, RecordPair]]:
        """See `changed`."""
        page = self._pages[position]
        known = by_key(page.previous, self._key)
        is_alone = len(page.previous) == len(page.values) == 1
        for place, record in enumerate(page.values):
            identity = key_of(record, self._key)
            before = page.previous[0] if is_alone else known.get(identity, {})
            value = record.get(spec.name)
            if value not in EMPTY and not same(before.get(spec.name), value, spec):
                yield place, RecordPair(position, before, record)

    def _said(self, page: PageOutcome, record: Record) -> Record:
        """What was said of a record, {} if nothing was."""
        if len(page.said_before) == len(page.values) == 1:
            return page.said_before[0]
        return self._rows.get(key_of(record, self._key), {})

    @cached_property
    def _rows(self) -> Mapping[Hashable, Record]:
        """All that was said, by key: rows of a list wander between its pages."""
        said = (page.said_before for page in self._pages)
        return by_key(chain.from_iterable(said), self._key)


def _has_not_fallen(said: Any, now: Any, spec: FieldSpec) -> bool:
    """Whether a count that only ever rises has done so since."""
    before, after = as_number(said), as_number(now)
    return before is not None and after is not None and before <= after


_Follows = Callable[[Any, Any, FieldSpec], bool]
_FOLLOWS: Mapping[Sign | None, _Follows] = {Sign.FELL: _has_not_fallen}
"""How a value follows from what was said of it, where it need not be the same."""


def excuse_what_was_said_before(
    schema: RecordSchema,
    family: Family,
    pages: Sequence[PageOutcome],
    tallies: Tallies,
) -> dict[str, frozenset[str]]:
    """Take back the signs of news of values that the refresh before has read, too, or
    that another page of the site says; url -> the fields of which that leaves nothing
    against the page.

    History counts them all the same, so often a value is another one here; but for
    events. Where many pages still show the known value nothing is taken back: the
    crawler reads another thing, and will read it again.
    """
    if not any(page.said_before or page.elsewhere for page in pages):
        return {}
    said = SaidBefore(schema, family, pages)
    twice = {(at, news.subject) for news in _news(tallies) for at in _take(news, said)}
    return _by_url(twice - set(_witnessed(tallies)), pages)


def _news(tallies: Tallies) -> list[Tally]:
    """The signs of news of fields whose known values do not stand on many pages."""
    refuted = {tally.subject for tally in tallies if is_refuted(tally)}
    news = [tally for tally in tallies if tally.sign in _NEWS]
    return [tally for tally in news if tally.subject not in refuted]


def _witnessed(tallies: Tallies) -> Iterator[tuple[int, str]]:
    """(page, field) of what something else than the past speaks against."""
    for tally in tallies:
        if tally.sign in _WITNESSED:
            yield from ((hit.page, tally.subject) for hit in tally.hits)


def _by_url(
    twice: Iterable[tuple[int, str]], pages: Sequence[PageOutcome]
) -> dict[str, frozenset[str]]:
    """Url -> fields."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for at, field in twice:
        found[pages[at].url].add(field)
    return {url: frozenset(fields) for url, fields in found.items()}


def _take(tally: Tally, said: SaidBefore) -> set[int]:
    """Take the hits that are news from a tally; the positions of their pages."""
    taken = [hit for hit in tally.hits if said.confirms(tally.sign, tally.subject, hit)]
    left = set(map(id, taken))
    tally.hits = [hit for hit in tally.hits if id(hit) not in left]
    if len(taken) >= _LEAST_EVENT and len(taken) > _EVENT * tally.seen:
        tally.event = len(taken)
    else:
        tally.confirmed += len(taken)
    return {hit.page for hit in taken}
