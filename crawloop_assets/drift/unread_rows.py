"""Known values that still stand in the text of their own row, where no reader of the
row says anything: they are not gone, they are not read.

A worker tells, for rows of which a field is not read, which of the forms that the page
was asked for (see `forms`) stand there and are no value that is read. What such a form
means is asked once the row is known, by its key. The words of a badge may be among them.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence, Set
from functools import partial
from itertools import chain
from typing import Any

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.page_json import collect_leaves
from crawloop_assets.drift.forms import Points, numeral_forms, stated_forms
from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.value_lookup import asked_forms, is_looked_up, value_forms
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.text import letters_of_each

_FEWEST = 2
"""Letters, or digits, of what says something of its row; "4" stands anywhere."""
_MOST_LEAVES = 500
"""Of a row of JSON."""
_COMMON = 0.5
"""What stands in more of the rows says nothing of one of them."""

Unread = dict[int, tuple[str, ...]]
"""Row -> forms that stand in it and are not read."""


def unread_forms(
    records: Sequence[ExtractedRecord],
    places: Sequence[Scope],
    specs: Sequence[FieldSpec],
    asked: Collection[str],
    points: Points,
) -> Unread:
    """Of the rows of a page, those `asked` forms that stand in the row and are no value
    of it; only of rows of which no reader of some field says anything. `places` are
    where the records are."""
    wanted = frozenset(filter(_is_telling, asked))
    fields = list(filter(_may_stand, specs))
    look = partial(_unread_of, fields, wanted, points)
    rows = list(map(look, records, places))
    often = Counter(chain.from_iterable(rows))
    most = max(1, _COMMON * len(rows))
    common = {form for form, count in often.items() if count > most}
    left = (tuple(sorted(forms - common)) for forms in rows)
    return {row: forms for row, forms in enumerate(left) if forms}


def _may_stand(spec: FieldSpec) -> bool:
    """Whether what a field is, or the words that say so, may stand in a row."""
    return is_looked_up(spec) or spec.kind is FieldKind.BOOLEAN


def _is_telling(form: str) -> bool:
    """Whether a form is long enough to say something of the row it stands in."""
    return len(form.lstrip("#-")) >= _FEWEST


def _unread_of(
    fields: Sequence[FieldSpec],
    wanted: frozenset[str],
    points: Points,
    record: ExtractedRecord,
    place: Scope,
) -> Set[str]:
    """The wanted forms that stand in a row and are no value of it; none where something
    is read of each field."""
    if not wanted or not any(map(partial(_is_silent, record), fields)):
        return frozenset()
    read = asked_forms([record.values], fields)
    return wanted.intersection(_forms_in(place, points)) - read


def is_unread(value: Any, spec: FieldSpec, forms: Collection[str]) -> bool:
    """Whether a known value, all items of it, is among the forms that stand unread in
    its row."""
    if not is_looked_up(spec):
        return False
    wanted = set(value_forms(value, spec))
    return bool(wanted) and wanted <= set(forms)


def unread_in(page: PageOutcome, row: Record) -> Sequence[str]:
    """The forms that stand unread in a row of a page."""
    if page.facts is None or len(page.values) != len(page.read_records):
        return ()
    position = list(map(id, page.values)).index(id(row))
    return page.facts.unread.get(page.read_records[position].row, ())


def _is_silent(record: ExtractedRecord, spec: FieldSpec) -> bool:
    """Whether no reader of a field says anything in a row."""
    vote = record.votes.get(spec.name)
    return vote is not None and not vote.live_readers


def _forms_in(place: Scope, points: Points) -> Iterator[str]:
    """The letters of each text of a row, and the numbers in them."""
    texts = list(_texts_in(place))
    numbers = (
        stated_forms
        if place.data is not None
        else partial(numeral_forms, points=points)
    )
    yield from chain.from_iterable(map(numbers, texts))
    yield from letters_of_each(texts)


def _texts_in(place: Scope) -> Iterator[str]:
    """The texts of the elements of a row, without the gaps between them; of a row of
    JSON all that is nested in it."""
    if place.data is not None:
        leaves: dict[str, list[str]] = {}
        collect_leaves(place.data, "", leaves, _MOST_LEAVES)
        yield from chain.from_iterable(leaves.values())
        return
    columns = place.document.columns
    for node in place.nodes:
        inside = slice(columns.first[node], columns.last[node])
        yield from filter(str.strip, columns.texts[inside])
