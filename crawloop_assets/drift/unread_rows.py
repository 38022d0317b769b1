"""Known values that still stand in the text of their own row, where no reader of the
row says anything: they are not gone, they are not read.

A worker tells, for rows of which a field is not read, which of the forms that the page
was asked for (see `forms`) stand there and are no value that is read. What such a form
means is asked once the row is known, by its key.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Any

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.crawler.read import Scope
from crawloop_assets.drift.forms import Points, numeral_forms, stated_forms
from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.value_lookup import asked_forms, is_looked_up, value_forms
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.text import letters_of_each

_FEWEST = 2
"""Letters, or digits, of what says something of its row; "4" stands anywhere."""
_DEEPEST = 8
"""Levels of a JSON row that are looked through."""
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
    wanted = {form for form in asked if len(form.lstrip("#-")) >= _FEWEST}
    fields = list(filter(is_looked_up, specs))
    found: dict[int, set[str]] = {}
    for row, (record, place) in enumerate(zip(records, places, strict=True)):
        if wanted and any(_is_silent(record, spec) for spec in fields):
            standing = wanted.intersection(_forms_in(place, points))
            found[row] = standing - asked_forms([record.values], fields)
    often = Counter(chain.from_iterable(found.values()))
    most = max(1, _COMMON * len(records))
    told = {
        row: tuple(sorted(form for form in forms if often[form] <= most))
        for row, forms in found.items()
    }
    return {row: forms for row, forms in told.items() if forms}


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
    found = (at for at, one in enumerate(page.values) if one is row)
    return page.facts.unread.get(next(found, -1), ())


def _is_silent(record: ExtractedRecord, spec: FieldSpec) -> bool:
    """Whether no reader of a field says anything in a row."""
    vote = record.votes.get(spec.name)
    return vote is not None and not vote.live_readers


def _forms_in(place: Scope, points: Points) -> Iterator[str]:
    """The letters of each text of a row, and the numbers in them."""
    if place.data is not None:
        texts = list(map(str, _leaves_of(place.data)))
        yield from chain.from_iterable(map(stated_forms, texts))
    else:
        texts = list(_texts_in(place))
        for text in texts:
            yield from numeral_forms(text, points)
    yield from letters_of_each(texts)


def _leaves_of(data: Any, depth: int = 0) -> Iterator[Any]:
    """The scalars of a JSON value, however deep they are nested in it."""
    if isinstance(data, dict | list) and depth < _DEEPEST:
        for inside in data.values() if isinstance(data, dict) else data:
            yield from _leaves_of(inside, depth + 1)
    elif data is not None:
        yield data


def _texts_in(place: Scope) -> Iterator[str]:
    """The texts of the elements of a row, without the gaps between them."""
    texts, _, first, last = place.document.columns
    for node in place.nodes:
        yield from filter(str.strip, texts[first[node] : last[node]])
