"""The versions of a family that may serve, in the order they are tried."""

from collections.abc import Sequence
from datetime import UTC, datetime

from crawloop_assets.store import CrawlerStatus, CrawlerVersion


def live_versions(versions: Sequence[CrawlerVersion]) -> list[CrawlerVersion]:
    """The versions that may serve: the active one first, then those that once were,
    last promoted first."""
    live = [
        one
        for one in versions
        if one.status in (CrawlerStatus.ACTIVE, CrawlerStatus.RETIRED)
        and one.promoted_at
    ]
    epoch = datetime.fromtimestamp(0, UTC)
    return sorted(
        live,
        key=lambda one: (
            one.status is CrawlerStatus.ACTIVE,
            one.promoted_at or epoch,
            one.version,
        ),
        reverse=True,
    )
