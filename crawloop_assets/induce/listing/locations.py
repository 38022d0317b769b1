"""Where in a record a known value can be read: selectors, attributes, labels, JSON
paths; no transforms yet."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read_texts, select
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.leaves import leaves
from crawloop_assets.induce.locate.fit import item_spec
from crawloop_assets.induce.words.anchors import Words, words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.dates import dates
from crawloop_assets.values.equality import canonical, same
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import letters, tokens
from crawloop_assets.values.value import Value

_MOST_ELEMENTS = 160
_MOST_PLACES = 26
_LONG = 3000
_LITTLE = 40
_ATTRIBUTES_SKIPPED = frozenset(
    ("class", "id", "style", "width", "height", "target", "rel", "tabindex", "role")
)
_BRANDING = frozenset(
    (
        "id",
        "name",
        "headers",
        "data-title",
        "data-label",
        "data-th",
        "aria-label",
        "title",
    )
)
_TYPED = frozenset(
    (
        FieldKind.NUMBER,
        FieldKind.INTEGER,
        FieldKind.MINUTES,
        FieldKind.BOOLEAN,
        FieldKind.DATE,
        FieldKind.DATETIME,
    )
)


class KnownCell(NamedTuple):
    """A record's scope and the value the field is known to have there."""

    scope: Scope
    value: Value


class Location(NamedTuple):
    """A way to get to texts inside a record, before any transform.

    `pick` is an index among them, None for all.
    """

    src: Source
    at: str
    get: str
    pick: int | None
    kin: Kin
    prior: float


def find_spots(spec: FieldSpec, samples: Sequence[KnownCell]) -> list[Location]:
    """The most promising places over all samples: seen in most records first, then the
    more telling ones."""
    words = words_of(spec)
    support: dict[tuple[Source, str, str, int | None], int] = {}
    spots: dict[tuple[Source, str, str, int | None], Location] = {}
    for sample in samples:
        mine = {spot[:4]: spot for spot in _sample_spots(spec, sample, words)}
        for key, spot in mine.items():
            support[key] = support.get(key, 0) + 1
            if key not in spots or spots[key].prior < spot.prior:
                spots[key] = spot
    ranked = sorted(
        spots,
        key=lambda key: (
            -support[key],
            -spots[key].prior,
            len(key[1]),
            key[1],
            key[2],
            str(key[3]),
        ),
    )
    chosen: list[Location] = []
    kins: dict[Kin, int] = {}
    for key in ranked:
        kin = spots[key].kin
        if kins.get(kin, 0) < 6:
            kins[kin] = kins.get(kin, 0) + 1
            chosen.append(spots[key])
    return chosen[:_MOST_PLACES]


def _sample_spots(
    spec: FieldSpec, sample: KnownCell, words: Words
) -> Iterator[Location]:
    scope, value = sample
    document = scope.document
    if scope.data is not None:
        yield from _json_spots(spec, sample, words)
        return
    matched: dict[str, list[int]] = {}
    for number in _elements(scope):
        for get, text in _reads(document, number, scope):
            strength = _holds(spec, text, value, get, document.base_url)
            if not strength:
                continue
            for src, at, kin, prior in _addresses(scope, number, words):
                if at not in matched:
                    matched[at] = select(scope, at)
                first = matched[at][:1] == [number]
                pick = (
                    None
                    if first or spec.shape is not Shape.ONE
                    else _pick(scope, at, get, text)
                )
                if pick is not None and pick > 12:
                    continue
                prior *= strength * _get_trust(spec, get) * (0.8 if pick else 1.0)
                yield Location(src, at, get, pick or None, kin, round(prior, 6))
    if spec.shape is Shape.ONE and spec.kind is not FieldKind.URL:
        yield from _label_spots(spec, sample)


def _json_spots(spec: FieldSpec, sample: KnownCell, words: Words) -> Iterator[Location]:
    """Paths inside the record's JSON object that hold the value."""
    for path, text in leaves(sample.scope.data):
        strength = _holds(
            spec, text, sample.value, "@data", sample.scope.document.base_url
        )
        if strength:
            prior = round(strength * (0.75 + _bonus(words, path.rsplit(".", 1)[-1])), 6)
            yield Location(Source.JSON, path, "value", None, Kin.JSON, prior)


def _elements(scope: Scope) -> list[int]:
    document = scope.document
    inside: list[int] = []
    for node in scope.nodes:
        inside.extend(range(node, document.end[node]))
        if len(inside) > _MOST_ELEMENTS:
            break
    return inside[:_MOST_ELEMENTS]


def _reads(document: Document, number: int, scope: Scope) -> Iterator[tuple[str, str]]:
    element = document.elements[number]
    text = document.text(number)
    if text and len(text) <= _LONG:
        yield "text", text
    if len(element) and text:
        own = document.own_text(number)
        if own and own != text:
            yield "own", own
        head = document.head_text(number)
        if head and head != own:
            yield "head", head
    if element.tail and number not in scope.nodes and element.tail.strip():
        yield "tail", document.tail_text(number)
    if number == scope.nodes[0]:
        span = document.span(scope.nodes[0], scope.nodes[-1])
        if span != text and span and len(span) <= _LONG:
            yield "span", span
    for name, value in element.attrib.items():
        if name not in _ATTRIBUTES_SKIPPED and value and len(value) < _LONG:
            yield f"@{name}", value


def _holds(spec: FieldSpec, text: str, value: Value, get: str, base_url: str) -> float:
    """1 if the text is the value, less if the value is a part of it, 0 if it is not
    there."""
    if spec.shape is not Shape.ONE:
        return _holds_item(spec, text, value, get, base_url)
    if spec.kind is FieldKind.URL:
        if get[0] != "@" and "://" not in text and "/" not in text:
            return 0.0
        tail = str(value).split("?")[0].rstrip("/").rsplit("/", 1)[-1].casefold()
        if (
            tail[:12] not in text.casefold().replace(" ", "%20")
            and tail[:12] not in text.casefold()
        ):
            return 0.0
        exact = same(parse_value(text, spec, base_url), value, spec)
        return (
            1.0 if exact else 0.5 if get.startswith(("@on", "@data", "@href")) else 0.0
        )
    if spec.kind in _TYPED:
        if len(text) > 600 or not any(char.isdigit() for char in text):
            return 0.0
        if same(parse_value(text, spec, base_url), value, spec):
            return (
                1.0 if len(text) <= _LITTLE else 0.7
            )  # among many words it may be another's
        return 0.5 if len(text) < 400 and _among(spec, text, value) else 0.0
    wanted, have = letters(str(value)), letters(text)
    if not wanted or wanted not in have:
        return 0.0
    return 1.0 if wanted == have else max(0.45, 0.9 * len(wanted) / len(have))


def _among(spec: FieldSpec, text: str, value: Value) -> bool:
    """Whether the value is one of several numbers or dates of a text."""
    if spec.kind in (FieldKind.DATE, FieldKind.DATETIME):
        return any(
            dated.day.isoformat() == str(value)[:10]
            for dated in dates(text, spec.date_order)
        )
    return letters(str(value)) in letters(text)


def _holds_item(
    spec: FieldSpec, text: str, value: Value, get: str, base_url: str
) -> float:
    single = item_spec(spec)
    forms = (
        {canonical(item, single) for item in value}
        if isinstance(value, list)
        else set()
    )
    parsed = parse_value(text, single, base_url)
    if parsed is not None and canonical(parsed, single) in forms:
        return 1.0
    have = letters(text)
    return (
        0.6
        if value
        and len(text) < 600
        and all(letters(str(item)) in have for item in value)
        else 0.0
    )


def _get_trust(spec: FieldSpec, get: str) -> float:
    """How much a text of this origin is trusted.

    A date or a word in a link is rather the file's than the record's.
    """
    if get in ("@href", "@src") and spec.kind is not FieldKind.URL:
        return 0.6
    if get[0] != "@":
        return {"text": 1.0, "own": 0.95, "head": 0.9, "tail": 0.85}.get(get, 0.8)
    return {
        "@href": 1.0,
        "@src": 0.95,
        "@datetime": 1.1,
        "@content": 1.0,
        "@title": 0.75,
    }.get(get, 0.7)


def _pick(scope: Scope, at: str, get: str, text: str) -> int | None:
    """Which of the texts at an address is this one; None if the address is the only or
    first."""
    texts = read_texts(Reader(src=Source.CSS, at=at, get=get), scope)
    return texts.index(text) if text in texts else 99


def _addresses(
    scope: Scope, number: int, words: Words
) -> Iterator[tuple[Source, str, Kin, float]]:
    """Selectors that lead to an element from its record."""
    document = scope.document
    if number in scope.nodes:
        if number == scope.nodes[0]:
            yield Source.CSS, ".", Kin.TAG, 0.6
        if len(scope.nodes) == 1:
            return
    tag = tag_of(document, number)
    for predicate, kin, prior in element_predicates(document, number, words):
        yield Source.CSS, f"{tag}{predicate}", kin, prior
    yield Source.CSS, tag, Kin.TAG, 0.45
    path = _path(scope, number)
    if path:
        yield Source.CSS, path, Kin.PATH, 0.5
    for ancestor in document.ancestors(number):
        if ancestor in scope.nodes or ancestor <= scope.nodes[0]:
            break
        for predicate, kin, prior in element_predicates(document, ancestor, words)[:2]:
            outer = tag_of(document, ancestor)
            yield Source.CSS, f"{outer}{predicate} {tag}", kin, round(prior - 0.08, 4)


def element_predicates(
    document: Document, number: int, words: Words
) -> list[tuple[str, Kin, float]]:
    """Telling properties of an element as selector parts, best first.

    Values that hold digits are left out: they
    tend to name one record.
    """
    element = document.elements[number]
    found: list[tuple[str, Kin, float]] = []
    for name, value in element.attrib.items():
        if name == "class":
            found += [
                (f".{escape(part)}", Kin.CLASS, 0.65 + _bonus(words, part))
                for part in dict.fromkeys(value.split())
                if stable(part)
            ]
        elif name in ("itemprop", "property") and stable(value):
            found.append(
                (f'[{name}="{quote(value)}"]', Kin.MICRO, 0.9 + _bonus(words, value))
            )
        elif (
            name in _BRANDING
            and value
            and len(value) < 60
            and not any(char.isdigit() for char in value)
        ):
            found.append(
                (f'[{name}="{quote(value)}"]', Kin.DATA, 0.6 + _bonus(words, value))
            )
        elif name.startswith("data-") and len(name) < 40:
            found.append((f"[{name}]", Kin.DATA, 0.5 + _bonus(words, name)))
        elif name == "id" and any(char.isdigit() for char in value):
            stem = longest_word(value)
            if stem:
                found.append(
                    (f'[id*="{quote(stem)}"]', Kin.ID, 0.6 + _bonus(words, stem))
                )
        elif name in ("href", "src") and (extension := _extension(value)):
            found.append((f'[{name}*="{extension}"]', Kin.DATA, 0.6))
    return sorted(found, key=lambda item: (-item[2], item[0]))[:5]


def stable(name: str) -> bool:
    """Whether a class or property name is likely to mean more than one element or one
    build of the site."""
    digits = sum(char.isdigit() for char in name)
    return 1 < len(name) < 60 and digits <= 2 and name not in _STRIPES


_STRIPES = frozenset(
    [
        "odd",
        "even",
        "first",
        "last",
        "active",
        "alt",
        "altrow",
        "row-even",
        "row-odd",
        "row_even",
        "row_odd",
        "views-row-first",
        "views-row-last",
    ]
)


def tag_of(document: Document, number: int) -> str:
    """An element's tag as it stands in a selector."""
    return escape(str(document.elements[number].tag))


def longest_word(text: str) -> str:
    """The longest run of letters of an identifier, "" if it has none of four or
    more."""
    parts = ["".join(char if char.isalpha() else " " for char in text).split()]
    words = [word for word in parts[0] if len(word) >= 4]
    return max(words, key=len) if words else ""


def _bonus(words: Words, text: str) -> float:
    return round(0.24 * words.share(tokens(text)), 4)


def _extension(url: str) -> str:
    path = url.split("?")[0].rsplit("/", 1)[-1]
    extension = path.rsplit(".", 1)[-1] if "." in path else ""
    return f".{extension}" if 2 <= len(extension) <= 4 and extension.isalnum() else ""


def escape(name: str) -> str:
    """A class name as it stands in a selector."""
    return "".join(
        char if char.isalnum() or char in "-_" else f"\\{char}" for char in name
    )


def quote(value: str) -> str:
    """An attribute value as it stands between double quotes."""
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _path(scope: Scope, number: int) -> str:
    """Child steps from the record to an element; "" for records of many elements and
    for deep ones."""
    if len(scope.nodes) > 1:
        return ""
    document = scope.document
    steps: list[str] = []
    while number != scope.nodes[0]:
        element = document.elements[number]
        position = 1 + sum(
            1
            for other in element.itersiblings(preceding=True)
            if other.tag == element.tag
        )
        steps.append(f"{tag_of(document, number)}:nth-of-type({position})")
        number = document.parent[number]
        if len(steps) > 5 or number < 0:
            return ""
    return "> " + " > ".join(reversed(steps)) if steps else ""


def _label_spots(spec: FieldSpec, sample: KnownCell) -> Iterator[Location]:
    """The value right after a short text that ends like a label or stands in bold:
    "Docket No.: 20240324"."""
    scope, value = sample
    document = scope.document
    wanted = letters(str(value)) if spec.kind not in _TYPED else ""
    first = document.first_piece[scope.nodes[0]]
    last = document.last_piece[scope.nodes[-1]]
    before = ""
    for piece in document.pieces[first : min(last, first + 120)]:
        form = letters(piece.text) if piece.owner >= 0 else ""
        if not form:
            continue
        is_value = (
            form.startswith(wanted)
            if wanted
            else _holds(spec, piece.text, value, "text", "") == 1.0
        )
        if (
            is_value
            and 2 <= len(before) <= 30
            and not any(char.isdigit() for char in before)
        ):
            yield Location(Source.LABEL, before, "next", None, Kin.LABEL, 0.7)
        before = form


def nearest_before(numbers: Sequence[int], number: int) -> int | None:
    """The largest of ascending numbers below `number`."""
    at = bisect_left(numbers, number)
    return numbers[at - 1] if at else None
