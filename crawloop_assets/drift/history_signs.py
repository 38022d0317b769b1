"""Counts the signs of drift on records that were known before: the same record then and
now."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import Any
from urllib.parse import urlsplit

from crawloop_assets.document.site_names import site_names
from crawloop_assets.drift.changes import (
    FieldChange,
    RecordPair,
    changes_of,
    has_rows,
)
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.fields import is_steady, single_fields
from crawloop_assets.drift.forms import (
    as_part,
    date_form,
    inside_form,
    list_form,
    text_form,
)
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.number_signs import FACTORS, count_number_signs
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.ratio_signs import SAME_RATIO, log_ratio
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.still_there import still_form
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.unread_rows import is_unread, unread_in
from crawloop_assets.drift.value_lookup import (
    LEAST_LETTERS,
    Commonplaces,
    is_on_page,
    record_forms,
)
from crawloop_assets.drift.values import as_items, is_filled
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.text import letters, tokens

_NEW_LAYOUT = 0.5
"""Distance from every known layout above which a page's layout is new."""

_LEAST_NUMBERS = 3
_LEAST_DIGITS = 3
"""Shorter numbers are found on any page."""

_DAYS = (FieldKind.DATE, FieldKind.DATETIME)
_LEAST_ITEMS = 2
"""A list of one is looked up as a text."""

_CUT_SHARE = 0.9
"""A text is cut if less than this share of it is left."""


def count_history_signs(
    schema: RecordSchema,
    family: Family,
    outcomes: Sequence[PageOutcome],
    pairs: Sequence[RecordPair],
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Count every sign of a known record that changed.

    A record is known if it was on a page of the batch in the last good refresh
    (`PageOutcome.previous`), see `record_pairs`. LOST, VANISHED, UNREAD, MOVED, STRAY,
    CHANGED, CUT, STILL, FACTOR, JUMP, REPRICED, KEPT and FALLEN are of a field, SWEPT is
    of a record.
    """
    for spec in schema.fields:
        count_change = _count_volatile
        if is_steady(spec, family):
            count_change = _count_steady
        for change in changes_of(spec, pairs, outcomes):
            count_change(change, norms, tallies)
    _forget_commonplaces(outcomes, tallies)
    _count_swept(schema, pairs, tallies)


def _forget_commonplaces(outcomes: Sequence[PageOutcome], tallies: Tallies) -> None:
    """Take back STILL of known texts that stand on the pages of other records, too."""
    common = Commonplaces(outcomes)
    for tally in tallies:
        if tally.sign is Sign.STILL:
            hits = tally.hits
            tally.hits = [
                hit for hit in hits if not common.has(tally.subject, hit.expected)
            ]


def _is_unproved(outcome: PageOutcome, norms: Norms) -> bool:
    """Whether the page has a new layout and a version reads it that was made for
    another one.

    A version without a past was made, and proved, for what it reads now.
    """
    if outcome.facts is None:
        return False
    if not norms.has_read(outcome.version):
        return False
    distance = norms.layout_distance(outcome.facts.template)
    if distance is None:
        return False
    return distance > _NEW_LAYOUT


def _count_volatile(change: FieldChange, norms: Norms, tallies: Tallies) -> None:
    """A value that may be another one tomorrow: it is not gone, and it is on the
    page."""
    change.add_to(tallies, Sign.VANISHED, change.is_gone)
    _count_unread(change, tallies)
    if change.is_gone:
        return
    _count_stray(change, norms, tallies)
    _count_records_still(change, tallies)
    count_number_signs(change, norms, tallies)


def _count_unread(change: FieldChange, tallies: Tallies) -> None:
    """Whether nothing is read where the known value stands on the page, in a list in its
    own row; short ones stand there by chance."""
    facts, spec = change.outcome.facts, change.spec
    if facts is None:
        return
    if has_rows(change.outcome):
        forms = unread_in(change.outcome, change.pair.new) if change.is_gone else ()
        is_there = is_unread(change.before, spec, forms)
        change.add_to(tallies, Sign.UNREAD, is_there)
        return
    is_short = len(letters(str(change.before))) < _LEAST_DIGITS
    if is_short:
        return
    stands = is_on_page(change.before, spec, facts)
    if stands is not None:
        change.add_to(tallies, Sign.UNREAD, change.is_gone and stands)


def _is_different(before: Any, after: Any, spec: FieldSpec) -> bool:
    """Whether a value is another one.

    A file that moved to another host or version is the same file.
    """
    if spec.kind is FieldKind.URL and spec.shape is Shape.ONE:
        return _file_name(str(before)) != _file_name(str(after))
    return not same(before, after, spec)


def _file_name(url: str) -> str:
    """The last part of the path: "https://a.example/v2/k.jpg?w=3" -> "k.jpg"."""
    return urlsplit(url).path.rstrip("/").rsplit("/", 1)[-1]


def _count_text_change(
    change: FieldChange, is_different: bool, tallies: Tallies
) -> None:
    """Whether only the beginning of a text is left, and whether the old one is still on
    the page."""
    if not change.is_single:
        _count_list_still(change, is_different, tallies)
        return
    is_cut = is_different and _is_cut(str(change.before), str(change.after))
    change.add_to(tallies, Sign.CUT, is_cut)
    _count_still(change, is_different, tallies)


def _count_stray(change: FieldChange, norms: Norms, tallies: Tallies) -> None:
    """A value that changed to something that is not on the page: cut, without its
    decimals, with markup. Where a version reads another unit than pages say, no value is."""
    facts, spec = change.outcome.facts, change.spec
    if facts is None:
        return
    if change.outcome.version != norms.version:
        return
    is_present = is_on_page(change.after, spec, facts)
    if is_present is None:
        return
    is_stray = not is_present and not same(change.before, change.after, spec)
    is_stray = is_stray and not _are_usually_made(spec, norms)
    change.add_to(tallies, Sign.STRAY, is_stray)


def _are_usually_made(spec: FieldSpec, norms: Norms) -> bool:
    """Whether most values that the version has read stand on no page as they are."""
    known, _ = norms.rate(Sign.UNGROUNDED, spec.name, 1)
    return 2 * known.share > 1


def _count_steady(change: FieldChange, norms: Norms, tallies: Tallies) -> None:
    """A value that hardly ever changes: whether it did, and what kind of change it
    is."""
    is_gone = change.is_gone
    is_different = is_gone or _is_different(change.before, change.after, change.spec)
    change.add_to(tallies, Sign.LOST, is_gone)
    if _is_unproved(change.outcome, norms):
        change.add_to(tallies, Sign.MOVED, is_different)
    if is_gone:
        return
    _count_stray(change, norms, tallies)
    _count_records_still(change, tallies)
    change.add_to(tallies, Sign.CHANGED, is_different)
    if change.spec.kind is FieldKind.TEXT:
        _count_text_change(change, is_different, tallies)
    elif change.spec.kind in _DAYS:
        _count_day_still(change, is_different, tallies)
    else:
        count_number_signs(change, norms, tallies)


def _is_cut(before: str, after: str) -> bool:
    """Whether only the beginning of a text is left.

    Dots that stand for what was cut off do not count.
    """
    old = before.strip()
    new = after.strip().rstrip("….")
    if len(new) >= _CUT_SHARE * len(old):
        return False
    return old.startswith(new.rstrip())


def _count_still(change: FieldChange, is_different: bool, tallies: Tallies) -> None:
    """Whether another text is read although the old one is still on the page."""
    facts, form = change.outcome.facts, text_form(str(change.before))
    if facts is None:
        return
    if len(form) < LEAST_LETTERS:
        return
    if not is_different:
        change.add_to(tallies, Sign.STILL, False)
        return
    is_still_there = facts.holds(form)
    # A row that came from another page is not looked for on this one.
    if is_still_there is None:
        return
    is_said = (is_still_there or _is_part(change, facts)) and not change.is_said_late
    # The name of a site stands on all of its pages.
    is_said = is_said and form not in site_names(change.outcome.url)
    is_other = is_said and text_form(str(change.after)) != form
    change.add_to(tallies, Sign.STILL, is_other)


def _is_part(change: FieldChange, facts: PageFacts) -> bool:
    """Whether the known text is a part of a longer one of its page: a line more, and the
    part of another line is read. A text that was completed has the old one in it, and one
    of few, such as a category, may be a part of a menu."""
    before, after = str(change.before), str(change.after)
    is_there = facts.holds(as_part(inside_form(before))) is True
    is_completed = text_form(before) in text_form(after)
    return (is_there, is_completed, change.read.was_one_of_few) == (True, False, False)


def _count_day_still(change: FieldChange, is_different: bool, tallies: Tallies) -> None:
    """Whether another day is read although the old one is still on the page, and no other
    field's: a page of several records has many."""
    facts, spec = change.outcome.facts, change.spec
    if facts is None or not change.is_single or has_rows(change.outcome):
        return
    form = still_form(change.before, spec)
    now = change.pair.new
    others = {date_form(str(now[name])) for name in now.keys() - {spec.name}}
    is_there = is_different and facts.holds(form) is True and form not in others
    is_other = is_there and still_form(change.after, spec) != form
    change.add_to(tallies, Sign.STILL, is_other and not change.is_said_late)


def _count_list_still(
    change: FieldChange, is_different: bool, tallies: Tallies
) -> None:
    """Whether another list is read although the page's JSON states just the old one, or
    the old items are read as one: with the name of a section, or not taken apart."""
    facts, before = change.outcome.facts, as_items(change.before)
    if facts is None or len(before) < _LEAST_ITEMS:
        return
    is_stated = bool(facts.holds(list_form(before))) and not change.is_said_late
    is_read_anew = is_stated or _is_joined(before, as_items(change.after))
    change.add_to(tallies, Sign.STILL, is_different and is_read_anew)


def _count_records_still(change: FieldChange, tallies: Tallies) -> None:
    """Whether none of the known records of a list is read, and all of them still stand on
    the page: another list is read. Whatever of them moves every day, as a stock, their
    texts say of what it is."""
    facts, pair = change.outcome.facts, change.pair
    before = record_forms(pair.old, change.spec)
    if facts is None or any((has_rows(change.outcome), not before)):
        return
    is_other = before.isdisjoint(record_forms(pair.new, change.spec))
    stands = map(facts.holds, before)
    change.add_to(tallies, Sign.STILL, all((is_other, *stands)))


def _is_joined(before: Sequence[Any], after: Sequence[Any]) -> bool:
    """Whether one text is read that has just the letters of all items of a list, or just
    their words in another order: "Sato, Jun; Byron, Ada"."""
    items, texts = (list(map(letters, map(str, values))) for values in (before, after))
    is_long = len(texts) == 1 and len(texts[0]) == len("".join(items))
    same_words = Counter(_words(before)) == Counter(_words(after))
    return is_long and (same_words or all(item in texts[0] for item in items))


def _words(values: Sequence[Any]) -> Iterator[str]:
    """The words of some texts."""
    return chain.from_iterable(map(tokens, map(str, values)))


def _count_swept(
    schema: RecordSchema, pairs: Sequence[RecordPair], tallies: Tallies
) -> None:
    """Records of which every number is another one: one may change, three at once are
    another thing's, unless they are prices that rose together."""
    numbers = single_fields(schema, FACTORS)
    for pair in pairs:
        filled = _filled_in_both(pair, numbers)
        if len(filled) < _LEAST_NUMBERS:
            continue
        is_swept = _moves(pair, filled) >= _LEAST_NUMBERS and not any(
            _is_same_in_both(pair, spec) for spec in filled
        )
        names = ", ".join(map(attrgetter("name"), filled))
        expected, got = "some of the known numbers", f"other {names}"
        tallies.add(
            Sign.SWEPT, "", pair.page, has_sign=is_swept, expected=expected, got=got
        )


def _moves(pair: RecordPair, specs: Sequence[FieldSpec]) -> int:
    """How many numbers changed by ratios of their own: a price and the former one often
    change by the same."""
    ratios: list[float] = []
    others = 0
    for spec in specs:
        ratio = log_ratio(pair.old[spec.name], pair.new[spec.name])
        if ratio is None:
            others += 1
        elif all(abs(ratio - known) > SAME_RATIO for known in ratios):
            ratios.append(ratio)
    return len(ratios) + others


def _filled_in_both(pair: RecordPair, specs: Sequence[FieldSpec]) -> list[FieldSpec]:
    """The fields that have a value then and now."""
    return list(filter(partial(_is_filled_in_both, pair), specs))


def _is_filled_in_both(pair: RecordPair, spec: FieldSpec) -> bool:
    """Whether a field has a value then and now."""
    return is_filled(pair.old.get(spec.name)) and is_filled(pair.new.get(spec.name))


def _is_same_in_both(pair: RecordPair, spec: FieldSpec) -> bool:
    """Whether a field that is filled then and now has the same value."""
    return same(pair.old[spec.name], pair.new[spec.name], spec)
