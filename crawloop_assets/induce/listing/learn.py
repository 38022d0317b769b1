"""Listing programs from known records: boundaries are tried, and the programs they give
judged on all pages whose records are known."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.flat import flat_example, flat_schema, folded_program
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.boundary import CandidateBoundary, boundaries
from crawloop_assets.induce.listing.json_arrays import json_boundaries
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.listing.narrowed import without_narrowed
from crawloop_assets.induce.listing.next_link import next_reader
from crawloop_assets.induce.listing.occurrences import Occurrences
from crawloop_assets.induce.listing.phantoms import cleared
from crawloop_assets.induce.listing.programs import program_from
from crawloop_assets.induce.listing.sampling import spread_sample
from crawloop_assets.induce.listing.scoring import (
    Scored,
    score_on_others,
    score_program,
)
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec, RecordSchema

_MOST_CANDIDATES = 6
_MOST_RECORDS = 24
"""Known records of a page that are used."""
_MOST_PAGES = 3
_MOST_PROVED = 3
"""Programs that are run on the other pages."""

_KnownPage = tuple[Document, Sequence[RecordValues]]


def induce_on(
    schema: RecordSchema, documents: Sequence[Document], examples: Sequence[Example]
) -> list[Scored]:
    """Listing programs for pages with known records, best first; empty if the records
    are not found on them.

    An example need not name all records of its page. Values that are not on the page
    only cost their cells.
    """
    known = list(_known_pages(documents, examples))
    if not known:
        return []
    # The first of the pages with most records; max keeps the first of equals.
    main = max(range(len(known)), key=lambda index: len(known[index][1]))
    others = [*known[:main], *known[main + 1 :]]
    scored = _of_rows(list(_programs(schema, known[main], others)))
    ranked = sorted(scored, key=attrgetter("rank"))
    return _proved(ranked, others[:_MOST_PAGES]) if others else ranked


def induce_inside(
    spec: FieldSpec, documents: Sequence[Document], examples: Sequence[Example]
) -> Program | None:
    """The program of a list of records inside others, if nearly all that is known of it is
    read so; the records in those are read, too. Unlike the rows of a page such a list is
    known whole: what finds as many goes before what finds more."""
    inner = RecordSchema(name=spec.name, fields=spec.fields)
    flat = list(map(partial(flat_example, inner), examples))
    least = tuned("inherited.least_right")
    made = induce_on(flat_schema(inner), documents, flat)[:_MOST_PROVED]
    programs = [one.program for one in made if one.right >= least]
    as_long = partial(_as_long, documents=documents, examples=flat)
    if not programs:
        return None
    return folded_program(inner, max(programs, key=as_long))


def _as_long(
    program: Program, documents: Sequence[Document], examples: Sequence[Example]
) -> int:
    """On how many pages a program finds as many records as are known."""
    return sum(
        len(run(program, documents[known.page]).records) == len(known.records)
        for known in examples
    )


def _of_rows(scored: Sequence[Scored]) -> list[Scored]:
    """Programs but those that find one record alone, where another one reads as much of it
    and finds more: the list around all rows has small numbers of other ones in it."""
    several = map(attrgetter("right"), filter(_finds_several, scored))
    right = max(several, default=-math.inf)
    return [one for one in scored if _finds_several(one) or one.right > right]


def _finds_several(scored: Scored) -> bool:
    """Whether a program finds more than one record."""
    return scored.found > 1


def _proved(ranked: Sequence[Scored], others: Sequence[_KnownPage]) -> list[Scored]:
    """The best programs of one page, ranked anew by what they read on other pages; those
    farther down are left out, for each one has to be run on all of them."""
    best = ranked[:_MOST_PROVED]
    clear = [replace(one, program=cleared(one.program, others)) for one in best]
    proved = [score_on_others(one, others) for one in clear]
    return sorted(proved, key=attrgetter("rank"))


def _known_pages(
    documents: Sequence[Document], examples: Sequence[Example]
) -> Iterator[_KnownPage]:
    """The pages of the examples that name records, with those that are used."""
    for example in examples:
        if example.records:
            yield documents[example.page], spread_sample(example.records, _MOST_RECORDS)


def _programs(
    schema: RecordSchema, known: _KnownPage, others: Sequence[_KnownPage]
) -> Iterator[Scored]:
    """The program of each candidate boundary of a page, with its score there; without
    those that read nothing right."""
    document, records = known
    onward = next_reader(document, [page for page, _ in others])
    elsewhere = [record for _, rest in others for record in rest]
    for candidate in _candidates(schema, document, records):
        program = program_from(schema, document, records, candidate, onward, elsewhere)
        if program is None:
            continue
        scored = score_program(program, candidate, records)
        if scored.right > 0:
            yield scored


def _candidates(
    schema: RecordSchema, document: Document, records: Sequence[RecordValues]
) -> list[CandidateBoundary]:
    """Boundaries for the known records of a page: all that JSON gives, and the most
    promising of the markup."""
    found = boundaries(schema, Occurrences(document), records)
    found = without_narrowed(schema, found, records)
    return [*json_boundaries(schema, document, records), *found[:_MOST_CANDIDATES]]
