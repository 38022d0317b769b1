"""The drift checks of a family: their names, what they find and what they say.

The set is small and fixed, so that a red name in the UI tells at a glance which kind of
drift it is. Every check gives a result for every batch; "not enough history" is a pass
that says so.
"""

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints


class CheckName(StrEnum):
    """The checks of a batch."""

    PAGES = "pages"
    SCHEMA = "schema"
    VOTES = "votes"
    CONTRADICTION = "contradiction"
    COUNT = "count"
    COVERAGE = "coverage"
    HISTORY = "history"
    CONSISTENCY = "consistency"
    DISTRIBUTION = "distribution"
    TEMPLATE = "template"
    STALE = "stale"
    MODEL = "model"

    @property
    def description(self) -> str:
        """One line for the UI."""
        return _DESCRIPTIONS[self]

    @property
    def blocking(self) -> bool:
        """Whether downstream assets should wait for this check.

        The others only warn.
        """
        return self not in (CheckName.PAGES, CheckName.TEMPLATE, *NOT_OF_READERS)


NOT_OF_READERS = (CheckName.STALE, CheckName.MODEL)
"""Checks that are not about what readers make of the pages of a batch."""

InWords = Annotated[str, StringConstraints(min_length=1)]
"""What a check, a finding or a decision says: never nothing."""

_MOST_CHARS = 200
"""Characters of a value that a check displays."""

_ELLIPSIS = "..."

_DESCRIPTIONS = {
    CheckName.PAGES: "The pages are real pages: no soft 404, maintenance, login, consent, challenge or empty shell.",
    CheckName.SCHEMA: "The crawler answers, and every record is valid and has its required fields.",
    CheckName.VOTES: "The independent readers of each field agree.",
    CheckName.CONTRADICTION: "What a page shows, what it states for machines and what is known of it say the same.",
    CheckName.COUNT: "Pages hold as many records as usual, no row is skipped, paging goes on.",
    CheckName.COVERAGE: "Fields are filled as often as usual.",
    CheckName.HISTORY: "Known urls still give the values they are known for.",
    CheckName.CONSISTENCY: "Values fit their page and each other; nothing is copied, shifted or unlabelled.",
    CheckName.DISTRIBUTION: "Values look and spread as usual: magnitude, length, shape.",
    CheckName.TEMPLATE: "Pages have a layout that is known (a warning: a new layout read rightly is fine).",
    CheckName.STALE: "No row is older than the last refresh (a warning: it says why the others are not renewed).",
    CheckName.MODEL: "Where a model has read a page too, it reads the same (a warning: it holds nothing).",
}


_COMPARE = (
    "Compare the values with the stored page (`crawloop quarantine show`). Release it if they are right; "
    "if they are wrong and healing has ended, show one value (`crawloop question teach`)."
)
_WHAT_TO_DO: dict[str, str] = {
    CheckName.PAGES: (
        "Open the stored page. If it is no page of the family, change how it is fetched (`access`, `domains.yaml`); "
        "if it is one, say what tells such a page (`request.accept`, `drift.language`). Where most pages are not found, "
        "the site may have other addresses for them (`discover`)."
    ),
    CheckName.SCHEMA: (
        "Healing looks for the field. If that ends in a question, show one value (`crawloop question teach`); "
        "if pages may lack the field, let the model allow it."
    ),
    CheckName.COUNT: (
        "Compare the rows of the stored page with the records. If pages may have as many, say so (`drift.count`, "
        "`drift.allow_empty`); if a row is an advertisement, reject it (`crawloop quarantine reject`)."
    ),
    CheckName.COVERAGE: (
        "Healing looks for the field. If the site shows it no longer, the next refresh that says so is green, or a "
        "question is asked (`crawloop question accept`); `drift.gone` says it at once and for good. If it is scarcer "
        "now, say how often it is filled (`drift.coverage`)."
    ),
    CheckName.TEMPLATE: "Nothing, if the other checks pass: the new layout is read rightly.",
    CheckName.MODEL: (
        "Open the stored page. If the model is right, show one value (`crawloop question teach`); else do nothing."
    ),
    CheckName.STALE: "Look at `_stale_why` of the rows, and do what the check that it names asks for.",
}


def what_to_do(check: str) -> str:
    """What a person can do where a check of this name fails, or holds a page; of those
    that doubt values it is the same."""
    return _WHAT_TO_DO.get(check, _COMPARE)


class Severity(StrEnum):
    """`error` is drift and leads to healing; `warn` is suspicion for a person."""

    WARN = "warn"
    ERROR = "error"


class CheckModel(BaseModel):
    """Base of what the checks say: immutable and JSON-able."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Invalid(CheckModel):
    """One pydantic failure the caller found: record `row` on the page, field (dotted)
    and pydantic's message."""

    row: int
    field: str
    message: str


class Finding(CheckModel):
    """What a check has against one page.

    An `error` holds the page by itself; a `warn` is judged over the batch. `of_batch` is
    what the pages of the batch show together.
    """

    check: CheckName
    severity: Severity
    message: InWords
    field: str = ""
    expected: str = ""
    got: str = ""
    of_batch: bool = False


class CheckExample(CheckModel):
    """One page that shows what a check found; values are cut to 200 characters."""

    url: str
    field: str = ""
    expected: str = ""
    got: str = ""
    page_sha256: str = ""


class CheckResult(CheckModel):
    """A check's answer for one batch.

    Drift is `not passed and severity is error`. `observed` and `threshold` are
    shares, 0..1, of the pages or records named in `sentence` (for `distribution` they
    may be factors); the check fails when `observed` is beyond `threshold`.
    """

    name: CheckName
    passed: bool
    severity: Severity = Severity.ERROR
    observed: float = 0.0
    threshold: float = 0.0
    sentence: InWords
    examples: tuple[CheckExample, ...] = ()

    @property
    def blocking(self) -> bool:
        """Whether downstream assets should wait for it."""
        return self.name.blocking

    @property
    def is_drift(self) -> bool:
        """True if this result leads to healing."""
        if self.passed:
            return False
        return self.severity is Severity.ERROR


def show(value: object) -> str:
    """A value as a check displays it, cut to 200 characters."""
    if value is None:
        return "nothing"
    text = str(value)
    if isinstance(value, list | tuple):
        text = " | ".join(map(str, value))
    if len(text) <= _MOST_CHARS:
        return text
    return text[: _MOST_CHARS - len(_ELLIPSIS)] + _ELLIPSIS
