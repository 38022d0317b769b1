"""Counts the signs of drift that pages show as a whole: layout, currency, rows, paging,
and the votes of the readers."""

from collections.abc import Sequence

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.layout import NEAR_LAYOUT
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.page import disagrees, silent
from crawloop_assets.drift.signs import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.family import Family
from crawloop_assets.schema import RecordSchema


def count_page_signs(
    family: Family, outcomes: Sequence[PageOutcome], norms: Norms, tallies: Tallies
) -> None:
    """Layout and currency of each page, rows and paging of lists."""
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
        _count_rows(page, facts, len(extraction.records), norms, tallies)
        paging.count(page, outcome.url, facts, extraction)


def _count_layout(page: int, facts: PageFacts, norms: Norms, tallies: Tallies) -> None:
    distance = norms.layout_distance(facts.template)
    if distance is None:
        return
    is_unknown = distance > NEAR_LAYOUT
    got = f"distance {distance:.2f}"
    tallies.add(Sign.LAYOUT, "", page, is_unknown, "a known layout", got)


def _count_currency(page: int, facts: PageFacts, usual: str, tallies: Tallies) -> None:
    if usual and facts.currency:
        is_other = facts.currency != usual
        tallies.add(Sign.CURRENCY, "page", page, is_other, usual, facts.currency)


def _count_rows(
    page: int, facts: PageFacts, records: int, norms: Norms, tallies: Tallies
) -> None:
    """Whether the groups of siblings that use to be the records still are as many."""
    for group, length in facts.groups or ():
        if group in norms.row_groups:
            is_other = length != records
            tallies.add(Sign.ROWS, "", page, is_other, str(length), str(records))


class _Paging:
    """Counts whether lists go on as they should; it remembers where they went on."""

    def __init__(self, usual_size: str, tallies: Tallies):
        self._usual_size = usual_size
        self._tallies = tallies
        self._followed: set[str] = set()

    def count(
        self, page: int, url: str, facts: PageFacts, extraction: Extraction
    ) -> None:
        """The signs of one page of a list."""
        following = extraction.next_url
        if facts.next_link:
            is_unread = following is None
            self._tallies.add(
                Sign.UNPAGED, "", page, is_unread, "a next url", "nothing"
            )
        if not following:
            return
        is_loop = following in self._followed or following == url
        self._followed.add(following)
        self._tallies.add(
            Sign.LOOP, "", page, is_loop, "a page not seen yet", following
        )
        if self._usual_size:
            size = len(extraction.records)
            is_short = size < int(self._usual_size)
            self._tallies.add(
                Sign.SHORT, "", page, is_short, self._usual_size, str(size)
            )


def count_vote_signs(
    schema: RecordSchema,
    family: Family,
    outcomes: Sequence[PageOutcome],
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Disagreeing and silent readers, and winners that are not the usual ones, of the
    version that read most pages."""
    least_agreement = family.drift.min_agreement
    usual_readers = {
        spec.name: norms.usual(f"reader:{spec.name}", per_version=True)
        for spec in schema.fields
    }
    for page, outcome in enumerate(outcomes):
        if outcome.extraction is None or outcome.version != norms.version:
            continue
        for record in outcome.extraction.records:
            for field, vote in record.votes.items():
                if vote.readers < 2:
                    continue
                _count_agreement(page, record, field, least_agreement, tallies)
                _count_silence(page, field, vote, tallies)
                usual = usual_readers.get(field)
                if usual and vote.reader:
                    is_other = vote.reader != usual
                    tallies.add(Sign.READER, field, page, is_other, usual, vote.reader)


def _count_agreement(
    page: int,
    record: ExtractedRecord,
    field: str,
    least_agreement: float,
    tallies: Tallies,
) -> None:
    vote = record.votes[field]
    is_split = disagrees(vote, least_agreement)
    rival = vote.rivals[0] if vote.rivals else ""
    got = record.values.get(field)
    tallies.add(Sign.DISAGREE, field, page, is_split, rival, got)


def _count_silence(page: int, field: str, vote: FieldVote, tallies: Tallies) -> None:
    # The sentences are made for the silent only: this is asked of every value.
    if silent(vote):
        readers, live = f"{vote.readers} readers", f"{vote.live_readers} readers"
        tallies.add(Sign.SILENT, field, page, True, readers, live)
    else:
        tallies.add(Sign.SILENT, field, page, False)
