"""Fields that a person accepted as gone: their absence is no drift until they return."""

from collections import Counter
from collections.abc import Iterable, Sequence

from crawloop_assets.drift.values import EMPTY
from crawloop_assets.family import Family
from crawloop_assets.serve.reading import Reading
from crawloop_assets.store import HeldReason, Store
from crawloop_assets.store.past import RedPage


def as_accepted(family: Family, store: Store) -> Family:
    """The family, whose policy expects no field that was accepted as gone."""
    gone = set(family.drift.gone)
    for question in store.questions.accepted(family.family):
        gone.update(question.fields)
    expected = {
        name: least for name, least in family.drift.coverage.items() if name not in gone
    }
    update = {"gone": tuple(sorted(gone)), "coverage": expected}
    drift = family.drift.model_copy(update=update)
    return family.model_copy(update={"drift": drift})


def still_held(red: Iterable[RedPage], gone: Sequence[str]) -> list[RedPage]:
    """The red pages, without those that were held for nothing but accepted fields."""
    return [page for page in red if not _is_about(page.reasons, gone)]


def _is_about(reasons: Sequence[HeldReason], gone: Sequence[str]) -> bool:
    """True if every reason that names a field names one of these, and one does."""
    named = {reason.field for reason in reasons if reason.field}
    return bool(named) and named <= set(gone)


def returned(readings: Sequence[Reading], gone: Sequence[str]) -> frozenset[str]:
    """The accepted fields that most of the published pages have again."""
    shown: Counter[str] = Counter()
    for reading in readings:
        filled = [name for name in gone if _has(reading, name)]
        shown.update(filled)
    return frozenset(name for name, pages in shown.items() if 2 * pages > len(readings))


def _has(reading: Reading, name: str) -> bool:
    return any(record.get(name) not in EMPTY for record in reading.values)
