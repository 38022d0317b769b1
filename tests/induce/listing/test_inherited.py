from crawloop_assets.crawler.program import Kin, Source
from crawloop_assets.crawler.read import read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.inherited import inherited_readers
from crawloop_assets.induce.listing.judging import FoundReader
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.phantoms import PlacedRow
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.listing.documents import document, scope

FILED = FieldSpec(name="filed", kind=FieldKind.DATE, required=True)
GROUPS = (
    "<div><h3 class='day'>Opinions of May 5, 2020</h3><ul><li>Ames</li><li>Cole</li></ul>"
    "<h3 class='day'>Opinions of May 6, 2020</h3><ul><li>Dunn</li><li>Ellis</li></ul></div>"
)
DAYS = ("2020-05-05", "2020-05-05", "2020-05-06")


def readers(page: Document, *values: str) -> list[FoundReader]:
    samples = [
        KnownCell(scope(page, "li", at), value) for at, value in enumerate(values)
    ]
    return inherited_readers(FILED, page, samples, [scope(page, "li", 3)])


def test_the_header_above_a_record_is_read() -> None:
    page = document(GROUPS)
    found = readers(page, *DAYS)
    assert [(one.reader.src, one.reader.at) for one in found] == [
        (Source.INHERIT, "h3.day"),
        (Source.INHERIT, "h3"),
    ]
    assert found[0].right == 1.0
    assert read(found[1].reader, scope(page, "li", 3), FILED) == "2020-05-06"
    assert found[1].reader.kin is Kin.TAG


def test_an_element_around_the_header_s_text_is_trusted_less() -> None:
    page = document(
        GROUPS.replace("Opinions of May", "<b>Opinions</b> of <i>May").replace(
            "2020<", "2020</i><"
        )
    )
    priors = {one.reader.at: one.prior for one in readers(page, *DAYS)}
    assert priors == {"h3.day": 0.6, "i": 0.4}


def test_what_is_below_or_around_the_record_is_no_header() -> None:
    below = document("<ul><li>Ames</li></ul><h3>May 5, 2020</h3>")
    assert (
        inherited_readers(FILED, below, [KnownCell(scope(below, "li"), DAYS[0])], [])
        == []
    )
    around = document("<div title='x'>May 5, 2020 <ul><li>Ames</li></ul></div>")
    assert (
        inherited_readers(FILED, around, [KnownCell(scope(around, "li"), DAYS[0])], [])
        == []
    )


def test_the_value_of_the_record_before_is_no_header() -> None:
    page = document(
        "<ul><li>May 5, 2020</li><li>May 5, 2020</li><li>May 5, 2020</li><li>x</li></ul>"
    )
    assert readers(page, "2020-05-05", "2020-05-05", "2020-05-05") == []


def test_long_texts_are_no_headers() -> None:
    page = document(f"<p>May 5, 2020 {'word ' * 60}</p><ul><li>Ames</li></ul>")
    assert (
        inherited_readers(FILED, page, [KnownCell(scope(page, "li"), DAYS[0])], [])
        == []
    )


def test_headers_that_are_mostly_wrong_are_not_used() -> None:
    page = document(GROUPS)
    assert readers(page, DAYS[0], "2020-05-09", "2020-05-08") == []


LASTS = FieldSpec(name="length_min", kind=FieldKind.INTEGER)
FILMS = "<div>{}</div>".format(
    "".join(
        f"<div class='film'><p class='meta'>By {by} · {said}</p><ul><li>9:15</li><li>11:40</li></ul></div>"
        for by, said in (("Ada", "1h45"), ("Bo", "2h05"), ("Cy", "1h30"))
    )
)


def test_a_measure_in_a_header_is_read_in_the_unit_that_is_known() -> None:
    page = document(FILMS)
    samples = [
        KnownCell(scope(page, "li", at), value)
        for at, value in enumerate((105, 105, 125))
    ]
    found = inherited_readers(LASTS, page, samples, [scope(page, "li", 5)])
    assert found[0].right == 1.0
    assert read(found[0].reader, scope(page, "li", 5), LASTS) == 90


def test_what_a_heading_may_lack_is_read_in_that_of_the_own_group() -> None:
    rated = "<section><div><h3>{}</h3><em>{}</em></div><ul><li>9:15</li><li>11:40</li></ul></section>"
    bare = rated.replace("<em>{}</em>", "")
    page = document(rated.format("A", "4.5") + rated.format("B", "3.8") + bare)
    rating = FieldSpec(name="rating", kind=FieldKind.NUMBER)
    samples = [
        KnownCell(scope(page, "li", at), value)
        for at, value in enumerate(("4.5", "4.5", "3.8"))
    ]
    (found, *_) = inherited_readers(rating, page, samples, [])
    assert found.reader.src is Source.GROUP
    assert read(found.reader, scope(page, "li", 3), rating) == "3.8"
    assert read(found.reader, scope(page, "li", 4), rating) is None


AGES = "<div>{}</div>".format(
    "".join(
        f"<div class='film'><p class='meta'><span class='time'>{time}</span> | <span class='age'>{age}</span></p>"
        "<ul><li>9:15</li><li>11:40</li></ul></div>"
        for time, age in (
            ("1 h 46 min", "all"),
            ("57 min", "from 7"),
            ("2 h 9 min", "from 12"),
            ("1 h 30 min", "all"),
        )
    )
)


def test_how_long_it_takes_is_found_in_a_header_by_what_that_says() -> None:
    page = document(AGES)
    lasts = FieldSpec(name="lasts", kind=FieldKind.MINUTES, required=True)
    samples = [
        KnownCell(scope(page, "li", at), value) for at, value in ((0, 106), (4, 129))
    ]
    (found, *_) = inherited_readers(lasts, page, samples, [scope(page, "li", 6)])
    assert read(found.reader, scope(page, "li", 2), lasts) == 57
    assert read(found.reader, scope(page, "li", 7), lasts) == 90


def test_what_a_known_record_lacks_is_not_read_from_its_header() -> None:
    page = document(AGES)
    age = FieldSpec(name="age", kind=FieldKind.INTEGER)
    samples = [
        KnownCell(scope(page, "li", at), value) for at, value in ((2, 7), (4, 12))
    ]
    lacking = [PlacedRow(scope(page, "li"), {"lasts": 106})]
    found = inherited_readers(age, page, samples, [scope(page, "li", 6)], lacking)
    assert {read(one.reader, scope(page, "li", 6), age) for one in found} == {None}
    assert read(found[0].reader, scope(page, "li", 5), age) == 12
