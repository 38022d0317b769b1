"""The number of a thing in the address of its own page, where nothing on it says another
one."""

from collections.abc import Sequence
from itertools import chain

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import tokens

_ID = ("id",)
_KINDS = (FieldKind.TEXT, FieldKind.INTEGER)
_NUMBER = r"[/=_-](\d{5,20})(?:\.\w{1,5}|/|)$"
"""A number of some digits at the end of an address: fewer are of pages and years."""
_STATED = (('link[rel="canonical"]', "@href"), ('meta[property="og:url"]', "@content"))
"""Where pages say their own address."""


def address_candidates(
    spec: FieldSpec, documents: Sequence[Document]
) -> list[CandidateReader]:
    """Readers of the number in a page's own address, for a field that somebody calls an
    id ("product id"), where all pages bear it out; none for others."""
    if not _is_id(spec):
        return []
    prior, found = tuned("page_address.trust"), []
    for at, get in _STATED:
        pipe = (Step(op=Op.REGEX, args=(_NUMBER,)),)
        reader = Reader(src=Source.CSS, at=at, get=get, pipe=pipe, kin=Kin.META)
        if all(_is_borne_out(reader, spec, document) for document in documents):
            found.append(CandidateReader(reader, prior, 1.0))
    return found


def _is_borne_out(reader: Reader, spec: FieldSpec, document: Document) -> bool:
    """Whether a page also has the number as a word of its text or as an attribute: that
    of an address alone may be a category's or an article's."""
    number = str(read(reader, Scope(document), spec) or "")
    attributes = (element.attrib.values() for element in document.elements)
    words = map(tokens, document.columns.texts)
    said = chain(chain.from_iterable(attributes), chain.from_iterable(words))
    return bool(number) and number in said


def _is_id(spec: FieldSpec) -> bool:
    """True for one text or whole number with a name that ends in "id"."""
    is_one = spec.shape is Shape.ONE and spec.kind in _KINDS
    names = map(tokens, (spec.name, *spec.aliases))
    return is_one and any(name[-1:] == _ID for name in names)
