"""Of readers that give what was said, those of one place."""

import pytest

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.pointed_places import (
    POINT_AT_ONE,
    chosen_readers,
    reader_at,
)
from crawloop_assets.induce.detail.trials import Tried
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec


@pytest.mark.parametrize(
    ("at", "source", "place"),
    [
        ("$.data.price", Source.JSON, "body.data.price"),
        ("ld:Product.price", Source.JSON, "ld:Product.price"),
        ("//p[2]", Source.XPATH, "//p[2]"),
        ("p.q2", Source.CSS, "p.q2"),
    ],
)
def test_a_place_is_written_as_people_write_it(
    at: str, source: Source, place: str
) -> None:
    reader = reader_at(at)
    assert (reader.src, reader.at) == (source, place)


def test_what_is_no_place_is_refused() -> None:
    with pytest.raises(ValueError, match="nth-child"):
        reader_at("p:nth-child(")


def test_readers_that_differ_elsewhere_are_chosen_by_who_points_at_one() -> None:
    pages = [
        Page(url="http://shop.test/1", body=f"<b>A</b><i>A</i><u>{one}</u>".encode())
        for one in "AB"
    ]
    scopes, maker = list(map(Scope, map(Document, pages))), FieldSpec(name="maker")
    tried = [
        Tried(CandidateReader(reader_at(at), 0.5, 0.0), 1, 0, 0)
        for at in ("b", "i", "u")
    ]
    chosen, reason = chosen_readers(maker, tried[:2], scopes)
    assert [one.candidate.reader.at for one in chosen] == ["b", "i"] and not reason
    chosen, reason = chosen_readers(maker, tried, scopes)
    assert not chosen and f"2 places, {POINT_AT_ONE}" in reason
    chosen, reason = chosen_readers(maker, tried, scopes, "u")
    assert [one.candidate.reader.at for one in chosen] == ["u"] and not reason


@pytest.mark.parametrize(("name", "is_called"), [("maker", True), ("other", False)])
def test_a_position_is_no_rival_of_what_is_called_as_the_field(
    name: str, is_called: bool
) -> None:
    """The second page has one meta more before it."""
    meta = f'<meta itemprop="{name}" content="A">'
    pages = [
        Page(url="http://shop.test/1", body=f"<p>{more}{meta}</p>".encode())
        for more in ("", '<meta itemprop="size" content="B">')
    ]
    scopes, maker = list(map(Scope, map(Document, pages))), FieldSpec(name="maker")
    places = ((f'[itemprop="{name}"]', Kin.MICRO), ("meta:nth-of-type(1)", Kin.PATH))
    tried = [
        Tried(
            CandidateReader(
                Reader(src=Source.CSS, at=at, get="@content", kin=kin), 0.5, 0.0
            ),
            1,
            0,
            0,
        )
        for at, kin in places
    ]
    chosen, reason = chosen_readers(maker, tried, scopes)
    assert bool(chosen) is is_called and (POINT_AT_ONE in reason) is not is_called
    assert {one.candidate.reader.kin for one in chosen} <= {Kin.MICRO}
