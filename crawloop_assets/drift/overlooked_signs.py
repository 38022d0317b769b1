"""Known rows of lists that are nowhere in a batch, though their page still shows them: one
without what makes it a record is read as none, and is not gone for that."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter

from crawloop_assets.drift.changes import has_rows
from crawloop_assets.drift.check import CheckName, Finding, Severity, show
from crawloop_assets.drift.confirm import WaitingRows
from crawloop_assets.drift.fields import is_steady
from crawloop_assets.drift.matching import Record, key_of, record_key
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Hit, Tallies
from crawloop_assets.drift.value_lookup import is_looked_up, seen_form, value_forms
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec, RecordSchema

_FEWEST = 2
"""So many values that no other row has say that a row stands on its page, and most of
those that it has."""
_LONG = 5
"""Letters, or digits: shorter values are found on any page."""


def count_overlooked_signs(
    schema: RecordSchema,
    family: Family,
    outcomes: Sequence[PageOutcome],
    tallies: Tallies,
) -> None:
    """Count OVERLOOKED: known rows of lists that no record of the batch is, and that
    stand on their page all the same."""
    key = record_key(schema, family)
    steady = filter(partial(is_steady, family=family), schema.fields)
    specs = list(filter(is_looked_up, steady))
    values = chain.from_iterable(map(attrgetter("values"), outcomes))
    current = {key_of(row, key) for row in values}
    for at, outcome in enumerate(outcomes):
        rows = outcome.previous if has_rows(outcome) else ()
        taken = _counted(chain(rows, outcome.values), specs) if rows else {}
        for row in rows:
            identity = key_of(row, key)
            is_read = identity is None or identity in current
            tallies.add(
                Sign.OVERLOOKED,
                "",
                at,
                has_sign=not is_read and _stands(row, specs, taken, outcome),
                expected=row.get(key[0].name) if key else "",
                got="nothing",
            )


def with_overlooked(
    waiting: Mapping[str, WaitingRows],
    tallies: Tallies,
    pages: Sequence[PageOutcome],
) -> dict[str, WaitingRows]:
    """The rows that wait, and what is to be said of those that are overlooked: they stay
    as they are known."""
    found = dict(waiting)
    for hit in tallies.hits(Sign.OVERLOOKED, ""):
        url = pages[hit.page].url
        held = found.get(url, WaitingRows(rows=frozenset(), findings=()))
        findings = (*held.findings, _finding(hit))
        found[url] = WaitingRows(rows=held.rows, findings=findings)
    return found


def _finding(hit: Hit) -> Finding:
    """What is said of a row that is overlooked."""
    return Finding(
        check=CheckName.COUNT,
        severity=Severity.WARN,
        message="stands on its page, and no record is read there",
        expected=show(hit.expected),
        got=show(hit.got),
    )


def _counted(rows: Iterable[Record], specs: Sequence[FieldSpec]) -> Counter[str]:
    """How many rows, known and read, have each form of a value."""
    return Counter(chain.from_iterable(map(partial(_forms, specs), rows)))


def _forms(specs: Iterable[FieldSpec], row: Record) -> set[str]:
    """The forms of the values of a row."""
    filled = [spec for spec in specs if row.get(spec.name) is not None]
    return set(chain.from_iterable(value_forms(row[one.name], one) for one in filled))


def _stands(
    row: Record,
    specs: Iterable[FieldSpec],
    taken: Mapping[str, int],
    page: PageOutcome,
) -> bool:
    """Whether people see most of what a row alone says on its page, and several of that."""
    if page.facts is None:
        return False
    own = [
        page.facts.holds(seen_form(row.get(spec.name), spec))
        for spec in specs
        if all(map(partial(_is_own, taken), _forms([spec], row)))
    ]
    there, absent = own.count(True), own.count(False)
    return there >= max(_FEWEST, absent + 1)


def _is_own(taken: Mapping[str, int], form: str) -> bool:
    """Whether one row alone has a form, and it is long enough to tell."""
    return taken[form] == 1 and sum(map(str.isalnum, form)) >= _LONG
