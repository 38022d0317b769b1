"""Values that only time can confirm: a title that is another one today, a price that
tripled.

Nothing on the page speaks against them, and the past does. Such a value waits, with its
record, until a later refresh has it from the site again (see said.py).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.drift.assessment import Assessment
from crawloop_assets.drift.check import (
    CheckModel,
    CheckName,
    Finding,
    Severity,
    show,
)
from crawloop_assets.drift.doubt import DoubtfulValue
from crawloop_assets.drift.foreign import Foreign, foreign_values
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.ratio_signs import are_many
from crawloop_assets.drift.result import finding_of
from crawloop_assets.drift.said import SaidBefore
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Hit, Tallies
from crawloop_assets.drift.trust import is_refuted
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same

_TOGETHER = frozenset(
    (Sign.REPRICED, Sign.RATIO, Sign.ROUNDED, Sign.WHOLESALE, Sign.LEAP)
)
"""Signs of many values that changed at once: all that changed on their pages wait."""

_OF_PRICES = frozenset((Sign.EXACTLY, Sign.BORROWED, Sign.LENT, Sign.STRIDE))
"""Signs of single prices."""

WAITING = (
    _TOGETHER
    | _OF_PRICES
    | {Sign.AFAR, Sign.ABROAD, Sign.ASIDE, Sign.HIDDEN, Sign.ELSEWHERE, Sign.CACHED}
)
"""Signs that hold their records only, however many they are: a general rise of prices
is no drift, nor are advertisements, nor a cache."""

_LASTING = frozenset((Sign.ABROAD, Sign.HIDDEN, Sign.UNTIMELY, Sign.THOUSANDS))
"""Signs of an advertisement or a trap, that the page contradicts itself, or its family's
notation: no less of one for being there again. Only a person lets such a record in."""


class WaitingRows(CheckModel):
    """The records of a page that wait, by their position on it, and why."""

    rows: frozenset[int]
    findings: tuple[Finding, ...]


def rows_waiting(waiting: Mapping[str, WaitingRows], url: str) -> frozenset[int]:
    """The rows of a page that wait, by their position."""
    return waiting[url].rows if url in waiting else frozenset()


def waiting_rows(
    schema: RecordSchema,
    family: Family,
    found: Iterable[DoubtfulValue],
    news: Sequence[Assessment],
    pages: Sequence[PageOutcome],
) -> dict[str, WaitingRows]:
    """Url -> the records with values that have to be said twice, and were not: those
    that are improbable by themselves (`found`), and those of a failed sign of `WAITING`
    (among `news`).

    A row of a list waits alone: the others of its page are published.
    """
    specs = {spec.name: spec for spec in schema.fields}
    said = SaidBefore(schema, family, pages)
    refuted = {item.subject for item in news if is_refuted(item)}
    rows: defaultdict[int, set[int]] = defaultdict(set)
    findings: defaultdict[int, list[Finding]] = defaultdict(list)
    too_often = chain(news, _of_unknown_days(news, specs))
    together = [_every_change(item, specs, said, len(pages)) for item in too_often]
    foreign = _of_other_addresses(foreign_values(schema, family, pages))
    by_failure = chain(foreign, _failed(news), _all_others(news), *together)
    for waits in chain(_improbable(found), by_failure):
        at, subject = waits.hit.page, waits.finding.field
        is_lasting = waits.is_lasting or subject in refuted
        if is_lasting or not said.confirms(waits.sign, subject, waits.hit):
            rows[at].update(_rows_of(waits, specs.get(subject), said, pages[at]))
            findings[at].append(waits.finding)
    return {
        pages[page].url: WaitingRows(
            rows=frozenset(rows[page]), findings=tuple(dict.fromkeys(findings[page]))
        )
        for page in sorted(rows)
        if rows[page]
    }


def waits_no_more(
    assessment: Assessment, refuted: Collection[str], pages: Sequence[PageOutcome]
) -> bool:
    """Whether what failed says so today: it needs no second refresh, or most of its pages
    have waited, and nothing that is said again of its field is news. Then they would wait
    for ever, and nobody would be asked."""
    if assessment.sign not in WAITING:
        return True
    waited = sum(bool(pages[hit.page].said_before) for hit in assessment.hits)
    return assessment.subject in refuted and 2 * waited > len(assessment.hits)


def without_waiting(
    page: PageOutcome, waiting: Mapping[str, WaitingRows]
) -> PageOutcome:
    """A page with the records that are published."""
    held = waiting.get(page.url)
    if held is None or page.extraction is None:
        return page
    rows = [at for at in range(len(page.values)) if at not in held.rows]
    records = page.extraction.records
    read = page.extraction.model_copy(
        update={"records": tuple(records[at] for at in rows)}
    )
    values = tuple(page.values[at] for at in rows)
    return page.model_copy(update={"values": values, "extraction": read})


def forget_waiting(
    tallies: Tallies, pages: Sequence[PageOutcome], waiting: Mapping[str, WaitingRows]
) -> None:
    """Take back what was counted of values that wait: what nobody has confirmed is no
    norm."""
    doubted: defaultdict[str, set[int]] = defaultdict(set)
    for at, page in enumerate(pages):
        rows = waiting.get(page.url)
        for finding in rows.findings if rows else ():
            doubted[finding.field].add(at)
    for tally in tallies:
        tally.forget(doubted.get(tally.subject, frozenset()))


class _Waiting(NamedTuple):
    """A value that waits and why; with it, if it is one of too many changes, all others
    of its page that have changed."""

    hit: Hit
    finding: Finding
    is_one_of_many: bool
    is_lasting: bool
    sign: Sign | None


def _improbable(found: Iterable[DoubtfulValue]) -> Iterator[_Waiting]:
    """The values that are improbable, not more likely wrong than right."""
    for value in found:
        if not value.is_doubtful:
            signs = set(map(attrgetter("sign"), value.against))
            is_lasting = bool(signs & _LASTING)
            finding = _finding(value, is_lasting)
            is_one_of_many = Sign.WHOLESALE in signs
            first = value.against[0]
            yield _Waiting(first.hit, finding, is_one_of_many, is_lasting, first.sign)


def _failed(news: Iterable[Assessment]) -> Iterator[_Waiting]:
    """The values that show a failed sign of their own."""
    for assessment in news:
        if assessment.sign in WAITING - _TOGETHER and assessment.holds:
            for hit in assessment.hits:
                is_lasting = assessment.sign in _LASTING
                finding = finding_of(assessment, hit)
                yield _Waiting(hit, finding, False, is_lasting, assessment.sign)


def _of_other_addresses(found: Iterable[Foreign]) -> Iterator[_Waiting]:
    """The values of records that are another address's: no refresh makes them news."""
    for one in found:
        finding = Finding(
            check=CheckName.HISTORY,
            severity=Severity.WARN,
            field=one.field,
            message=f"waits until a person releases it: it is that of {one.url}",
            expected=show(one.hit.expected),
            got=show(one.hit.got),
        )
        yield _Waiting(one.hit, finding, False, True, None)


def _every_change(
    assessment: Assessment,
    specs: Mapping[str, FieldSpec],
    said: SaidBefore,
    pages: int,
) -> Iterator[_Waiting]:
    """All changed values of a field of which too many changed, also those that look
    like a sale, and those of new records: what misled one has misled them all."""
    if assessment.sign not in _TOGETHER or not assessment.holds:
        return
    spec = specs[assessment.subject]
    for position in range(pages):
        for _, pair in said.changed(position, spec):
            hit = Hit(position, pair.old.get(spec.name), pair.new.get(spec.name))
            finding = finding_of(assessment, hit)
            yield _Waiting(hit, finding, False, False, assessment.sign)


def _all_others(news: Sequence[Assessment]) -> Iterator[_Waiting]:
    """All changed prices of a field, but for sales, where one in ten of them is too far
    off, one other record's, or has exactly the ratio of another."""
    moved = {item.subject: item.hits for item in news if item.sign is Sign.REPRICED}
    of_prices = [item for item in news if item.sign in _OF_PRICES and item.holds]
    for assessment in of_prices:
        changed = moved.get(assessment.subject, ())
        showing = set(map(attrgetter("page", "got"), assessment.hits))
        if are_many(len(showing), len(changed)):
            for hit in changed:
                finding = finding_of(assessment, hit)
                yield _Waiting(hit, finding, False, False, assessment.sign)


def _of_unknown_days(
    news: Sequence[Assessment], specs: Mapping[str, FieldSpec]
) -> list[Assessment]:
    """What of one kind of evidence speaks alone, in a batch on whose pages the kinds
    are of different days: whether that kind is late nobody can say.

    Of a field of which some page says two things both kinds speak; where they agree
    about it on another page, that is proof enough. The others, as far as they may be
    other ones every day, have all changed too often.
    """
    split = [one for one in news if one.sign is Sign.CONTRADICTION and one.hits]
    alone = sorted(specs.keys() - set(map(attrgetter("subject"), split)))
    late = [one for one in split if one.is_drift and specs[one.subject].volatile]
    volatile = filter(attrgetter("volatile"), map(specs.__getitem__, alone))
    return [
        one._replace(subject=spec.name, sign=Sign.REPRICED)
        for one, spec in product(late[:1], volatile)
    ]


def _rows_of(
    waits: _Waiting, spec: FieldSpec | None, said: SaidBefore, page: PageOutcome
) -> Iterator[int]:
    """The positions of the records that wait; of a sign of a whole record only where it
    is the page's only one."""
    if len(page.values) == 1:
        yield 0
    elif spec is not None:
        for place, pair in said.changed(waits.hit.page, spec):
            value = pair.new.get(spec.name)
            if waits.is_one_of_many or same(value, waits.hit.got, spec):
                yield place


def _finding(value: DoubtfulValue, is_lasting: bool) -> Finding:
    """Why a value waits, and for whom."""
    hit = value.against[0].hit
    until = "a person releases it" if is_lasting else "the site says so again"
    return Finding(
        check=CheckName.HISTORY,
        severity=Severity.WARN,
        field=value.subject,
        message=f"waits until {until}: {value.sentence}",
        expected=show(hit.expected),
        got=show(hit.got),
    )
