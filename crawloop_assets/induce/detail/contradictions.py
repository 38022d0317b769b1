"""Statements of a page that contradict each other, where nobody has said which of them
is meant."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter

from crawloop_assets.crawler.program import MOST_READERS, FieldProgram, Kin, Reader
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.ensemble import ensemble
from crawloop_assets.induce.detail.statements import is_title
from crawloop_assets.induce.detail.trials import (
    KnownValue,
    induce,
    pages_with_value,
)
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.currencies import (
    SIGN_BESIDE_PRICE,
    may_be_one,
    written_currency,
)
from crawloop_assets.values.equality import same

_LEAST_WEIGHT = 0.01
_STATING_KINS = frozenset((Kin.JSONLD, Kin.MICRO, Kin.META))
_PRICE = re.compile(
    rf"({SIGN_BESIDE_PRICE})\s?\d|\d\s?({SIGN_BESIDE_PRICE})", re.IGNORECASE
)


def weigh_contradictions(
    field: FieldProgram, general: Sequence[CandidateReader], known: Sequence[KnownValue]
) -> FieldProgram:
    """The field as it is read where no example says what is meant, with a vote for the
    statement that differs.

    Where a page names two pictures either may be meant as well: there an optional field
    is left empty. Where it states a currency by code and shows it by sign, one reader
    gives the sign that people see, and is never certain. Other fields are read and
    uncertain.
    """
    spec = field.spec
    readers = with_rival(field.readers, general, known, spec)
    if spec.required or spec.shape is not Shape.ONE:
        return field.model_copy(update={"readers": readers})
    if spec.kind is FieldKind.URL and readers != field.readers:
        update = {"readers": readers, "min_agree": tuned("contradictions.undisputed")}
        return field.model_copy(update=update)
    if "currency" in words_of(spec).own:
        readers = _as_shown(readers, pages_with_value(known), spec)
    return field.model_copy(update={"readers": readers})


def _as_shown(
    readers: tuple[Reader, ...], known: Sequence[KnownValue], spec: FieldSpec
) -> tuple[Reader, ...]:
    """The readers of a currency: where pages show another sign than they state, the one
    reader of that; none where it is no sign of what they state."""
    pairs = [(page, _sign_shown(page)) for page in known]
    if all(sign in (None, page.value) for page, sign in pairs):
        return readers
    shown = [replace(page, value=sign) for page, sign in pairs if _is_sign(page, sign)]
    return ensemble(induce(shown, spec), spec, shown)[:1]


def _is_sign(page: KnownValue, sign: str | None) -> bool:
    """Whether a sign may stand for the currency that a page states."""
    return sign is not None and may_be_one(written_currency(sign), str(page.value))


def _sign_shown(page: KnownValue) -> str | None:
    """The first currency sign beside a number in a page's text that may stand for what
    the page states; if there is none, the first of all."""
    texts = [piece.text for piece in page.document.pieces if piece.owner >= 0]
    prices = filter(None, map(_PRICE.search, texts))
    signs = list(dict.fromkeys(price[1] or price[2] for price in prices))
    fitting = filter(lambda sign: _is_sign(page, sign), signs)
    return next(fitting, next(iter(signs), None))


def with_rival(
    readers: tuple[Reader, ...],
    general: Sequence[CandidateReader],
    known: Sequence[KnownValue],
    spec: FieldSpec,
) -> tuple[Reader, ...]:
    """The ensemble with the best general reader of another kin that contradicts it, if
    there is one.

    Where nobody has said which of two statements of a page is meant (its linked data
    names one picture, its meta tags another), both keep their vote: the field is only
    certain on pages where they agree.
    """
    if not readers:
        return readers
    if is_title(words_of(spec)):
        return readers
    for reader in _stated_by_others(general, readers):
        if _contradicts(reader, known, spec):
            kept = readers[: MOST_READERS - 1]
            return (*kept, with_weight_of_rival(reader, kept))
    return readers


def with_weight_of_rival(reader: Reader, others: Sequence[Reader]) -> Reader:
    """A reader that the others outvote, but not for certain."""
    weight = round(
        tuned("contradictions.rival") * sum(map(attrgetter("weight"), others)), 4
    )
    return reader.model_copy(update={"weight": max(_LEAST_WEIGHT, weight)})


def _stated_by_others(
    general: Sequence[CandidateReader], readers: Sequence[Reader]
) -> Iterator[Reader]:
    """General readers of statements, of kins that the ensemble has not."""
    wanted = _STATING_KINS.difference(map(attrgetter("kin"), readers))
    for candidate in general:
        if candidate.reader.kin in wanted:
            yield candidate.reader


def _contradicts(reader: Reader, known: Sequence[KnownValue], spec: FieldSpec) -> bool:
    """True if a reader says something else than is known on some page."""
    for page in pages_with_value(known):
        value = read(reader, Scope(page.document), spec)
        if value is None:
            continue
        if not same(value, page.value, spec):
            return True
    return False
