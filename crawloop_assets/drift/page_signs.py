"""Counts the signs of drift that pages show as a whole: layout, currency, rows, paging,
and the votes of the readers."""

from collections.abc import Iterator, Sequence

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.document.layout import NEAR_LAYOUT
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.page import disagrees, losing_value, silent
from crawloop_assets.drift.shown_twice import pages_again
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.family import Family
from crawloop_assets.schema import RecordSchema


def count_page_signs(
    schema: RecordSchema,
    family: Family,
    outcomes: Sequence[PageOutcome],
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Count the signs of the pages themselves.

    LAYOUT and CURRENCY of each page; ROWS, UNPAGED, LOOP and SHORT of pages that may
    hold several records. A page that is another one once more goes on as that does.
    """
    again = pages_again(schema, family, outcomes)
    usual_currency = norms.usual("currency")
    paging = _Paging(norms.usual("page_size"), tallies)
    for page, outcome in enumerate(outcomes):
        facts, extraction = outcome.facts, outcome.extraction
        if facts is None:
            continue
        _count_layout(page, facts, norms, tallies)
        _count_currency(page, facts, usual_currency, tallies)
        if extraction is None or family.kind is FamilyKind.DETAIL:
            continue
        _count_rows(page, facts, outcome.shown, norms, tallies)
        if page not in again:
            paging.count(page, outcome, facts, extraction)


def _count_layout(page: int, facts: PageFacts, norms: Norms, tallies: Tallies) -> None:
    """Whether the layout is far from all known ones."""
    distance = norms.layout_distance(facts.template)
    if distance is None:
        return
    is_unknown = distance > NEAR_LAYOUT
    got = f"distance {distance:.2f}"
    tallies.add(
        Sign.LAYOUT, "", page, has_sign=is_unknown, expected="a known layout", got=got
    )


def _count_currency(page: int, facts: PageFacts, usual: str, tallies: Tallies) -> None:
    """Whether most prices of the page are in another currency than usual."""
    if usual and facts.currency:
        tallies.add(
            Sign.CURRENCY,
            "page",
            page,
            has_sign=facts.currency != usual,
            expected=usual,
            got=facts.currency,
        )


def _count_rows(
    page: int, facts: PageFacts, records: int, norms: Norms, tallies: Tallies
) -> None:
    """Whether the groups of siblings that use to be the records still are as many."""
    for group, length in facts.groups or ():
        if group in norms.row_groups:
            tallies.add(
                Sign.ROWS,
                "",
                page,
                has_sign=length != records,
                expected=str(length),
                got=str(records),
            )


class _Paging:
    """Counts whether lists go on as they should; it remembers where they went on."""

    def __init__(self, usual_size: str, tallies: Tallies):
        self._usual_size = usual_size
        self._tallies = tallies
        self._followed: set[str] = set()

    def count(
        self, page: int, outcome: PageOutcome, facts: PageFacts, extraction: Extraction
    ) -> None:
        """The signs of one page of a list."""
        following = extraction.next_url
        if facts.next_link:
            self._tallies.add(
                Sign.UNPAGED,
                "",
                page,
                has_sign=following is None,
                expected="a next url",
                got="nothing",
            )
        if not following:
            return
        is_loop = following in self._followed or following == outcome.url
        self._followed.add(following)
        self._tallies.add(
            Sign.LOOP,
            "",
            page,
            has_sign=is_loop,
            expected="a page not seen yet",
            got=following,
        )
        if self._usual_size:
            self._tallies.add(
                Sign.SHORT,
                "",
                page,
                has_sign=outcome.shown < int(self._usual_size),
                expected=self._usual_size,
                got=str(outcome.shown),
            )


def count_vote_signs(
    schema: RecordSchema,
    family: Family,
    outcomes: Sequence[PageOutcome],
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Count DISAGREE, SILENT and READER: readers that contradict each other or return
    nothing, and winners that are not the usual ones.

    Only of the version that read most pages, and of fields with two readers or more.
    """
    least_agreement = family.drift.min_agreement
    usual_readers = {
        spec.name: norms.usual(f"reader:{spec.name}", per_version=True)
        for spec in schema.fields
    }
    for page, record in _records_read_by(norms.version, outcomes):
        for field, vote in record.votes.items():
            if vote.readers < 2:
                continue
            _count_agreement(page, record, field, least_agreement, tallies)
            _count_silence(page, field, vote, tallies)
            _count_winner(page, field, vote, usual_readers.get(field, ""), tallies)


def _records_read_by(
    version: int | None, outcomes: Sequence[PageOutcome]
) -> Iterator[tuple[int, ExtractedRecord]]:
    """(position of the page, record) of all records that a version read."""
    for page, outcome in enumerate(outcomes):
        if outcome.version != version:
            continue
        for record in outcome.read_records:
            yield page, record


def _count_agreement(
    page: int,
    record: ExtractedRecord,
    field: str,
    least_agreement: float,
    tallies: Tallies,
) -> None:
    """Whether the readers of a value contradict each other."""
    vote = record.votes[field]
    is_split = disagrees(vote, least_agreement)
    rival = losing_value(vote)
    got = record.values.get(field)
    tallies.add(Sign.DISAGREE, field, page, has_sign=is_split, expected=rival, got=got)


def _count_silence(page: int, field: str, vote: FieldVote, tallies: Tallies) -> None:
    """Whether most readers of a value returned nothing."""
    # The sentences are made for the silent only: this is asked of every value.
    if not silent(vote):
        tallies.add(Sign.SILENT, field, page, has_sign=False)
        return
    tallies.add(
        Sign.SILENT,
        field,
        page,
        has_sign=True,
        expected=f"{vote.readers} readers",
        got=f"{vote.live_readers} readers",
    )


def _count_winner(
    page: int, field: str, vote: FieldVote, usual: str, tallies: Tallies
) -> None:
    """Whether a value comes from another reader than nearly always."""
    if usual and vote.reader:
        tallies.add(
            Sign.READER,
            field,
            page,
            has_sign=vote.reader != usual,
            expected=usual,
            got=vote.reader,
        )
