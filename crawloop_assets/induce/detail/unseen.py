"""Readers for fields that no known page shows, by the names that pages give such
fields."""

from collections.abc import Iterable, Iterator

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.css_names import is_plain
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape

_SIGN: Pipe = (Step(op=Op.REGEX, args=("[$€£¥₹₽₩₺₪฿₫₴]",)),)
"""The sign of a currency in a price."""


def unseen_candidates(spec: FieldSpec) -> list[CandidateReader]:
    """Readers of numbers in what bears the field's name, or that of its first property,
    in a class or as microdata; for a currency, of the sign beside a price.

    Other fields have none: any text is a text.
    """
    if spec.shape is not Shape.ONE:
        return []
    if spec.kind is FieldKind.NUMBER:
        return list(_bearing({spec.name: None, **dict.fromkeys(_property_of(spec))}))
    if spec.kind is FieldKind.TEXT and "currency" in words_of(spec).own:
        return list(_bearing(["price"], _SIGN))
    return []


def _property_of(spec: FieldSpec) -> Iterator[str]:
    """The last key of the first property that the vocabulary has for a field."""
    for path in words_of(spec).vocabulary[:1]:
        yield path.rpartition(".")[2]


def _bearing(names: Iterable[str], pipe: Pipe = ()) -> Iterator[CandidateReader]:
    """Readers of the elements that bear one of the names."""
    for name in filter(is_plain, names):
        for kin, css in (
            (Kin.MICRO, f'[itemprop="{name}"]'),
            (Kin.CLASS, f'[class*="{name}"]'),
        ):
            reader = Reader(src=Source.CSS, at=css, pipe=pipe, kin=kin)
            yield CandidateReader(reader, tuned("unseen.trust"), 1.0)
