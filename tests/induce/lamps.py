"""A listing of lamps, and programs that read it by what a test chooses."""

from collections.abc import Sequence

from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
    Reader,
    Source,
)
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.value import Value
from tests.induce.pages import page

LAMPS = RecordSchema(
    name="Lamp",
    fields=tuple(FieldSpec(name=name) for name in ("name", "maker", "made", "code")),
)
ROWS: list[dict[str, Value]] = [
    {
        "name": f"Lamp number {at}",
        "maker": f"Maker {at % 3}",
        "made": f"Made in {1990 + at}",
        "code": f"LX{at * 37}",
    }
    for at in range(12)
]
BY_COUNT = {
    name: (f":nth-child({at})", f"span:nth-of-type({at})")
    for at, name in enumerate(ROWS[0], 1)
}
SHELL = " ".join(f"shell-{name}" for name in "abcdefghij")


def listing(inner: str = "span") -> Page:
    """Rows of four cells each."""
    rows = "".join(
        "<div class='row'>"
        + "".join(f"<{inner} class='c-{key}'>{row[key]}</{inner}>" for key in row)
        + "</div>"
        for row in ROWS
    )
    return page(
        0,
        f"<html><body><div id='menu'>Lamps</div><div class='{SHELL}'>{rows}</div></body></html>",
    )


def css(*ats: str) -> tuple[Reader, ...]:
    return tuple(Reader(src=Source.CSS, at=at) for at in ats)


def rows_read_by(boundary: str, ats: dict[str, Sequence[str]]) -> Program:
    fields = tuple(
        FieldProgram(spec=spec, readers=css(*ats[spec.name])) for spec in LAMPS.fields
    )
    return Program(
        kind=FamilyKind.LISTING,
        record=Boundary(mode=BoundaryMode.NODES, at=boundary),
        fields=fields,
    )
