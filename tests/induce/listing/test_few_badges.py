import pytest

from crawloop_assets.crawler.program import Reader
from crawloop_assets.crawler.read import read
from crawloop_assets.induce.listing.few_badges import few_badges
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.readers import field_readers
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.listing.documents import document, scope

SIGNED = FieldSpec(name="signed", kind=FieldKind.BOOLEAN, required=True)
FLAGS = (False, True, False, True, True, False, True, False)


def rows(known: int) -> tuple[list[Reader], list[object]]:
    """The readers from so many known rows of which one has the class of an advertisement, and
    what the first of them says of all."""
    made = "".join(
        f"<li class='row{' lit' * (at in (1, 6))}'><b>Lot {at}</b>{'<i>Signed</i>' * flag}</li>"
        for at, flag in enumerate(FLAGS)
    )
    page = document(f"<ul>{made}</ul>")
    scopes = [scope(page, "li", at) for at in range(len(FLAGS))]
    samples = [KnownCell(scopes[at], FLAGS[at]) for at in range(known)]
    found = [one.reader for one in field_readers(SIGNED, samples, scopes[known:])]
    return found, [read(found[0], one, SIGNED) for one in scopes]


@pytest.mark.parametrize("known", [1, 2, 3])
def test_a_badge_in_the_own_name_goes_before_what_parts_few_rows(known: int) -> None:
    found, said = rows(known)
    assert said == list(FLAGS)
    assert [one.at for one in found] == ["."]


def test_a_badge_in_the_one_place_there_is_may_be_one_of_several_rows() -> None:
    made = "".join(f"<li><b>Lot</b>{'<i>Signed</i>' * flag}</li>" for flag in FLAGS)
    page = document(f"<ul>{made}</ul>")
    box, rest = scope(page, "ul"), [scope(page, "li", at) for at in (0, 2, 3, 4, 5)]
    assert few_badges(SIGNED, [KnownCell(box, True)], []) == []
    assert few_badges(SIGNED, [KnownCell(scope(page, "li", 1), True)], rest)


def test_a_text_of_the_one_row_that_is_so_tells_it_unless_another_field_says_it() -> (
    None
):
    words = ("", "haggle", "", "", "haggle", "haggle", "")
    made = "".join(f"<li><b>Asti</b><i>{one}</i></li>" for one in words)
    page = document(f"<ul>{made}</ul>")
    scopes = [scope(page, "li", at) for at in range(len(words))]
    spec = FieldSpec(name="negotiable", kind=FieldKind.BOOLEAN, required=True)
    known = [KnownCell(one, at == 1) for at, one in enumerate(scopes[:3])]
    (found,) = few_badges(spec, known, scopes[3:])
    said = [read(found.reader, one, spec) for one in scopes]
    assert said == [bool(one) for one in words]
    beside = [cell._replace(beside=(["Haggle"],)) for cell in known]
    assert few_badges(spec, beside, scopes[3:]) == []
