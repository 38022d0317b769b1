"""Fields that a person accepted as gone: their absence is no drift until they return."""

from collections.abc import Sequence
from itertools import chain
from operator import attrgetter, methodcaller

from crawloop_assets.drift.values import is_filled
from crawloop_assets.family import Family
from crawloop_assets.serve.reading import Reading
from crawloop_assets.store import Store


def as_accepted(family: Family, store: Store) -> Family:
    """The family, whose policy expects no field that was accepted as gone."""
    gone = set(family.drift.gone)
    for question in store.questions.accepted_as_gone(family.family):
        gone.update(question.gone)
    expected = {
        name: least for name, least in family.drift.coverage.items() if name not in gone
    }
    update = {"gone": tuple(sorted(gone)), "coverage": expected}
    drift = family.drift.model_copy(update=update)
    return family.model_copy(update={"drift": drift})


def returned(readings: Sequence[Reading], gone: Sequence[str]) -> frozenset[str]:
    """The accepted fields that most of the published records have again.

    Records are counted, not pages: a few rows of each page in which a version still reads
    something are no return of a field that was accepted for the others.
    """
    records = list(chain.from_iterable(map(attrgetter("values"), readings)))
    back = set()
    for name in gone:
        filled = sum(map(is_filled, map(methodcaller("get", name), records)))
        if 2 * filled > len(records):
            back.add(name)
    return frozenset(back)
