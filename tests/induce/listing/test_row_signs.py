"""Values that rows say by a sign."""

from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.row_signs import signed_readers
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.listing.documents import document, scope

SHIPS = FieldSpec(name="ships", kind=FieldKind.BOOLEAN)
FLAGS = [True, False, True, False, False, True, False, True]
PAGE = document(
    "".join(
        f"<li><b>Chair {at}</b>{'<i class=van></i>' * flag}</li>"
        for at, flag in enumerate(FLAGS)
    )
)
ROWS: list[Scope] = [scope(PAGE, "li", at) for at in range(len(FLAGS))]


def test_a_sign_of_known_rows_is_read_in_all() -> None:
    cells = [KnownCell(row, flag) for row, flag in zip(ROWS[:3], FLAGS, strict=False)]
    (found,) = signed_readers(SHIPS, cells, ROWS[3:])
    assert (found.right, found.wrong) == (1.0, 0.0)
    assert [read(found.reader, row, SHIPS) for row in ROWS] == FLAGS


def test_without_known_rows_there_is_none() -> None:
    assert list(signed_readers(SHIPS, [], ROWS)) == []
