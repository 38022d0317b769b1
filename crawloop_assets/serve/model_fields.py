"""Fields that no reader reaches, such as which of the words of a page is its cuisine: a
model reads them, and nothing else of the page, where the family names them.

What it says is believed on the same grounds as a whole page of it is. A page that shows
what it showed when a model read it is not asked about again.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter

from pydantic import BaseModel, ValidationError

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.page import Page
from crawloop_assets.record import to_values, validate
from crawloop_assets.sandbox import Evidence
from crawloop_assets.serve.fallback import ModelServing
from crawloop_assets.serve.model_reader import ModelReader
from crawloop_assets.serve.model_turns import ModelTurns
from crawloop_assets.serve.places import KnownPlaces, ShownTexts, known_places
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.witnessed import ModelJudge
from crawloop_assets.store.known import KnownRow
from crawloop_assets.values.value import Value

_KnownRows = Mapping[str, Sequence[KnownRow]]


@dataclass(frozen=True)
class _FieldsRead:
    """What a model was shown of a page, the values it read there by field, and what is
    known of the record, whoever said so."""

    evidence: Evidence
    values: Mapping[str, Value]
    known: Sequence[KnownRow]


@dataclass
class ModelFields:
    """Fills in the fields of the reader's schema, where a version found none of them."""

    reader: ModelReader
    turns: ModelTurns = field(default_factory=ModelTurns)

    async def filled(
        self, readings: Sequence[Reading], known: _KnownRows
    ) -> list[Reading]:
        """The readings with what a model says of their open fields, if that is
        believed; `known` are the last known good records by url."""
        if self.reader.family.kind is not FamilyKind.DETAIL:
            return list(readings)
        rows = [known.get(one.url, ()) for one in readings]
        stands = list(map(self._with_known, readings, rows))
        answers = await asyncio.gather(*map(self._answered, stands, rows))
        places = self._places(answers)
        pairs = zip(stands, answers, strict=True)
        return [self._with_answer(one, answer, places) for one, answer in pairs]

    @cached_property
    def _names(self) -> frozenset[str]:
        """The fields that the model is asked for."""
        return frozenset(map(attrgetter("name"), self.reader.schema.fields))

    def _open(self, reading: Reading) -> frozenset[str]:
        """The fields that a version did not find on a page that it read."""
        is_read = reading.good and reading.version is not None and not reading.skipped
        if not is_read or len(reading.values) != 1:
            return frozenset()
        return frozenset(
            name for name in self._names if reading.values[0].get(name) in EMPTY
        )

    def _with_known(self, reading: Reading, known: Sequence[KnownRow]) -> Reading:
        """A page that shows what it showed, with what a model read there then."""
        before = _first(known)
        open_ = self._open(reading) & before.by_model
        if not open_ or not _is_unchanged(reading):
            return reading
        return self._with(reading, {name: before[name] for name in open_})

    async def _answered(
        self, reading: Reading, known: Sequence[KnownRow]
    ) -> _FieldsRead | None:
        """What the model says of a page with open fields, None if it is not asked or
        does not answer."""
        page = reading.visit.page
        if page is None or not self._open(reading) or reading.model_fields:
            return None
        return await self.turns.ask(reading.url, lambda: self._read(page, known))

    async def _read(self, page: Page, known: Sequence[KnownRow]) -> _FieldsRead:
        """One page, read by the model."""
        evidence = await self.reader.shown(page, known)
        found = await self.reader.ask(page, evidence)
        values = found.records[0] if found.records else {}
        return _FieldsRead(evidence, values, known)

    def _places(self, answers: Sequence[_FieldsRead | None]) -> KnownPlaces:
        """Where the fields stand on those of the pages whose values are known."""
        taught = [
            (ShownTexts(answer.evidence.html), answer.known)
            for answer in answers
            if answer and answer.known
        ]
        return known_places(self.reader.schema, taught)

    def _with_answer(
        self, reading: Reading, answer: _FieldsRead | None, places: KnownPlaces
    ) -> Reading:
        """A reading with what is believed of an answer."""
        if answer is None:
            return reading
        open_ = self._open(reading)
        said = {name: one for name, one in answer.values.items() if name in open_}
        evidence = answer.evidence
        judge = ModelJudge(
            self.reader.family,
            reading.url,
            evidence.html,
            evidence.islands,
            reading.facts,
            places,
        )
        judged = judge.judge([{**reading.values[0], **said}], answer.known)
        believed = judged.values[0]
        return self._with(
            reading, {one: believed[one] for one in said if one in believed}
        )

    def _with(self, reading: Reading, values: Mapping[str, Value]) -> Reading:
        """A reading with the values of some fields more, if they make a valid record."""
        if not values:
            return reading
        family, schema = self.reader.family, self.reader.family.schema_spec()
        try:
            record: BaseModel = validate(
                family.model(), {**reading.values[0], **values}
            )
        except ValidationError:
            return reading
        return replace(
            reading,
            records=(record,),
            values=(to_values(record, schema),),
            model_fields=frozenset(values),
        )


async def filled(
    fields: ModelFields | None, readings: list[Reading], known: _KnownRows
) -> list[Reading]:
    """The readings, with what a model, if there is one, reads of their open fields."""
    return readings if fields is None else await fields.filled(readings, known)


def notes_of(model: ModelServing | None, fields: ModelFields | None) -> str:
    """Why a model did not serve pages, or fill in fields, "" if it did."""
    of_pages = model.note if model else ""
    of_fields = fields.turns.stopped if fields else ""
    return of_pages or of_fields


def _first(rows: Sequence[KnownRow]) -> KnownRow:
    """The one record that is known of a page, an empty one if there are none, or
    several."""
    return rows[0] if len(rows) == 1 else KnownRow({}, frozenset())


def _is_unchanged(reading: Reading) -> bool:
    """Whether a page shows what it showed last time; tokens and times are in many."""
    visit, facts = reading.visit, reading.facts
    if visit.has_page and visit.page_sha256 == visit.url.page_sha256:
        return True
    return facts is not None and facts.content_hash == visit.url.content_hash
