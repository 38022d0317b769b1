"""The number of a thing in the address of its own page, where nothing on it says another
one."""

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import tokens

_ID = ("id",)
_NUMBER = r"[/=_-](\d{5,20})(?:\.\w{1,5}|/|)$"
"""A number of some digits at the end of an address: fewer are of pages and years."""
_STATED = (('link[rel="canonical"]', "@href"), ('meta[property="og:url"]', "@content"))
"""Where pages say their own address."""


def address_candidates(spec: FieldSpec) -> list[CandidateReader]:
    """Readers of the number in a page's own address, for a field that somebody calls an
    id ("product id"); none for others."""
    if not _is_id(spec):
        return []
    prior, found = tuned("page_address.trust"), []
    for at, get in _STATED:
        pipe = (Step(op=Op.REGEX, args=(_NUMBER,)),)
        reader = Reader(src=Source.CSS, at=at, get=get, pipe=pipe, kin=Kin.META)
        found.append(CandidateReader(reader, prior, 1.0))
    return found


def _is_id(spec: FieldSpec) -> bool:
    """True for one text or whole number with a name that ends in "id"."""
    if spec.shape is not Shape.ONE:
        return False
    if spec.kind not in (FieldKind.TEXT, FieldKind.INTEGER):
        return False
    return any(tokens(name)[-1:] == _ID for name in (spec.name, *spec.aliases))
