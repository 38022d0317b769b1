"""Counting the signs that pages and records show by themselves, given what is normal
for the family."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any
from urllib.parse import unquote, urlsplit

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.drift.facts import PageFacts, template_distance
from crawloop_assets.drift.forms import net_form
from crawloop_assets.drift.ground import is_grounded
from crawloop_assets.drift.norms import NEAR_LAYOUT, Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.page import disagrees, is_placeholder, silent
from crawloop_assets.drift.pairs import Record, key_of, record_key
from crawloop_assets.drift.signs import Sign
from crawloop_assets.drift.tally import Hit, Tallies
from crawloop_assets.drift.values import EMPTY, as_number
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.text import letters, tokens

_GARBLED = re.compile(
    r"\ufffd|Ã[\x80-\xbf©¨¼¶¤]|â€|</?[a-z][a-z0-9]*[ >/]|&(?:amp|nbsp|quot|lt|gt|#\d+);",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_WORDS = re.compile(r"(?<![^\W\d_])[^\W\d_]++(?:\s++[^\W\d_]++)+")
_DIGITS = re.compile(r"\d+")
_NUMERIC = (FieldKind.NUMBER, FieldKind.INTEGER, FieldKind.MINUTES)
_NEARLY_ALL = 0.8


def count_pages(
    family: Family, outcomes: Sequence[PageOutcome], norms: Norms, tallies: Tallies
) -> None:
    """Layout, currency, paging and rows of each page."""
    page_size = norms.usual("page_size")
    currency = norms.usual("currency")
    followed: set[str] = set()
    for at, outcome in enumerate(outcomes):
        facts, extraction = outcome.facts, outcome.extraction
        if facts is None:
            continue
        _count_layout(at, facts, norms, tallies)
        if currency and facts.currency:
            tallies.add(
                Sign.CURRENCY,
                "page",
                Hit(at, currency, facts.currency)
                if facts.currency != currency
                else None,
            )
        if extraction is None or family.kind is FamilyKind.DETAIL:
            continue
        count = len(extraction.records)
        for group, length in facts.groups or ():
            if group in norms.row_groups:
                tallies.add(
                    Sign.ROWS,
                    "",
                    Hit(at, str(length), str(count)) if length != count else None,
                )
        if facts.next_link:
            tallies.add(
                Sign.UNPAGED,
                "",
                Hit(at, "a next url", "nothing")
                if extraction.next_url is None
                else None,
            )
        if extraction.next_url:
            loops = (
                extraction.next_url in followed or extraction.next_url == outcome.url
            )
            followed.add(extraction.next_url)
            tallies.add(
                Sign.LOOP,
                "",
                Hit(at, "a page not seen yet", extraction.next_url) if loops else None,
            )
            if page_size:
                tallies.add(
                    Sign.SHORT,
                    "",
                    Hit(at, page_size, str(count)) if count < int(page_size) else None,
                )


def _count_layout(at: int, facts: PageFacts, norms: Norms, tallies: Tallies) -> None:
    if norms.layouts:
        distance = min(
            template_distance(facts.template, layout) for layout in norms.layouts
        )
        tallies.add(
            Sign.LAYOUT,
            "",
            Hit(at, "a known layout", f"distance {distance:.2f}")
            if distance > NEAR_LAYOUT
            else None,
        )


def count_votes(
    schema: RecordSchema,
    family: Family,
    outcomes: Sequence[PageOutcome],
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Disagreeing and silent readers, and winners that are not the usual ones, of the
    version that read most pages."""
    usual = {
        spec.name: norms.usual(f"reader:{spec.name}", per_version=True)
        for spec in schema.fields
    }
    for at, outcome in enumerate(outcomes):
        if outcome.extraction is None or outcome.version != norms.version:
            continue
        for record in outcome.extraction.records:
            for name, vote in record.votes.items():
                if vote.readers < 2:
                    continue
                contrary = Hit(
                    at, vote.rivals[0] if vote.rivals else "", record.values.get(name)
                )
                tallies.add(
                    Sign.DISAGREE,
                    name,
                    contrary if disagrees(vote, family.drift.min_agreement) else None,
                )
                fewer = (
                    Hit(at, f"{vote.readers} readers", f"{vote.live_readers} readers")
                    if silent(vote)
                    else None
                )
                tallies.add(Sign.SILENT, name, fewer)
                if usual.get(name) and vote.reader:
                    tallies.add(
                        Sign.READER,
                        name,
                        Hit(at, usual[name], vote.reader)
                        if vote.reader != usual[name]
                        else None,
                    )


def count_records(
    schema: RecordSchema,
    family: Family,
    outcomes: Sequence[PageOutcome],
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Signs of single values, of fields of one record, and of values over all
    records."""
    key = record_key(schema, family)
    keys: Counter[Any] = Counter()
    related = _related(schema)
    for at, outcome in enumerate(outcomes):
        for record in outcome.values:
            for spec in schema.fields:
                _count_value(at, outcome, record, spec, norms, tallies)
            _count_relations(at, record, related, tallies)
            identity = key_of(record, key)
            if identity is not None:
                tallies.add(
                    Sign.DUPLICATE,
                    "key",
                    Hit(at, "a new key", identity) if keys[identity] > 0 else None,
                )
                keys[identity] += 1
    for spec in schema.fields:
        if spec.shape is Shape.ONE and spec.kind in (
            FieldKind.TEXT,
            FieldKind.NUMBER,
            FieldKind.URL,
        ):
            _count_repeats(outcomes, spec, related, tallies)


def _count_value(
    at: int,
    outcome: PageOutcome,
    record: Record,
    spec: FieldSpec,
    norms: Norms,
    tallies: Tallies,
) -> None:
    value, name = record.get(spec.name), spec.name
    empty = value in EMPTY
    if not spec.required:
        sign = Sign.SCARCE if spec.volatile else Sign.MISSING
        tallies.add(sign, name, Hit(at, "a value", value) if empty else None)
    if empty:
        return
    items = value if isinstance(value, list) else [value]
    if spec.kind is FieldKind.TEXT:
        tallies.add(
            Sign.PLACEHOLDER,
            name,
            Hit(at, "", value) if any(is_placeholder(item) for item in items) else None,
        )
        tallies.add(
            Sign.GARBLED,
            name,
            Hit(at, "", value)
            if any(_is_garbled(str(item)) for item in items)
            else None,
        )
    _count_grounds(at, value, spec, outcome, norms, tallies)
    if spec.shape is not Shape.ONE:
        return
    if spec.kind is FieldKind.NUMBER and not spec.volatile:
        whole = (
            str(value).split(".")[-1].strip("0") == "" if "." in str(value) else True
        )
        tallies.add(Sign.WHOLE, name, Hit(at, "", value) if whole else None)
        tallies.add(Sign.BROKEN, name, Hit(at, "", value) if not whole else None)
    elif spec.kind is FieldKind.TEXT:
        _count_text(at, str(value), spec, outcome, norms, tallies)


def _is_garbled(text: str) -> bool:
    if text.isascii() and "<" not in text and "&" not in text:
        return False
    return _GARBLED.search(text) is not None


def _count_grounds(
    at: int,
    value: Any,
    spec: FieldSpec,
    outcome: PageOutcome,
    norms: Norms,
    tallies: Tallies,
) -> None:
    """Whether a value stands on the page, and if it is an amount whether it stands
    there as net of tax."""
    grounded = (
        None if outcome.facts is None else is_grounded(value, spec, outcome.facts)
    )
    if outcome.facts is None or grounded is None:
        return
    if outcome.version == norms.version:
        tallies.add(
            Sign.UNGROUNDED,
            spec.name,
            Hit(at, "a value of the page", value) if not grounded else None,
        )
    if spec.kind is FieldKind.NUMBER and spec.shape is Shape.ONE:
        is_net = outcome.facts.holds(net_form(value))
        if is_net is not None:
            tallies.add(Sign.NET, spec.name, Hit(at, "", value) if is_net else None)


def _count_text(
    at: int,
    value: str,
    spec: FieldSpec,
    outcome: PageOutcome,
    norms: Norms,
    tallies: Tallies,
) -> None:
    name, form = spec.name, letters(value)
    if outcome.facts is not None and outcome.facts.title and form:
        missing = form not in _title_form(outcome.facts.title)
        tallies.add(
            Sign.OFF_TITLE,
            name,
            Hit(at, outcome.facts.title[:200], value) if missing else None,
        )
    words = {word for word in tokens(value) if len(word) > 2}
    if words:
        tallies.add(
            Sign.OFF_URL,
            name,
            Hit(at, outcome.url[:200], value)
            if not words & _path_words(outcome.url)
            else None,
        )
    known = norms.known(f"shape:{name}")
    if known:
        tallies.add(
            Sign.SHAPE,
            name,
            Hit(at, "", value) if value_shape(value) not in known else None,
        )


@lru_cache(maxsize=16)  # asked again for every text field of the page
def _title_form(title: str) -> str:
    return letters(title)


@lru_cache(maxsize=16)
def _path_words(url: str) -> frozenset[str]:
    return frozenset(tokens(unquote(urlsplit(url).path)))


@lru_cache(
    maxsize=4_096
)  # asked of every text value of a batch, and again for its statistics
def value_shape(text: str) -> str:
    """Letters as one "a", digits as one "9", the first 24 characters: "SKU-1024" ->
    "a-9"."""
    return _DIGITS.sub("9", _WORD.sub("a", _WORDS.sub("a a", text)))[:24]


def _related(schema: RecordSchema) -> list[tuple[FieldSpec, FieldSpec]]:
    """Pairs of number fields that share a word ("price", "list_price"): only those may
    have a law between them."""
    numbers = [
        spec
        for spec in schema.fields
        if spec.kind in _NUMERIC and spec.shape is Shape.ONE
    ]
    return [
        (a, b)
        for a, b in combinations(numbers, 2)
        if set(tokens(a.name)) & set(tokens(b.name))
    ]


def _count_relations(
    at: int,
    record: Record,
    related: Sequence[tuple[FieldSpec, FieldSpec]],
    tallies: Tallies,
) -> None:
    for one, two in related:
        first, second = as_number(record.get(one.name)), as_number(record.get(two.name))
        if first is None or second is None:
            continue
        hit = Hit(at, f"{two.name} {second:g}", f"{one.name} {first:g}")
        tallies.add(
            Sign.ABOVE,
            f"{one.name} is more than {two.name}",
            hit if first > second else None,
        )
        tallies.add(
            Sign.ABOVE,
            f"{one.name} is less than {two.name}",
            hit if first < second else None,
        )
        tallies.add(
            Sign.EQUAL,
            f"{one.name} equals {two.name}",
            hit if first == second else None,
        )


def _is_reduced(
    record: Record, spec: FieldSpec, related: Sequence[tuple[FieldSpec, FieldSpec]]
) -> bool:
    """Whether another field of the record states a higher amount of the same thing: a
    sale, in which prices repeat."""
    here = as_number(record.get(spec.name))
    others = (
        b if a.name == spec.name else a
        for a, b in related
        if spec.name in (a.name, b.name)
    )
    return here is not None and any(
        (as_number(record.get(other.name)) or here) > here for other in others
    )


def _count_repeats(
    outcomes: Sequence[PageOutcome],
    spec: FieldSpec,
    related: Sequence[tuple[FieldSpec, FieldSpec]],
    tallies: Tallies,
) -> None:
    """Values that several records share, and the commonest value."""
    found: list[tuple[int, Any, Any]] = []
    for at, outcome in enumerate(outcomes):
        for record in outcome.values:
            form = canonical(record.get(spec.name), spec)
            if form is not None and not (
                spec.volatile and _is_reduced(record, spec, related)
            ):
                found.append((at, form, record.get(spec.name)))
    counts = Counter(form for _, form, _ in found)
    if len(found) < 5:
        return
    top = max(counts.values())
    commonest = next(form for _, form, _ in found if counts[form] == top)
    copied = top > 1 and (
        not spec.volatile
        or spec.kind is FieldKind.NUMBER
        or top >= _NEARLY_ALL * len(found)
    )
    for at, form, value in found:
        hit = Hit(at, "a value of its own", value)
        tallies.add(
            Sign.COPIED, spec.name, hit if copied and form == commonest else None
        )
        if not spec.volatile:
            tallies.add(Sign.SHARED, spec.name, hit if counts[form] > 1 else None)
