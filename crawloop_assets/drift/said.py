"""What the site has said before: a value that two refreshes in a row have from the site
is news.

It does not matter how many pages say it, nor whether their batch was red: that all of a
family is renamed in one night is as honest as one name. What matters is whether
anything but the past speaks against it. The known value that still stands there, a cut
off text, a wrong unit are no less so for being said again: they stay signs, and a
person is asked.
"""

from collections import Counter, defaultdict
from collections.abc import (
    Callable,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from functools import cached_property, partial
from itertools import chain
from operator import attrgetter
from typing import Any

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.crawler.same_thing import is_of_known_thing
from crawloop_assets.drift.by_chance import is_often
from crawloop_assets.drift.changes import RecordPair
from crawloop_assets.drift.check import CheckName
from crawloop_assets.drift.elsewhere_signs import is_said_elsewhere
from crawloop_assets.drift.fields import has_records, is_steady
from crawloop_assets.drift.matching import Record, by_key, key_of, record_key
from crawloop_assets.drift.number_signs import has_leapt
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import ANOTHER_VALUE, Sign
from crawloop_assets.drift.signs import RULES
from crawloop_assets.drift.spread import Shift
from crawloop_assets.drift.tally import Hit, Tallies, Tally
from crawloop_assets.drift.trust import is_refuted
from crawloop_assets.drift.values import EMPTY, as_number, as_positive
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.equality import canonical, same

_NEWS = ANOTHER_VALUE | frozenset(
    (
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


_MOST = 0.5
"""Of so many values it is known how large they are."""

_TELLS = 4
"""Shorter values are many records'."""


def _has_value(spec: FieldSpec, value: Any, record: Record) -> bool:
    """Whether a record has a value in a field."""
    return same(record.get(spec.name), value, spec)


def _has_not_fallen(said: Any, now: Any, spec: FieldSpec) -> bool:
    """Whether a count that only ever rises has done so since."""
    before, after = as_number(said), as_number(now)
    return before is not None and after is not None and before <= after


def _has_not_leapt(said: Any, now: Any, spec: FieldSpec) -> bool:
    """Whether a count has moved no more since than it does every day."""
    before, after = as_positive(said), as_positive(now)
    return before is not None and after is not None and not has_leapt(before, after)


_Follows = Callable[[Any, Any, FieldSpec], bool]
_FOLLOWS: Mapping[Sign | None, _Follows] = {
    Sign.FALLEN: _has_not_fallen,
    Sign.LEAP: _has_not_leapt,
}
"""How a value follows from what was said of it, where it need not be the same."""


class SaidBefore:
    """What the refresh before this one read of the records of a batch, and did not
    publish."""

    def __init__(
        self, schema: RecordSchema, family: Family, pages: Sequence[PageOutcome]
    ):
        self._pages, self._schema = pages, schema
        self._key = record_key(schema, family)
        self._specs = {spec.name: spec for spec in schema.fields}
        self._family = family
        self._counted: dict[str, Counter[Hashable]] = {}
        self._changes: dict[tuple[int, str], list[tuple[int, RecordPair]]] = {}

    def confirms(self, sign: Sign | None, subject: str, hit: Hit) -> bool:
        """Whether the refresh before, or another page of the site, said of the same
        records what is said now; of a whole page, all that it says."""
        page, spec = self._pages[hit.page], self._specs.get(subject)
        if spec is not None and self._is_silent(page, spec, hit.got):
            return False
        if spec is not None:
            follows = _FOLLOWS.get(sign, same)
            return is_said_elsewhere(spec, hit.got, page) or self._was_said(
                hit, spec, follows
            )
        if sign is Sign.REPLACED:
            return bool(page.said_before) and hit.expected not in self._rows
        return bool(page.said_before) and page.said_before == page.values

    def _is_silent(self, page: PageOutcome, spec: FieldSpec, got: Any) -> bool:
        """Whether a page says nothing of a flag that other pages say: that it is not is
        what the model fills in, and no news."""
        said, here = (
            [record.values.get(spec.name) for record in records]
            for records in (self._read, page.read_records)
        )
        is_filled_in = got in said and got not in here
        return spec.kind is FieldKind.BOOLEAN and is_filled_in

    @cached_property
    def _read(self) -> Sequence[ExtractedRecord]:
        """All records as they were read, without what the model fills in."""
        read = map(attrgetter("read_records"), self._pages)
        return list(chain.from_iterable(read))

    def confirms_moved(self, sign: Sign | None, subject: str, hit: Hit) -> bool:
        """The same of a value on a new layout: it has to be stated of the thing whose
        known values are stated there, too."""
        page = self._pages[hit.page]
        if len(page.previous) != 1 or len(page.read_records) != 1:
            return False
        pair = (page.read_records[0], page.previous[0])
        is_of_it = is_of_known_thing(*pair, subject, self._schema)
        return is_of_it and self.confirms(sign, subject, hit)

    def _was_said(self, hit: Hit, spec: FieldSpec, follows: _Follows) -> bool:
        """Whether all records of a page that have a new value follow from what was said
        of them, and it was no other record's."""
        rows = self._said_of(hit, spec)
        said = [follows(row.get(spec.name), hit.got, spec) for row in rows]
        return bool(said) and all(said) and not self._is_anothers(spec, hit.got)

    def _said_of(self, hit: Hit, spec: FieldSpec) -> list[Record]:
        """What was said of the records of a page that have a new value; without a key,
        those that had it."""
        page = self._pages[hit.page]
        new = [pair.new for _, pair in self.changed(hit.page, spec)]
        has_value = partial(_has_value, spec, hit.got)
        if not self._key and len(page.values) > 1:
            return list(filter(has_value, page.said_before))
        return [self._said(page, record) for record in filter(has_value, new)]

    def alike(self) -> Iterator[tuple[int, str]]:
        """(page, field) of all that is another value than was known, and what was said
        before."""
        for at, page in enumerate(self._pages):
            for name, spec in self._specs.items() if page.said_before else ():
                hits = [
                    Hit(at, "", pair.new.get(name))
                    for _, pair in self.changed(at, spec)
                ]
                if hits and all(self.confirms(None, name, hit) for hit in hits):
                    yield at, name

    def is_no_surprise(self, field: str) -> bool:
        """Whether most values of a field are what is known, or was said before, of
        their records: whatever their sizes are, they are no other ones than then. But a
        list that came to have far more records has another one in it every day."""
        spec, filled, new = self._specs[field], 0, 0
        if has_records(spec):
            return False
        for at, page in enumerate(self._pages):
            filled += sum(row.get(field) not in EMPTY for row in page.values)
            records = [pair.new for _, pair in self.changed(at, spec)]
            new += sum(
                not same(self._said(page, record).get(field), record[field], spec)
                for record in records
            )
        return new < _MOST * filled

    def _is_anothers(self, spec: FieldSpec, value: Any) -> bool:
        """Whether one other record alone was known for a steady value: that is never
        news of this one, however often it is said. Where many records share a number with
        others, as years, this one may have come to it by chance; words are told of things."""
        if not is_steady(spec, self._family) or len(str(value)) < _TELLS:
            return False
        owners = self._owners(spec)
        again = owners.total() - len(owners)
        is_alone = owners[canonical(value, spec)] == 1
        is_number = spec.kind is FieldKind.INTEGER
        is_shared = all((is_number, is_often(again + 1, owners.total())))
        return all((is_alone, not is_shared))

    def _owners(self, spec: FieldSpec) -> Counter[Hashable]:
        """How many records were known for each value of a field."""
        found = self._counted.get(spec.name)
        if found is None:
            known = chain.from_iterable(map(attrgetter("previous"), self._pages))
            found = Counter(canonical(row.get(spec.name), spec) for row in known)
            del found[None]
            self._counted[spec.name] = found
        return found

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
        said = map(attrgetter("said_before"), self._pages)
        return by_key(chain.from_iterable(said), self._key)


def excuse_what_was_said_before(
    schema: RecordSchema,
    family: Family,
    pages: Sequence[PageOutcome],
    tallies: Tallies,
) -> dict[str, frozenset[str]]:
    """Take back the signs of news of values that the refresh before has read, too, or
    that another page of the site says; url -> the fields of which that leaves nothing
    against the page, "" for the rows of a list that are gone from it.

    History counts them all the same, so often a value is another one here; but for
    events. Where many pages still show the known value nothing is taken back: the
    crawler reads another thing, and will read it again.
    """
    if not any(page.said_before or page.elsewhere for page in pages):
        return {}
    said = SaidBefore(schema, family, pages)
    refuted, whole = refuted_fields(tallies), set(_of_records(tallies))
    for tally in tallies:
        if tally.sign in _NEWS and tally.subject not in refuted:
            _take_news(tally, said.confirms)
        elif tally.sign is Sign.MOVED and tally.subject not in refuted:
            _take_news(tally, said.confirms_moved)
    twice = {one for one in said.alike() if one[1] not in refuted}
    twice |= whole - set(_of_records(tallies))
    return _by_url(twice - set(_witnessed(tallies)), pages)


def surprising_shifts(
    schema: RecordSchema,
    family: Family,
    pages: Sequence[PageOutcome],
    tallies: Tallies,
    shifts: Iterable[Shift],
) -> Iterator[Shift]:
    """The shifts of sizes but for those that are no surprise any more: other goods are
    dearer once, not for ever."""
    said = SaidBefore(schema, family, pages)
    refuted = refuted_fields(tallies)
    for shift in shifts:
        may_be_news = shift.failed and shift.field not in refuted
        if not (may_be_news and said.is_no_surprise(shift.field)):
            yield shift


def refuted_fields(tallies: Tallies) -> set[str]:
    """The fields of which nothing is news."""
    return set(map(attrgetter("subject"), filter(_is_no_news, tallies)))


def _is_no_news(tally: Tally) -> bool:
    """Whether the known values of a field stand on many pages, were mixed up, or are
    many times as large as they were."""
    if tally.sign is Sign.CHANGED and _are_mixed_up(tally.hits):
        return True
    is_jump = tally.sign is Sign.JUMP
    return is_refuted(tally) or (is_jump and _is_event(tally, len(tally.hits)))


def _is_event(tally: Tally, count: int) -> bool:
    """Whether so many of the units of a sign are too many to be single ones."""
    return count >= _LEAST_EVENT and count > _EVENT * tally.seen


def _witnessed(tallies: Tallies) -> Iterator[tuple[int, str]]:
    """(page, field) of what something else than the past speaks against."""
    for tally in tallies:
        if tally.sign in _WITNESSED:
            yield from ((hit.page, tally.subject) for hit in tally.hits)


def _of_records(tallies: Tallies) -> Iterator[tuple[int, str]]:
    """(page, "") of what the past says against records as a whole."""
    for tally in tallies:
        if not tally.subject and RULES[tally.sign].check is CheckName.HISTORY:
            yield from ((hit.page, "") for hit in tally.hits)


def _by_url(
    twice: Iterable[tuple[int, str]], pages: Sequence[PageOutcome]
) -> dict[str, frozenset[str]]:
    """Url -> fields."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for at, field in twice:
        found[pages[at].url].add(field)
    return {url: frozenset(fields) for url, fields in found.items()}


def _take_news(tally: Tally, is_news: Callable[[Sign | None, str, Hit], bool]) -> None:
    """Take the hits that are news from a tally."""
    taken = [hit for hit in tally.hits if is_news(tally.sign, tally.subject, hit)]
    left = set(map(id, taken))
    tally.hits = [hit for hit in tally.hits if id(hit) not in left]
    if _is_event(tally, len(taken)):
        tally.event = len(taken)
    else:
        tally.confirmed += len(taken)


def _are_mixed_up(hits: Sequence[Hit]) -> bool:
    """Whether several records that were known for different values all have one now, or
    those of each other: what a reader finds on every page, or rows that were shifted."""
    before = {str(hit.expected) for hit in hits}
    after = {str(hit.got) for hit in hits}
    if len(hits) < _LEAST_EVENT or len(before) < 2:
        return False
    return len(after) == 1 or after <= before
