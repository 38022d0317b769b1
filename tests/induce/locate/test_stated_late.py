"""What is stated of a number may be yesterday's where people see another one."""

import pytest

from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.stated_late import is_late, is_unseen
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.document.build import document

VIEWS = FieldSpec(name="views", kind=FieldKind.INTEGER, volatile=True)
STATED = '<meta itemprop="views" content="4120"><p>Views: <b>{}</b></p>'


def test_a_number_that_only_machines_see_is_late_where_one_near_it_is_read() -> None:
    index = Index(document(STATED.format(4127)))
    assert is_unseen(index, 4120, VIEWS) and not is_unseen(index, 4127, VIEWS)
    assert is_late(VIEWS, index, 4120, 4127)
    assert not is_late(VIEWS, index, 4120, 8000)
    assert not is_late(VIEWS, index, 4120, None)


def test_a_number_that_people_see_as_well_is_not_late() -> None:
    index = Index(document(f"{STATED.format(4127)}<i>4120</i>"))
    assert not is_late(VIEWS, index, 4120, 4127)


@pytest.mark.parametrize("kind", [FieldKind.INTEGER, FieldKind.TEXT])
def test_what_does_not_move_is_never_late(kind: FieldKind) -> None:
    steady = FieldSpec(name="views", kind=kind, volatile=kind is FieldKind.TEXT)
    index = Index(document(STATED.format(4127)))
    assert not is_late(steady, index, "4120", "4127")
