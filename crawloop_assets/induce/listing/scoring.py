"""How listing programs do on records that are known, and how complete the others
are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from crawloop_assets.crawler.interpreter import (
    extract_record,
    extract_rows,
    records_of,
    run,
)
from crawloop_assets.crawler.program import BoundaryMode, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.apart import strange_rows
from crawloop_assets.induce.listing.boundary import CandidateBoundary
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.listing.sampling import spread_sample
from crawloop_assets.induce.proof.right import is_right
from crawloop_assets.induce.trust import tuned
from crawloop_assets.values.value import Value

_RECORDS_LOOKED_AT = 80


@dataclass(frozen=True)
class Scored:
    """A listing program and how it did on the pages it was made from.

    `right` is the share (0..1) of known cells it reads right, `fill` the share of
    fields filled over all its records, `found` how many records it finds, `odd` how
    many of them are made otherwise than the known ones, `waste` how many places it
    looks at that are none.
    """

    program: Program
    right: float
    fill: float
    found: int
    odd: int = 0
    waste: int = 0

    @property
    def score(self) -> float:
        """Right cells first; then how complete the other records are."""
        return round(self.right + tuned("scoring.fill") * self.fill, 4)

    @property
    def worth(self) -> float:
        """How many records it finds; what is made otherwise may be another list of the
        page, read wrong."""
        return self.found - tuned("scoring.odd_cost") * self.odd

    @property
    def rank(self) -> tuple[float | int | str, ...]:
        """Sorts the best first; of programs that do as well, the plainer one."""
        program, text = self.program, self.program.to_json()
        mode = program.record.mode if program.record else None
        backed = sum(len(field.readers) > 1 for field in program.fields)
        return (
            -self.score,
            mode is BoundaryMode.RUN,
            -self.worth,
            -backed,
            self.waste,
            len(text),
            text,
        )


def _known_right(
    program: Program, candidate: CandidateBoundary, records: Sequence[RecordValues]
) -> int:
    """How many cells of the known records are read right; those of records that the
    boundary does not reach are not."""
    right = 0
    for index, scope in candidate.known.items():
        values = extract_record(program.fields, scope).values
        right += _cells_right(program, records[index], values)
    return right


def score_program(
    program: Program, candidate: CandidateBoundary, records: Sequence[RecordValues]
) -> Scored:
    """Judge a program on its known records, and by a sample of the others how complete
    those are."""
    cells = sum(map(len, records))
    right = _known_right(program, candidate, records)
    sample = spread_sample(candidate.scopes, _RECORDS_LOOKED_AT)
    rows = extract_rows(program.fields, sample)
    kept = rows if program.record is None else records_of(rows, program.record)
    filled = sum(len(row.values) for row in kept)
    fill = _share(filled, len(kept) * len(program.fields))
    places = len(candidate.scopes)
    found = round(places * len(kept) / len(rows)) if rows else 0
    return Scored(
        program,
        right=_share(right, cells),
        fill=round(fill, 4),
        found=found,
        odd=max(0, found - candidate.alike) + strange_rows(program, candidate),
        waste=places - found,
    )


def score_on_others(
    scored: Scored, known: Sequence[tuple[Document, Sequence[RecordValues]]]
) -> Scored:
    """The score with what the program does on other pages whose records are known."""
    shares = [scored.right]
    for document, records in known:
        extraction = run(scored.program, document)
        rows = list(map(attrgetter("values"), extraction.records))
        right = sum(_best_match(scored.program, record, rows) for record in records)
        shares.append(_share(right, sum(map(len, records))))
    return replace(scored, right=round(sum(shares) / len(shares), 6))


def _share(part: int, whole: int) -> float:
    """A part of a whole, 0..1; 0 of nothing."""
    return part / whole if whole else 0.0


def _best_match(
    program: Program, record: RecordValues, rows: Sequence[Mapping[str, Value]]
) -> int:
    """How many cells of a known record the row that is most like it has right."""
    rights = [_cells_right(program, record, row) for row in rows]
    return max(rights, default=0)


def _cells_right(
    program: Program, record: RecordValues, row: Mapping[str, Value]
) -> int:
    """How many values of a known record the row has right."""
    specs = map(attrgetter("spec"), program.fields)
    return sum(
        is_right(row.get(spec.name), record.get(spec.name), spec) for spec in specs
    )
