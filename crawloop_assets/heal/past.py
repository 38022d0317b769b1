"""What the store knows of a family's healing: its live versions and how earlier waves ended."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from crawloop_assets.heal.wave import HealRecord
from crawloop_assets.store import AuditKind, CrawlerStatus, CrawlerVersion, Store

LOOK_BACK = 200


def live_versions(versions: Sequence[CrawlerVersion]) -> list[CrawlerVersion]:
    """The versions that may serve: the active one first, then those that once were, last promoted first."""
    live = [one for one in versions if one.status in (CrawlerStatus.ACTIVE, CrawlerStatus.RETIRED) and one.promoted_at]
    epoch = datetime.fromtimestamp(0, UTC)
    return sorted(
        live, key=lambda one: (one.status is CrawlerStatus.ACTIVE, one.promoted_at or epoch, one.version), reverse=True
    )


def heal_record(store: Store, family: str, cooldown: timedelta) -> HealRecord:
    """When the active version was promoted, which regenerations began within the cool-down, and how the last ended."""
    active = store.active(family)
    since = datetime.now(UTC) - cooldown
    events = store.audits(family=family, limit=LOOK_BACK)
    attempts = tuple(
        event.created_at for event in events if event.kind is AuditKind.HEAL_STARTED and event.created_at > since
    )
    ends = [event.kind for event in events if event.kind in (AuditKind.HEAL_FINISHED, AuditKind.HEAL_FAILED)]
    return HealRecord(
        promoted_at=active.promoted_at if active else None,
        attempts=attempts,
        last_failed=bool(ends) and ends[-1] is AuditKind.HEAL_FAILED,
    )
