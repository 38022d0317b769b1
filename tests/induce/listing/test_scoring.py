from dataclasses import replace

from crawloop_assets.crawler.program import Boundary, BoundaryMode, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.boundary import CandidateBoundary, boundaries
from crawloop_assets.induce.listing.occurrences import Occurrences
from crawloop_assets.induce.listing.programs import program_from
from crawloop_assets.induce.listing.scoring import (
    Scored,
    score_on_others,
    score_program,
)
from tests.induce.listing.documents import RECORDS, SCHEMA, document, items


def learned(page: Document) -> tuple[Program, CandidateBoundary]:
    candidate = boundaries(SCHEMA, Occurrences(page), RECORDS[:3])[0]
    program = program_from(SCHEMA, page, RECORDS[:3], candidate)
    assert program is not None
    return program, candidate


def test_known_cells_read_right_and_other_records_filled_are_the_score() -> None:
    program, candidate = learned(document(items()))
    scored = score_program(program, candidate, RECORDS[:3])
    assert (scored.right, scored.fill, scored.found) == (1.0, 1.0, 4)
    assert (scored.odd, scored.waste) == (0, 0)
    assert scored.score == 1.25


def test_cells_that_are_wrong_or_lacking_are_counted() -> None:
    program, candidate = learned(document(items()))
    wrong = [{**RECORDS[0], "name": "Nobody"}, RECORDS[1], {**RECORDS[2], "court": "x"}]
    assert score_program(program, candidate, wrong).right == 8 / 10


def test_places_that_are_no_records_are_waste_and_unlike_records_odd() -> None:
    page = document(items().replace("</ul>", "<li class='case'>None today</li></ul>"))
    program, candidate = learned(page)
    scored = score_program(program, candidate, RECORDS[:3])
    assert (scored.found, scored.waste) == (4, 1)
    assert score_program(program, replace(candidate, alike=3), RECORDS).odd == 1
    assert replace(scored, odd=2).worth == 4 - 2.5


def test_a_program_is_also_judged_on_other_pages() -> None:
    program, candidate = learned(document(items()))
    scored = score_program(program, candidate, RECORDS[:3])
    alike, strange = document(items(2)), document("<p>x</p>")
    assert score_on_others(scored, [(alike, RECORDS[:2])]).right == 1.0
    assert score_on_others(scored, [(strange, RECORDS[:2])]).right == 0.5
    assert score_on_others(scored, [(alike, [RECORDS[0], RECORDS[3]])]).right == 0.75
    assert score_on_others(scored, [(alike, [])]).right == 0.5


def test_the_better_and_then_the_plainer_program_ranks_first() -> None:
    program, _ = learned(document(items()))
    base = Scored(program, right=1.0, fill=1.0, found=4)
    run = Boundary(mode=BoundaryMode.RUN, at="li.case")
    worse = [
        replace(base, right=0.9),
        replace(base, program=program.model_copy(update={"record": run})),
        replace(base, found=3),
        replace(base, odd=1),
        replace(base, waste=1),
        replace(
            base,
            program=program.model_copy(
                update={
                    "fields": tuple(
                        field.model_copy(update={"readers": field.readers[:1]})
                        for field in program.fields
                    )
                }
            ),
        ),
    ]
    assert all(base.rank < other.rank for other in worse)
    assert replace(base, right=0.9, found=9).rank > base.rank
