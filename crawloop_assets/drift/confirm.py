"""Values that only time can confirm: a title that is another one today, a price that
tripled.

Nothing on the page speaks against them, and the past does. Such a value waits, with its
page, until a later refresh has it from the site again: what is said twice is news.
"""

from collections.abc import Iterable, Sequence

from crawloop_assets.drift.check import CheckName, Finding, Severity, show
from crawloop_assets.drift.doubt import DoubtfulValue
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.signs import Sign
from crawloop_assets.drift.tally import Hit, Tallies
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same

_NEWS = frozenset(
    (
        Sign.CHANGED,
        Sign.REPRICED,
        Sign.RATIO,
        Sign.JUMP,
        Sign.FELL,
        Sign.SWEPT,
        Sign.CURRENCY,
    )
)
"""Signs that a value is another one than before, and of nothing else."""

WAITING = frozenset((Sign.REPRICED, Sign.RATIO))
"""Signs that hold their pages for one refresh, however many they are: a general rise
of prices is no drift."""


def excuse_what_was_said_before(
    schema: RecordSchema, pages: Sequence[PageOutcome], tallies: Tallies
) -> None:
    """Take back the signs of news of values that an earlier refresh has read, too.

    History counts them all the same: so often a value is another one here.
    """
    if not any(page.said_before for page in pages):
        return
    specs = {spec.name: spec for spec in schema.fields}
    for tally in tallies:
        if tally.sign in _NEWS:
            spec = specs.get(tally.subject)
            hits = tally.hits
            tally.hits = [
                hit for hit in hits if not _was_said(hit, spec, pages[hit.page])
            ]
            tally.confirmed += len(hits) - len(tally.hits)


def _was_said(hit: Hit, spec: FieldSpec | None, page: PageOutcome) -> bool:
    """Whether the value of a sign was read of its page before; of a sign of the whole
    page, whether all its values were."""
    if spec is None:
        return bool(page.said_before) and page.said_before == page.values
    return any(same(old.get(spec.name), hit.got, spec) for old in page.said_before)


def waiting_pages(
    schema: RecordSchema, found: Iterable[DoubtfulValue], pages: Sequence[PageOutcome]
) -> dict[str, tuple[Finding, ...]]:
    """Url -> the improbable values of the page that have to be said twice, and were
    not.

    Only of pages of one record: twenty rows of a list do not wait for one of them.
    """
    specs = {spec.name: spec for spec in schema.fields}
    waiting: dict[str, tuple[Finding, ...]] = {}
    for value in found:
        page = pages[value.page]
        if value.is_doubtful or len(page.values) != 1:
            continue
        spec = specs.get(value.subject)
        if not _was_said(value.against[0].hit, spec, page):
            waiting[page.url] = (*waiting.get(page.url, ()), _finding(value))
    return waiting


def _finding(value: DoubtfulValue) -> Finding:
    """Why a value waits."""
    hit = value.against[0].hit
    return Finding(
        check=CheckName.HISTORY,
        severity=Severity.WARN,
        field=value.subject,
        message=f"waits until the site says so again: {value.sentence}",
        expected=show(hit.expected),
        got=show(hit.got),
    )
