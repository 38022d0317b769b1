"""One field on small pages, and what speaks for it there."""

from collections.abc import Sequence

from crawloop_assets.crawler.program import FieldProgram, Kin, Reader, Source
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.named import PageNames
from crawloop_assets.induce.detail.structured import main_roots
from crawloop_assets.induce.detail.trials import Tried
from crawloop_assets.induce.healing.witness import Witnesses
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.value import Value
from tests.induce.pages import page


def document(body: str, at: int = 0) -> Document:
    return Document(page(at, f"<!DOCTYPE html><html><body>{body}</body></html>"))


def css(*places: str, kin: Kin = Kin.CLASS, weight: float = 1.0) -> tuple[Reader, ...]:
    """One reader per css selector."""
    return tuple(Reader(src=Source.CSS, at=at, kin=kin, weight=weight) for at in places)


def json_reader(at: str) -> Reader:
    return Reader(src=Source.JSON, at=at, get="value", kin=Kin.JSONLD)


def field(spec: FieldSpec, *readers: Reader) -> FieldProgram:
    return FieldProgram(spec=spec, readers=readers)


def witnesses(
    spec: FieldSpec,
    readers: Sequence[Reader],
    bodies: Sequence[str],
    values: Sequence[Value | None] = (),
    siblings: Sequence[Reader] = (),
) -> Witnesses:
    """A field of these old readers on changed pages, with its last known values."""
    documents = [document(body, at) for at, body in enumerate(bodies)]
    schema = RecordSchema(name="Product", fields=(spec,))
    main = main_roots(documents, schema)
    names = tuple(PageNames(Index(each, "Product", main)) for each in documents)
    known = tuple(values) or (None,) * len(bodies)
    candidates = tuple(CandidateReader(reader, 0.9, 1.0) for reader in siblings)
    return Witnesses(spec, field(spec, *readers), names, known, main, candidates)


def tried(reader: Reader, *, named: float = 0.0, prior: float = 0.1) -> Tried:
    """A candidate that was right on one page."""
    return Tried(CandidateReader(reader, prior, named), right=1, wrong=0, silent=0)
