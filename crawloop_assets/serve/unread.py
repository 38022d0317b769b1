"""What a model read of a page stands while the page says the same: it is not asked for
again, and nothing is red."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from crawloop_assets.page import Verdict
from crawloop_assets.serve.reading import Reading
from crawloop_assets.store import ServedBy
from crawloop_assets.store.unread import UnreadPage
from crawloop_assets.values.value import Value


def still_served(
    readings: Sequence[Reading],
    unread: Mapping[str, UnreadPage],
    known: Mapping[str, Sequence[Mapping[str, Value]]],
) -> list[Reading]:
    """The readings; of a page that no version reads now either, and that holds what it
    held when a model read it, the rows stand as they are `known`."""
    return [
        _as_before(one, unread.get(one.url), known.get(one.url, ())) for one in readings
    ]


def _as_before(
    reading: Reading,
    before: UnreadPage | None,
    rows: Sequence[Mapping[str, Value]],
) -> Reading:
    """One page, if its rows stand."""
    if before is None or reading.verdict is not Verdict.DRIFT or not rows:
        return reading
    if not _is_same_content(reading, before):
        return reading
    return replace(
        reading,
        verdict=Verdict.OK,
        reason=f"model since {before.since:%Y-%m-%d}",
        version=None,
        served_by=ServedBy.MODEL,
        records=(),
        values=tuple(map(dict, rows)),
        extraction=None,
        findings=(),
        skipped=True,
    )


def _is_same_content(reading: Reading, before: UnreadPage) -> bool:
    """Whether a page shows what it showed then; its bytes may differ, tokens and times
    are in many."""
    sha256, facts = reading.visit.page_sha256, reading.facts
    if sha256 is not None and sha256 == before.page_sha256:
        return True
    return facts is not None and facts.content_hash == before.content_hash
