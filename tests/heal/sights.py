"""What is seen of the fields of a family that nothing heals, and what is asked of it."""

from datetime import UTC, datetime

from crawloop_assets.heal.question import question_of
from crawloop_assets.heal.stuck import FieldSight, StuckFamily
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.store import QuestionCandidate

SINCE = datetime(2026, 11, 20, 5, tzinfo=UTC)
NO_SHEET = ScoreSheet()


def sight(name: str, **more: object) -> FieldSight:
    """A field of five pages; known and read on all of them, if nothing else is said."""
    usual = {"required": False, "records": 5, "present": 5, "pages": 5, "read": 5}
    return FieldSight(field=name, **usual | more)  # type: ignore[arg-type]


def gave(value: str, known: str = "") -> QuestionCandidate:
    return QuestionCandidate(tried="v1", field="price", value=value, known=known)


def asked(*sights: FieldSight, sheet: ScoreSheet = NO_SHEET) -> tuple[str, str]:
    stuck = StuckFamily(SINCE, sights, sheet, "it failed", ["count: 3 records"])
    question = question_of(stuck)
    return question.kind.value, question.sentence
