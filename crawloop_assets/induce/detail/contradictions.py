"""Statements of a page that contradict each other, where nobody has said which of them
is meant."""

import re
from collections.abc import Sequence

from crawloop_assets.crawler.program import FieldProgram, Kin, Reader
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.ensemble import MOST_READERS, KnownValue
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_RIVAL = 0.35
_UNDISPUTED = 0.8


def contested(
    field: FieldProgram, general: Sequence[CandidateReader], known: Sequence[KnownValue]
) -> FieldProgram:
    """The field as it is read where no example says what is meant, with a vote for the
    statement that differs.

    Where a page names two pictures, or states a currency by code and shows it by sign,
    either may be meant as well: there an optional field is left empty. Other fields are
    read and uncertain.
    """
    spec = field.spec
    readers = with_rival(field.readers, general, known, spec)
    held = not spec.required and spec.shape is Shape.ONE
    if held and spec.kind is FieldKind.URL and readers != field.readers:
        return field.model_copy(update={"readers": readers, "min_agree": _UNDISPUTED})
    if (
        held
        and "currency" in words_of(spec).own
        and any(map(_shows_another_sign, known))
    ):
        return field.model_copy(update={"readers": ()})
    return field.model_copy(update={"readers": readers})


_SHOWN = r"(?:\b[A-Z]{1,2})?[$€£¥₹₽₩₺₪฿₫₴]|\b(?:zł|Kč|lei|kr)\b"
_PRICE = re.compile(rf"({_SHOWN})\s?\d|\d\s?({_SHOWN})", re.IGNORECASE)


def _shows_another_sign(each: KnownValue) -> bool:
    shown = _sign(each.document)
    return each.value is not None and shown is not None and shown != each.value


def _sign(document: Document) -> Value | None:
    """The first currency sign beside a number in a page's text."""
    found = (_PRICE.search(piece.text) for piece in document.pieces if piece.owner >= 0)
    return next((match[1] or match[2] for match in found if match), None)


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
    if (
        not readers or "og:title" in words_of(spec).meta
    ):  # titles in meta tags carry the site's name
        return readers
    kins = {reader.kin for reader in readers}
    for candidate in general:
        if candidate.reader.kin in kins or candidate.reader.kin not in (
            Kin.JSONLD,
            Kin.MICRO,
            Kin.META,
        ):
            continue
        for each in known:
            value = (
                read(candidate.reader, Scope(each.document), spec)
                if each.value is not None
                else None
            )
            if value is not None and not same(value, each.value, spec):
                kept = readers[: MOST_READERS - 1]
                weight = round(_RIVAL * sum(reader.weight for reader in kept), 4)
                return (
                    *kept,
                    candidate.reader.model_copy(update={"weight": max(0.01, weight)}),
                )
    return readers
