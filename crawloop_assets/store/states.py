"""The states and kinds that are stored by name: a member may be added, a name stays."""

from enum import StrEnum


class UrlState(StrEnum):
    """Whether a known url is still asked for."""

    ACTIVE = "active"
    ALIAS = "alias"
    GONE = "gone"
    REFUSED = "refused"


class ServedBy(StrEnum):
    """Who made the record that is served now."""

    CRAWLER = "crawler"
    OLDER = "older"
    MODEL = "model"
    LAST_GOOD = "last_good"
    PERSON = "person"


class CrawlerStatus(StrEnum):
    """Where a crawler version is in its life; at most one per family is active."""

    CANDIDATE = "candidate"
    AWAITING_REVIEW = "awaiting_review"
    ACTIVE = "active"
    RETIRED = "retired"
    REJECTED = "rejected"


class CrawlerKind(StrEnum):
    """The form of a crawler: a program is data, never code."""

    PROGRAM = "program"


class HeldState(StrEnum):
    """What became of a page in quarantine.

    Superseded: the url was decided again by a later commit.
    """

    HELD = "held"
    RELEASED = "released"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"


class AuditKind(StrEnum):
    """Things somebody will ask about later."""

    CRAWLER_ADDED = "crawler_added"
    CRAWLER_PROMOTED = "crawler_promoted"
    CRAWLER_REJECTED = "crawler_rejected"
    CRAWLER_ROLLED_BACK = "crawler_rolled_back"
    CRAWLER_WITHDRAWN = "crawler_withdrawn"
    PROBATION_ENDED = "probation_ended"
    QUARANTINE_RELEASED = "quarantine_released"
    QUARANTINE_REJECTED = "quarantine_rejected"
    REVIEW_ASKED = "review_asked"
    WAVE_STARTED = "wave_started"
    HEAL_STARTED = "heal_started"
    HEAL_FINISHED = "heal_finished"
    HEAL_FAILED = "heal_failed"
    SCHEMA_CHANGED = "schema_changed"
    FAMILY_REMOVED = "family_removed"
