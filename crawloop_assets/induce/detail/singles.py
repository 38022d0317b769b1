"""Candidates that read one value from a page's markup: text, attributes, labels."""

import re
from collections.abc import Iterator

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import next_piece
from crawloop_assets.induce.locate.candidate import CandidateReader, best
from crawloop_assets.induce.locate.context import FieldContext
from crawloop_assets.induce.locate.fit import item_spec
from crawloop_assets.induce.locate.places import Index, Place
from crawloop_assets.induce.locate.predicates import predicates
from crawloop_assets.induce.locate.selectors import selectors
from crawloop_assets.induce.words.anchors import Words
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.equality import same
from crawloop_assets.values.numbers import has_unit
from crawloop_assets.values.text import letters, tokens
from crawloop_assets.values.value import Value

_MOST_PLACES = 8
# What an attribute is worth as a place for a value: machine-readable ones most, captions written for pictures little.
_ATTRIBUTE_TRUST = {
    **dict.fromkeys(
        (
            "@content",
            "@src",
            "@href",
            "@datetime",
            "@value",
            "@data-src",
            "@srcset",
            "@aria-label",
        ),
        1.0,
    ),
    **dict.fromkeys(("@alt", "@title"), 0.55),
}
_OTHER_ATTRIBUTE = 0.7
_CAPTION = 40
_LEAST = 0.3
STANDS_ALONE = (
    0.2  # how well a text names a field that says by itself what kind of thing it is
)


def dom_candidates(
    index: Index, value: Value, spec: FieldSpec, context: FieldContext
) -> list[CandidateReader]:
    """Readers of a page's markup that give the value."""
    document, single = index.document, item_spec(spec)
    scored = [
        (_place_score(document, place, spec, context), place)
        for place in index.places(value, single)
    ]
    scored.sort(key=lambda each: (-round(each[0], 6), each[1].number, each[1].get))
    scope = Scope(document)
    found: list[CandidateReader] = []
    for score, place in scored[:_MOST_PLACES]:
        text = _text(document, place)
        alone = (
            spec.kind is FieldKind.MINUTES
            and place.get[0] != "@"
            and _is_duration(text)
        )
        for candidate in _at_place(
            document, place, context, score, _tells(text, spec), alone
        ):
            if same(read(candidate.reader, scope, single), value, single):
                found.append(candidate)
    return best(found, 24)


def _place_score(
    document: Document, place: Place, spec: FieldSpec, context: FieldContext
) -> float:
    """How likely a place is the field and not the same text elsewhere."""
    number, words = place.number, context.words
    own = max(
        (words.share(each.words) for each in predicates(document, number)), default=0.0
    )
    around = 0.0
    for distance, ancestor in zip(
        range(1, 5), document.ancestors(number), strict=False
    ):
        near = max(
            (words.share(each.words) for each in predicates(document, ancestor)),
            default=0.0,
        )
        around = max(around, near * (1 - 0.2 * distance))
    score = (
        context.trust(place.pipe)
        + 0.5 * own
        + 0.3 * around
        + 0.4 * _label_share(document, place, words)
    )
    score += 0.4 * (document.elements[number].tag == "h1")
    if document.end[number] == number + 1:
        score += 0.1
    if place.get.startswith("@"):
        score *= _ATTRIBUTE_TRUST.get(place.get, _OTHER_ATTRIBUTE)
    return score * _tells(_text(document, place), spec)


def _tells(text: str, spec: FieldSpec) -> float:
    """What a place is worth by its own text: a duration that does not say its unit is
    half of one ("1" of "1 h 25")."""
    return 0.5 if spec.kind is FieldKind.MINUTES and not has_unit(text) else 1.0


def _is_duration(text: str) -> bool:
    """True for a duration with its unit and nothing else: such a text says what it is,
    whatever stands beside it."""
    words = _WORD.findall(text.casefold())
    return (
        len(text) <= _CAPTION
        and bool(words)
        and all(has_unit(f"1 {word}") for word in words)
    )


_WORD = re.compile(r"[^\W\d_]+")


def _text(document: Document, place: Place) -> str:
    if place.get[0] == "@":
        return document.elements[place.number].get(place.get[1:]) or ""
    return _TEXTS[place.get](document, place.number)


_TEXTS = {
    "text": Document.text,
    "own": Document.own_text,
    "head": Document.head_text,
    "tail": Document.tail_text,
}


def _label_share(document: Document, place: Place, words: Words) -> float:
    """How well the text beside a place names the field: before it, or in it as in "4
    servings" and "Total: 40 min"."""
    if place.get.startswith("@"):
        return 0.0
    label = _label_before(document, place)
    before = (
        words.share(tokens(document.pieces[label].text)) if label is not None else 0.0
    )
    own = _text(document, place)
    return max(
        before,
        words.share(tokens(own))
        if len(own) <= _CAPTION and any(map(str.isdigit, own))
        else 0.0,
    )


def _first_piece(document: Document, place: Place) -> int | None:
    if place.get == "tail":
        return next((at for at in range(document.last_piece[place.number], len(document.pieces))
                     if document.pieces[at].owner == place.number and document.pieces[at].is_tail), None)  # fmt: skip
    first, last = document.first_piece[place.number], document.last_piece[place.number]
    return next(
        (
            at
            for at in range(first, last)
            if document.pieces[at].owner >= 0 and document.pieces[at].text.strip()
        ),
        None,
    )


def _label_before(document: Document, place: Place) -> int | None:
    first = _first_piece(document, place)
    return None if first is None else next_piece(document, first, -1)


def _at_place(
    document: Document,
    place: Place,
    context: FieldContext,
    score: float,
    tells: float,
    alone: bool,
) -> Iterator[CandidateReader]:
    trust = min(1.0, 0.55 + 0.3 * score) * context.trust(place.pipe) * tells
    attribute = place.get.startswith("@")
    if attribute:
        trust *= _ATTRIBUTE_TRUST.get(place.get, _OTHER_ATTRIBUTE)
    label = _label_share(document, place, context.words)
    least = STANDS_ALONE if alone else 0.0
    counted = bool(place.pipe) and place.pipe[-1].op is Op.TEMPLATE
    for selector in selectors(document, place.number, context):
        named = max(selector.named, 0.8 * label)
        if counted and (attribute or not named):
            continue
        reader = Reader(
            src=Source.CSS,
            at=selector.css,
            get=place.get,
            pipe=place.pipe,
            kin=selector.kin,
        )
        named = max(named * tells, min(named, _LEAST), least)
        yield CandidateReader(reader, selector.prior * trust, named, selector.alone)
    if not attribute:
        yield from _labelled(document, place, context, least)


def _labelled(
    document: Document, place: Place, context: FieldContext, least: float
) -> Iterator[CandidateReader]:
    """Readers that start from the text beside the value."""
    first = _first_piece(document, place)
    if first is None:
        return
    for step, gets in ((-1, ("next", "block", "same")), (1, ("before",))):
        at = next_piece(document, first, step)
        if at is None:
            continue
        text = document.pieces[at].text
        label, share = letters(text), context.words.share(tokens(text))
        if not 1 < len(label) <= 40 or any(char.isdigit() for char in label):
            continue
        alone = len(document.labels.get(label, ())) == 1
        for get in gets:
            prior = (
                (0.8 if share >= 0.5 else 0.3)
                + 0.1 * share
                - (0.1 if get == "before" else 0.0)
            )
            reader = Reader(
                src=Source.LABEL, at=label, get=get, pipe=place.pipe, kin=Kin.LABEL
            )
            yield CandidateReader(
                reader, prior * context.trust(place.pipe), max(share, least), alone
            )
