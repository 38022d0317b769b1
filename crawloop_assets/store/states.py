"""The states and kinds that are stored by name: a member may be added, a name stays."""

from enum import StrEnum


class UrlState(StrEnum):
    """Whether a known url is still asked for."""

    ACTIVE = "active"
    ALIAS = "alias"
    GONE = "gone"
    REFUSED = "refused"
    LEFT_OUT = "left out"


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
    """The form of a crawler: a program is data, never code; code runs in a process of
    its own, where a family allows it."""

    PROGRAM = "program"
    CODE = "code"


class HeldState(StrEnum):
    """What became of a page in quarantine.

    Superseded: the url was decided again by a later commit.
    """

    HELD = "held"
    RELEASED = "released"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"


class QuestionKind(StrEnum):
    """What a person is asked about a field, or in review about a version."""

    GONE = "gone"
    NEWS = "news"
    REVIEW = "review"
    UNREAD = "unread"
    NO_RECORD = "no_record"
    DISAGREE = "disagree"
    UNNAMED = "unnamed"
    REFUSED = "refused"


class QuestionState(StrEnum):
    """What became of a question.

    Withdrawn: nobody has to decide any more.
    """

    OPEN = "open"
    ACCEPTED = "accepted"
    TAUGHT = "taught"
    IGNORED = "ignored"
    WITHDRAWN = "withdrawn"
    DECLINED = "declined"


class AuditKind(StrEnum):
    """Things somebody will ask about later."""

    CRAWLER_ADDED = "crawler_added"
    CRAWLER_PROMOTED = "crawler_promoted"
    CRAWLER_REJECTED = "crawler_rejected"
    CRAWLER_ROLLED_BACK = "crawler_rolled_back"
    CRAWLER_WITHDRAWN = "crawler_withdrawn"
    CRAWLER_APPROVED = "crawler_approved"
    CRAWLER_DECLINED = "crawler_declined"
    CRAWLER_PINNED = "crawler_pinned"
    CRAWLER_UNPINNED = "crawler_unpinned"
    PROBATION_ENDED = "probation_ended"
    QUARANTINE_RELEASED = "quarantine_released"
    QUARANTINE_REJECTED = "quarantine_rejected"
    REVIEW_ASKED = "review_asked"
    REVIEW_WITHDRAWN = "review_withdrawn"
    WAVE_STARTED = "wave_started"
    HEAL_STARTED = "heal_started"
    HEAL_FINISHED = "heal_finished"
    HEAL_FAILED = "heal_failed"
    SCHEMA_CHANGED = "schema_changed"
    CONTRACT_BROKEN = "contract_broken"
    CONTRACT_KEPT = "contract_kept"
    FAMILY_REMOVED = "family_removed"
    FAMILY_RENAMED = "family_renamed"
    QUESTION_ASKED = "question_asked"
    QUESTION_ACCEPTED = "question_accepted"
    QUESTION_TAUGHT = "question_taught"
    QUESTION_IGNORED = "question_ignored"
    QUESTION_WITHDRAWN = "question_withdrawn"
    QUESTION_DECLINED = "question_declined"
    LESSON_TAUGHT = "lesson_taught"
    LESSON_UNDONE = "lesson_undone"
    FORGOTTEN = "forgotten"
    PAGES_PRUNED = "pages_pruned"
    HEAL_ASKED = "heal_asked"
    RETRY_ASKED = "retry_asked"
    SITE_PAUSED = "site_paused"
    SITE_RESUMED = "site_resumed"
    NOT_PERMITTED = "not_permitted"
