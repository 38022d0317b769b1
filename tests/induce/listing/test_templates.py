from crawloop_assets.crawler.read import read
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.judging import FoundReader
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.templates import templated_readers
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.listing.documents import document, scope

NAME = FieldSpec(name="name")
URL = FieldSpec(name="url", kind=FieldKind.URL)


def rows(*inside: str) -> Document:
    return document("".join(f"<li>{text}</li>" for text in inside))


def found(spec: FieldSpec, page: Document, *values: str) -> list[FoundReader]:
    samples = [
        KnownCell(scope(page, "li", at), value) for at, value in enumerate(values)
    ]
    return list(templated_readers(spec, samples, []))


def test_a_link_is_made_of_a_number_the_record_shows() -> None:
    page = rows("<b>101</b>", "<b>205</b>", "<b>317</b>")
    made = found(
        URL, page, "https://m.example/audio/101.mp3", "https://m.example/audio/205.mp3"
    )
    assert made
    assert {one.right for one in made} == {1.0}
    third = scope(page, "li", 2)
    assert read(made[0].reader, third, URL) == "https://m.example/audio/317.mp3"
    assert made[0].reader.pipe[-1].args == ("https://m.example/audio/{}.mp3",)


def test_relative_links_are_cut_before_they_are_completed() -> None:
    page = rows("<a data-x='../doc/a1x'>x</a>", "<a data-x='../doc/b2y'>y</a>")
    made = found(
        URL, page, "https://m.example/doc/a1x.pdf", "https://m.example/doc/b2y.pdf"
    )
    assert max(one.right for one in made) == 1.0


def test_words_that_all_values_share_are_added() -> None:
    page = rows("<b>Ames</b>", "<b>Cole</b>")
    made = found(NAME, page, "Ames v. State", "Cole v. State")
    assert {one.right for one in made} == {1.0}
    assert made[0].reader.pipe[-1].op is Op.TEMPLATE
    assert made[0].reader.pipe[-1].args == ("{} v. State",)
    assert made[0].prior < 0.5


def test_numbers_alike_so_far_are_not_taken_for_words() -> None:
    page = rows("<b>No. 20 17</b>", "<b>No. 20 18</b>")
    made = found(NAME, page, "Nr. 20 17", "Nr. 20 18")
    assert all(one.reader.pipe[-1].args == ("Nr. {}",) for one in made)


def test_no_digits_are_added_to_what_a_page_shows() -> None:
    """The minutes and seconds of known times were added to the hours of all."""
    page = rows("<b>from 09</b>", "<b>from 10</b>")
    assert found(NAME, page, "09:00:00", "10:00:00") == []
    assert found(NAME, page, "09 h of 24", "10 h of 24"), "behind a word"


def test_values_that_share_no_words_or_do_not_differ_have_no_template() -> None:
    page = rows("<b>Ames</b>", "<b>Cole</b>")
    assert found(NAME, page, "Ames", "Cole") == []
    assert found(NAME, page, "Ames v. State", "Ames v. State") == []
    assert found(NAME, page, "(Ames)", "(Cole)") == []
    assert found(NAME, page, "Ames v. State") == []
    assert found(NAME, page, "v. State", "Ames v. State") == []
