"""What a wave has made already: its regeneration may be killed between the promotion and
its last word, and is run again by whoever notices."""

from operator import attrgetter

from crawloop_assets.crawler.program import diff
from crawloop_assets.heal.regenerate import Regeneration, RegenerationOutcome
from crawloop_assets.serve.versions import as_program, sheet_of
from crawloop_assets.store import AuditKind, CrawlerKind, CrawlerVersion, Store


def made_in_wave(
    store: Store, family: str, run_id: str, wave: str | None
) -> tuple[CrawlerVersion, Regeneration] | None:
    """The version that served before, and what a wave has made in its place and promoted,
    as its regeneration would have told it; None for a wave that has not. Its end is noted
    if that was not done."""
    active = store.active(family)
    if active is None or wave is None or active.wave != wave:
        return None
    before = _served_before(store, active)
    if before is None:
        return None
    scores, made = sheet_of(active), RegenerationOutcome.PROMOTED
    ended = store.audits(family, AuditKind.HEAL_FINISHED)
    if wave not in (event.detail.get("wave") for event in ended):
        said = {"outcome": made.value, "version": active.version}
        detail = {"wave": wave, **said, "previous": before.version}
        store.audit(AuditKind.HEAL_FINISHED, family, run_id, detail)
    return before, Regeneration(
        made,
        scores.reason,
        active.version,
        before.version,
        scores,
        active.body,
        _changes(before, active),
    )


def _served_before(store: Store, active: CrawlerVersion) -> CrawlerVersion | None:
    """The version that was promoted last before the active one."""
    promoted = list(filter(attrgetter("promoted_at"), store.crawlers(active.family)))
    promoted.sort(key=attrgetter("promoted_at"))
    return next(
        (one for one in reversed(promoted) if one.version != active.version), None
    )


def _changes(before: CrawlerVersion, active: CrawlerVersion) -> str:
    """What the new one reads otherwise, "" for code."""
    if CrawlerKind.CODE in (before.kind, active.kind):
        return ""
    return diff(as_program(before), as_program(active))
