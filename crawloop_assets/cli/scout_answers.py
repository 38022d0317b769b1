"""What a person says of the tables that scout shows: a cell is something else, or a
field is to be left out."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import NamedTuple

from crawloop_assets.cli.scout_crawler import ScoutedFamily, schema_for, with_crawler
from crawloop_assets.cli.scout_table import shown_rows
from crawloop_assets.crawler.extraction import Example, ExtractedRecord
from crawloop_assets.errors import ConfigError
from crawloop_assets.record import to_values
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.scout.proposal import Proposal
from crawloop_assets.scout.written import Spoken
from crawloop_assets.values.value import Value

HOW_TO_ANSWER = (
    "Write these files? Enter: yes, n: no; `3 price = 19.90` corrects a cell, "
    "`drop price` leaves a field out"
)
_CELL = re.compile(r"(\d++)\s++(\w++)\s*+=\s*+(.*)")
_DROP = re.compile(r"drop\s++(\w++)")
_NOT_UNDERSTOOD = "that is no answer: a row, a field and a value, as in `3 price = 19.90`, or `drop price`"


class _Asked(NamedTuple):
    """A row of the tables: the family, by its place, the page and the record."""

    family: int
    page: int
    record: ExtractedRecord


def answered(
    families: Sequence[ScoutedFamily], answer: str, pool: WorkerPool
) -> list[ScoutedFamily]:
    """The families after an answer; ConfigError for one that is not understood, or
    that no crawler can be made of."""
    dropped, cell = _DROP.fullmatch(answer.strip()), _CELL.fullmatch(answer.strip())
    if dropped:
        return [_without(family, dropped[1], pool) for family in families]
    if cell is None:
        raise ConfigError(_NOT_UNDERSTOOD)
    rows = dict(enumerate(_rows(families), 1))
    asked = rows.get(int(cell[1]))
    if asked is None:
        raise ConfigError(f"there is no row {cell[1]}")
    changed = list(families)
    changed[asked.family] = _corrected(changed[asked.family], asked, cell, pool)
    return changed


def _rows(families: Sequence[ScoutedFamily]) -> Iterator[_Asked]:
    """The rows of all tables, as they are numbered."""
    for place, family in enumerate(families):
        for page, record in shown_rows(family):
            yield _Asked(place, page, record)


def _without(family: ScoutedFamily, name: str, pool: WorkerPool) -> ScoutedFamily:
    """A family without a field, if it has it."""
    proposal = family.files.proposal.without(frozenset((name,)))
    return _made(family, proposal, pool)


def _corrected(
    family: ScoutedFamily, asked: _Asked, cell: re.Match[str], pool: WorkerPool
) -> ScoutedFamily:
    """A family that was taught what one cell holds; nothing, where the value is
    empty."""
    proposal = family.files.proposal
    schema = schema_for(proposal, family.files.model)
    name = cell[2]
    if name not in {spec.name for spec in schema.fields}:
        raise ConfigError(f"there is no field {name!r}")
    record = _known(proposal, asked)
    record.pop(name, None)
    record |= to_values({name: cell[3].strip()}, schema)
    said = family.files.said | {(asked.page, name, str(record.get(name)))}
    taught = _taught(proposal, asked, record, said)
    made = _made(family, taught, pool, said)
    if name not in {one.spec.name for one in made.files.proposal.fields}:
        raise ConfigError(f"no reader of the page gives {name} = {cell[3].strip()}")
    return made


def _known(proposal: Proposal, asked: _Asked) -> dict[str, Value]:
    """What was proposed for a row; of a row that is in no example what was read."""
    for example in proposal.examples:
        if example.page == asked.page and asked.record.row < len(example.records):
            return dict(example.records[asked.record.row])
    return dict(asked.record.values)


def _taught(
    proposal: Proposal, asked: _Asked, record: dict[str, Value], said: frozenset[Spoken]
) -> Proposal:
    """The proposal with a row as a person says it is, before all others; pages of which
    nobody spoke are examples no more, since what was proposed there was another place,
    and an example without a field says that its page lacks it."""
    pages = set(map(itemgetter(0), said))
    rows: list[dict[str, Value]] = []
    others: list[Example] = []
    for example in proposal.examples:
        known = [_confirmed(said, example.page, one) for one in example.records]
        if example.page == asked.page:
            rows = [*known[: asked.record.row], *known[asked.record.row + 1 :]]
        elif example.page in pages:
            others.append(example.model_copy(update={"records": tuple(known)}))
    first = Example(page=asked.page, records=(record, *rows))
    return proposal.model_copy(update={"examples": (first, *others)})


def _confirmed(
    said: frozenset[Spoken], page: int, record: Mapping[str, Value]
) -> dict[str, Value]:
    """A record without what a person said otherwise of elsewhere."""
    spoken = set(map(itemgetter(1), said))
    kept: dict[str, Value] = {}
    for name, value in record.items():
        if name not in spoken or (page, name, str(value)) in said:
            kept[name] = value
    return kept


def _made(
    family: ScoutedFamily,
    proposal: Proposal,
    pool: WorkerPool,
    said: frozenset[Spoken] | None = None,
) -> ScoutedFamily:
    """The family with the crawler of another proposal."""
    files = family.files
    files = replace(files, proposal=proposal, said=said or files.said)
    return with_crawler(files, family.pages, pool)
