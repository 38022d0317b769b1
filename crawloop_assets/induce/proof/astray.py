"""A field that reads something else on all pages: another field's value, or another count."""

from collections.abc import Sequence

from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.moved_on import is_elsewhere
from crawloop_assets.induce.proof.twins import KnownAndRead, twin_of
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.value import Value


def why_astray(
    spec: FieldSpec,
    program: Program,
    records: Sequence[KnownAndRead],
    known: Sequence[tuple[Document, Value]],
    now: Sequence[Value | None],
) -> str:
    """Why all that is read of a field is something else, "" if it is not. `known` are its
    known values with their pages, `now` what is read for each."""
    twin = twin_of(spec.name, program, records)
    is_page = program.kind is FamilyKind.DETAIL
    said = {
        f"it is read where `{twin}` stands": twin,
        "each page says a number near the known one, and another is read": is_page
        and is_elsewhere(spec, known, now),
    }
    return next(filter(said.get, said), "")
