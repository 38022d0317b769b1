"""What is known of a family that a heal left red, field by field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from operator import attrgetter

from crawloop_assets.heal.news import SameList
from crawloop_assets.heal.rewritten import Rewritten
from crawloop_assets.induce.healing.decision import HealDecision
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.store import QuestionCandidate


@dataclass(frozen=True)
class FieldSight:
    """A field on the red pages.

    `records` are those whose value was known, `present` those whose known value is
    still on its page, `sure` whether that can be told of this kind of value; `rows` are
    the pages on which some version finds any record, `known` those of the `pages` on
    which a value was known; `read` are the records in which some version reads a value,
    `wrong` those in which the known one stands on the page and another is read. `held`
    are all pages in quarantine of which something is known, `had` those that had a value,
    `news` those whose batch is red for this field and that say another one, `silent`
    those that say none.
    `candidates` are what was tried on the page that is shown. `moves`: its value may be
    another one every day. `unlisted` is what a page says of it that is none of its choices.
    """

    field: str
    required: bool
    records: int = 0
    present: int = 0
    sure: bool = True
    rows: int = 1
    pages: int = 0
    known: int = 0
    read: int = 0
    wrong: int = 0
    held: int = 0
    had: int = 0
    news: int = 0
    silent: int = 0
    candidates: tuple[QuestionCandidate, ...] = ()
    moves: bool = False
    unlisted: str = ""

    @property
    def is_read(self) -> bool:
        """Whether a value is read on most of the pages that had one."""
        return 2 * self.read > (self.known or self.pages)

    @property
    def is_gone(self) -> bool:
        """Whether it was known, and is on no page now; what an older version reads there,
        of cells that have moved, is another field's where all that serves says nothing."""
        is_nowhere = self.sure and not self.present
        return bool(self.records) and is_nowhere and (not self.read or self.is_silent)

    @property
    def is_news(self) -> bool:
        """Whether most of the pages that are held say another value than was known."""
        return 2 * self.news > self.held

    @property
    def is_silent(self) -> bool:
        """Whether most of them, or of those that had a value if they are several, say
        nothing any more, and need not."""
        fewest = min(self.held, max(2, self.had or self.held))
        return not self.required and 2 * self.silent > fewest

    @property
    def values(self) -> tuple[str, ...]:
        """The different values that were read on the page that is shown, or known."""
        both = map(attrgetter("value", "known"), self.candidates)
        return tuple(dict.fromkeys(filter(None, chain.from_iterable(both))))


@dataclass(frozen=True)
class StuckFamily:
    """What is known of a family that a heal left red; `in_review`: the version that it
    made waits for a person. `with_batch`: its pages are read, and nothing is against any
    of them but that all together are unlike those before. `doubted` are the fields for whose new values pages
    are held, and what is said against those, `alone` the same where nothing else is against a page. `asked` says
    what a model was asked in vain, "" for nothing; `unmoved` the fields of which what is in review may read
    yesterday's value, `rewritten` those whose values stand with another currency, unit or mark. `same_list` is
    the list that several of its pages show. `is_fault`: the making of a version failed itself."""

    since: datetime
    sights: Sequence[FieldSight]
    sheet: ScoreSheet = field(default_factory=ScoreSheet)
    reason: str = ""
    sentences: Sequence[str] = ()
    in_review: bool = False
    with_batch: bool = False
    doubted: Mapping[str, str] = field(default_factory=dict)
    alone: Mapping[str, str] = field(default_factory=dict)
    asked: str = ""
    unmoved: tuple[str, ...] = ()
    rewritten: tuple[Rewritten, ...] = ()
    same_list: SameList | None = None
    is_fault: bool = False

    def score(self, name: str) -> FieldScore | None:
        """What the heal says of a field."""
        return self.sheet.field(name)

    def has_rivals(self, sight: FieldSight) -> bool:
        """Whether another value is read than the one that is known and stands there, or the
        heal found it so, and the pages say something; there have to be two to choose from.
        Not of a field for which no page is held, where some are for others: what is read of
        it is believed."""
        score = self.score(sight.field) or FieldScore(field=sight.field)
        is_wrong = any((sight.wrong, all((score.wrong > 0, not sight.is_silent))))
        is_held = sight.field in (self.doubted or [sight.field])
        return all((is_wrong, is_held, len(sight.values) > 1))

    def finds(self, name: str) -> bool:
        """Whether the heal found known values of a field again."""
        score = self.score(name) or FieldScore(field=name)
        return score.is_sound or score.reason.startswith(HealDecision.REALIGNED)

    def finds_silent(self, sight: FieldSight) -> bool:
        """Whether it did of a field that no version reads, though it made nothing that serves."""
        return sight.is_silent and self.finds(sight.field)
