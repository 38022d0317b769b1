"""What a model reads on a few pages, as far as the pages do not contradict it: the oracle
of a family of which nothing else is known."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from operator import attrgetter

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.drift.check import show
from crawloop_assets.drift.fields import is_steady
from crawloop_assets.drift.matching import pair_records, record_key
from crawloop_assets.drift.values import EMPTY, as_positive
from crawloop_assets.errors import (
    CrawlerFault,
    ModelUnavailable,
    NoModelAnswer,
    OverBudget,
    PageTooLarge,
)
from crawloop_assets.heal.vouched import fields_with_values
from crawloop_assets.llm.budget import midnight
from crawloop_assets.page import Page
from crawloop_assets.sandbox import ContradictJob
from crawloop_assets.schema import FieldSpec
from crawloop_assets.scout.answers import Contradiction
from crawloop_assets.serve.model_reader import ModelReader
from crawloop_assets.store import Store
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

FEWEST_READ, MOST_READ = 3, 5
"""Pages that a model reads for an oracle: more than the fewest where a field is wanting."""
MOST_CALLS = 5
"""Of all calls for it, repairs among them."""
_FAR = 1.5
"""A number that moved by more than this factor is not believed of a model alone."""
_POISONED = 0.5
"""Share of the pages with a value of a field from which their contradictions are no slip."""


@dataclass(frozen=True)
class OracleSaid:
    """What a model said of the first of some pages, without what they contradict.

    `poisoned` are the fields of which nothing is believed, each with what a page has
    against it; `stopped` says why no more was asked, "" if all was.
    """

    pages: tuple[Page, ...]
    known: tuple[Example, ...] = ()
    poisoned: dict[str, str] = field(default_factory=dict)
    stopped: str = ""

    def without(self, fields: frozenset[str]) -> "OracleSaid":
        """The same, with nothing of some fields."""
        records = [_lacking(one, fields) for one in self.known]
        return replace(self, known=tuple(records))


@dataclass(frozen=True)
class ModelOracle:
    """Has a few pages of a family read by a model, within so many calls."""

    reader: ModelReader
    store: Store
    most_read: int = MOST_READ
    most_calls: int = MOST_CALLS

    def read(self, pages: Sequence[Page]) -> OracleSaid:
        """What the model says of the first pages; the pages with those it read in
        front."""
        return asyncio.run(self.read_pages(pages))

    async def read_pages(self, pages: Sequence[Page]) -> OracleSaid:
        """The same, for who runs already."""
        read: dict[int, tuple[dict[str, Value], ...]] = {}
        stopped, reader = "", self._limited()
        for at, page in enumerate(pages[: self.most_read]):
            if len(read) >= FEWEST_READ and not self._is_wanting(read):
                break
            try:
                found = await reader.read(page)
            except (OverBudget, ModelUnavailable) as error:
                stopped = str(error)
                break
            except (CrawlerFault, NoModelAnswer, PageTooLarge) as error:
                stopped = f"{page.url}: {error}"
                continue
            if found.records:
                read[at] = found.records
        order = [*read, *(at for at in range(len(pages)) if at not in read)]
        ordered = tuple(pages[at] for at in order)
        said = OracleSaid(ordered, _examples(list(read.values())), stopped=stopped)
        return self._believed(said)

    def _limited(self) -> ModelReader:
        """The reader, for so many calls from now on at most; the first part of a long
        list is enough to learn from."""
        settings, family = self.reader.settings, self.reader.family.family
        made = self.store.spent(family, midnight()).calls
        most = min(settings.calls_per_day, made + self.most_calls)
        limited = settings.model_copy(update={"calls_per_day": most})
        return replace(self.reader, settings=limited, most_parts=1)

    def _is_wanting(self, read: dict[int, tuple[dict[str, Value], ...]]) -> bool:
        """Whether the model has found a field on fewer pages than are wanted."""
        shown = Counter(chain.from_iterable(map(fields_with_values, read.values())))
        names = map(attrgetter("name"), self.reader.schema.fields)
        return min(map(shown.__getitem__, names), default=0) < FEWEST_READ

    def _believed(self, said: OracleSaid) -> OracleSaid:
        """Without the values that their own pages contradict, and without fields that
        most pages do."""
        if not said.known:
            return said
        schema = self.reader.schema
        claimed = tuple(map(attrgetter("records"), said.known))
        pages = said.pages[: len(claimed)]
        job = ContradictJob(pages=pages, schema=schema, claimed=claimed)
        against = self.reader.pool.run(job).found + self._known_otherwise(said)
        poisoned = _poisoned(said.known, against)
        left = without_values(said, [(one.page, one.row, one.field) for one in against])
        return replace(left.without(frozenset(poisoned)), poisoned=poisoned)

    def _known_otherwise(self, said: OracleSaid) -> tuple[Contradiction, ...]:
        """What is known of the pages by anybody else's word, where the model says
        something that it cannot have become."""
        family, schema = self.reader.family, self.reader.schema
        known = self.store.known(family, [page.url for page in said.pages])
        key, found = record_key(schema, family), []
        for example in said.known:
            before = [
                one.vouched for one in known.get(said.pages[example.page].url, ())
            ]
            rows = {id(one): row for row, one in enumerate(example.records)}
            for old, new in pair_records(before, example.records, key):
                for spec in schema.fields:
                    if self._is_other(spec, old.get(spec.name), new.get(spec.name)):
                        why = f"it was {show(old[spec.name])}"
                        found.append(_against(example.page, rows[id(new)], spec, why))
        return tuple(found)

    def _is_other(self, spec: FieldSpec, known: Value, read: Value) -> bool:
        """Whether a value cannot have become another one: it rarely changes, or is a
        number that was far from it."""
        if known in EMPTY or read in EMPTY or same(known, read, spec):
            return False
        if is_steady(spec, self.reader.family):
            return True
        old, new = as_positive(known), as_positive(read)
        if old is None or new is None:
            return False
        return not 1 / _FAR < new / old < _FAR


def _against(page: int, row: int, spec: FieldSpec, why: str) -> Contradiction:
    """What speaks against one value."""
    return Contradiction(page=page, row=row, field=spec.name, why=why)


def without_values(
    said: OracleSaid, places: Sequence[tuple[int, int, str]]
) -> OracleSaid:
    """Without the values at some places: page, row and field."""
    dropped: defaultdict[tuple[int, int], set[str]] = defaultdict(set)
    for page, row, name in places:
        dropped[page, row].add(name)
    known = []
    for example in said.known:
        records = []
        for row, record in enumerate(example.records):
            records.append(_record_without(record, dropped[example.page, row]))
        known.append(example.model_copy(update={"records": tuple(records)}))
    return replace(said, known=tuple(known))


def _record_without(
    record: Mapping[str, Value], fields: Collection[str]
) -> dict[str, Value]:
    """A record that says nothing of some fields."""
    return {name: value for name, value in record.items() if name not in fields}


def _poisoned(
    known: Sequence[Example], against: Sequence[Contradiction]
) -> dict[str, str]:
    """The fields that are contradicted on so many of the pages which have them that it
    is no slip, each with the first reason."""
    records = map(attrgetter("records"), known)
    pages = Counter(chain.from_iterable(map(fields_with_values, records)))
    refuted = Counter(
        name for name, _ in set(map(attrgetter("field", "page"), against))
    )
    reasons = dict(map(attrgetter("field", "why"), reversed(against)))
    return {
        name: f"{reasons[name]} ({count} of {pages[name]} pages)"
        for name, count in refuted.items()
        if count >= _POISONED * pages[name]
    }


def _examples(read: Sequence[tuple[dict[str, Value], ...]]) -> tuple[Example, ...]:
    """The records of the first pages as examples."""
    return tuple(Example(page=at, records=records) for at, records in enumerate(read))


def _lacking(example: Example, fields: frozenset[str]) -> Example:
    """An example that says nothing of some fields."""
    records = map(_record_without, example.records, repeat(fields))
    return example.model_copy(update={"records": tuple(records)})
