"""What a person says with each verb: the options of a command, the config of a job.

Plain data, so that `crawloop --help` loads nothing for it.
"""

from dataclasses import MISSING, dataclass, field
from typing import Any


def _option(says: str, default: Any = MISSING) -> Any:
    """A field that has a name on the command line, with what it says of itself."""
    return field(default=default, metadata={"says": says, "positional": False})


def _argument(says: str, default: Any = MISSING) -> Any:
    """A field that comes first on the command line, without a name."""
    return field(default=default, metadata={"says": says, "positional": True})


@dataclass(frozen=True, kw_only=True)
class PersonsWord:
    """Who decides, and why; both go into the audit."""

    who: str = _option("Who decides; goes into the audit.", "")
    why: str = _option("Why; goes into the audit.", "")

    @property
    def is_trial(self) -> bool:
        """Whether nothing is kept of what is done."""
        return False


@dataclass(frozen=True, kw_only=True)
class FamilyWord(PersonsWord):
    """Something about one family."""

    family: str = _argument("The family's name, as in its file: shop/product.")


@dataclass(frozen=True, kw_only=True)
class ReviewWord(FamilyWord):
    """Something about a version that waits."""

    version: int | None = _argument("The version; default: the one that waits.", None)


@dataclass(frozen=True, kw_only=True)
class PinWord(FamilyWord):
    """Which version shall stay."""

    version: int | None = _argument("The version; default: the active one.", None)


@dataclass(frozen=True, kw_only=True)
class PromotionWord(FamilyWord):
    """Which version shall serve."""

    version: int = _argument("The version that shall serve.")
    force: bool = _option("Also one that was rejected.", False)


@dataclass(frozen=True, kw_only=True)
class RollbackWord(FamilyWord):
    """Which version shall serve again."""

    version: int | None = _argument(
        "The version to go back to; default: the one before.", None
    )
    force: bool = _option("Also one that was rejected.", False)


@dataclass(frozen=True, kw_only=True)
class HealWord(FamilyWord):
    """Whether it is only tried, and which model may be asked."""

    dry_run: bool = _option("Make and prove a version, and keep nothing of it.", False)
    model: str = _option("Another model than is set, by its litellm name.", "")

    @property
    def is_trial(self) -> bool:
        return self.dry_run


@dataclass(frozen=True, kw_only=True)
class PagesWord(FamilyWord):
    """Which held pages."""

    ids: tuple[str, ...] = _argument(
        "Ids as the inbox or `quarantine list` shows them.", ()
    )
    check: str = _option("All pages that this check holds, such as coverage.", "")


@dataclass(frozen=True, kw_only=True)
class UntilWord(FamilyWord):
    """The day until which nothing is tried and nobody is asked."""

    until: str = _option("A day, such as 2026-12-01.")


@dataclass(frozen=True, kw_only=True)
class TaughtWord(FamilyWord):
    """One value of one field of a stored page, the place where it stands, or that there
    is none."""

    field: str = _option("The field of the schema.")
    value: str = _option("What the page shows.", "")
    at: str = _option("Where: a css selector, an xpath or a JSON path.", "")
    url: str = _option("The page; default: that of the open question.", "")
    row: int = _option("Which of the page's known records, from 0.", 0)
    key: str = _option("Which of them, by its key instead: SKU-1.", "")
    none: bool = _option("That this record has no value of the field.", False)


@dataclass(frozen=True, kw_only=True)
class LessonWord(FamilyWord):
    """Which lesson."""

    lesson: str = _argument("As `family show` names it.")


@dataclass(frozen=True, kw_only=True)
class SiteWord(PersonsWord):
    """Which site, or all of them."""

    host: str = _argument("A host of domains.yaml: shop.example.", "")
    all: bool = _option("Every site of the project.", False)
