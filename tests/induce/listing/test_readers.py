import pytest

from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram, Source
from crawloop_assets.crawler.read import read
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.judging import FoundReader
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.phantoms import PlacedRow
from crawloop_assets.induce.listing.readers import field_readers, shown_readers
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value
from tests.induce.listing.documents import RECORDS, SCHEMA, document, items, scope

NAME, FILED, URL = SCHEMA.fields


def readers(
    spec: FieldSpec, page: Document, *values: Value, others: int = 0
) -> list[FoundReader]:
    samples = [
        KnownCell(scope(page, "li", at), value) for at, value in enumerate(values)
    ]
    rest = [scope(page, "li", len(values) + at) for at in range(others)]
    return field_readers(spec, samples, rest)


def rows(*inside: str) -> Document:
    return document("".join(f"<li>{text}</li>" for text in inside))


def test_several_kinds_of_readers_back_each_other() -> None:
    page = document(items())
    found = readers(NAME, page, *(one["name"] for one in RECORDS[:3]), others=1)
    assert {one.right for one in found} == {1.0}
    kinds = [one.reader.kin for one in found]
    assert 2 <= len(found) <= 5
    assert max(kinds.count(kin) for kin in kinds) <= 2
    assert [one.score for one in found] == sorted(
        (one.score for one in found), reverse=True
    )


def test_values_that_the_page_partly_contradicts_keep_one_reader() -> None:
    page = rows(
        "<b class='name'>Ames</b>", "<b class='name'>Cole</b>", "<b class='name'>x</b>"
    )
    found = readers(NAME, page, "Ames", "Cole", "Elsewhere")
    assert len(found) == 1
    assert found[0].right == 2 / 3


def test_values_that_are_hardly_ever_there_have_no_reader() -> None:
    page = rows("<b>Ames</b>", "<b>y</b>", "<b>x</b>")
    assert readers(NAME, page, "Ames", "Cole", "Dunn") == []
    assert readers(NAME, page, "Kerr", "Cole", "Dunn") == []


def test_links_put_together_are_backed_but_words_added_are_not() -> None:
    page = rows(*(f"<b class='no'>{n}01</b>" for n in range(1, 4)))
    links = [f"https://m.example/audio/{n}01.mp3" for n in range(1, 4)]
    found = readers(URL, page, *links)
    assert len(found) > 1
    assert {one.reader.pipe[-1].op for one in found} == {Op.TEMPLATE}
    names = [f"State v. {n}01" for n in range(1, 4)]
    assert len(readers(NAME, page, *names)) == 1


def test_a_rival_of_the_best_reader_weighs_against_it() -> None:
    page = rows(
        "<p class='when'><b>5 May 2020 to 6 May 2020</b></p>",
        "<p class='when'><b>7 May 2020 to 8 May 2020</b></p>",
        "<p class='when'><b>1 May 2020, 2 May 2020 to 3 May 2020</b></p>",
    )
    found = readers(FILED, page, "2020-05-06", "2020-05-08", others=1)
    *others, against = [one.reader for one in found]
    assert 1 <= len(others) <= 4
    weights = [reader.weight for reader in others]
    bounds = 0.26 * sum(weights), max(weights), 0.51 * sum(weights)
    assert against.weight == round(sorted(bounds)[1], 4)
    assert against.pipe != others[0].pipe
    assert found[-1].rival is None


def test_a_rival_does_not_outvote_readers_of_the_text_it_cuts() -> None:
    number = FieldSpec(name="number")
    page = rows(
        *(f"<i>x</i><b class='no'>{n}</b>" for n in ("101", "102", "103, 104")),
        "<i>x</i><b class='no'>105, 106, 107</b>",
    )
    found = readers(number, page, "101", "102", "103, 104", others=1)
    field = FieldProgram(spec=number, readers=tuple(one.reader for one in found))
    value, vote = vote_on(field, scope(page, "li", 3))
    assert value == "105, 106, 107"
    assert vote.rivals == ("105, 106",)
    assert not vote.is_certain


def test_only_the_first_eight_samples_are_asked() -> None:
    page = rows(*(f"<b>Name{'abcdefghij'[n]}</b>" for n in range(10)))
    values = [f"Name{'abcdefgh'[n]}" for n in range(8)]
    found = readers(NAME, page, *values, "Elsewhere", "Nowhere")
    assert found[0].right == 1.0


def test_a_field_of_one_number_is_read() -> None:
    price = FieldSpec(name="price", kind=FieldKind.NUMBER)
    page = rows("<b>5 for €49.90</b>", "<b>3 for €19.50</b>")
    found = readers(price, page, "49.90", "19.50")
    assert found[0].right == 1.0
    assert found[0].reader.pipe[-1].op is Op.NUMBER


def test_no_number_is_counted_in_a_box_whose_part_is_the_number() -> None:
    seats = FieldSpec(name="places", kind=FieldKind.INTEGER)
    said = (5, 12, 7, 3, 9, 14, None, 8, 2, 6)
    page = rows(
        *(
            f"<div><b>{n}20 €</b><p class='seats'>{f'Left: {one}' if one else 'Sold out'}</p></div>"
            for n, one in enumerate(said, 1)
        )
    )
    found = readers(seats, page, "5", "12", "7", others=7)
    assert found and found[0].right == 1.0
    sold_out = scope(page, "li", said.index(None))
    assert {read(one.reader, sold_out, seats) for one in found} == {None}


def test_lists_are_not_put_together_from_parts() -> None:
    several = FieldSpec(name="judges", shape=Shape.LIST)
    page = rows("<b>Ames</b>", "<b>Cole</b>")
    assert readers(several, page, ["Judge Ames"], ["Judge Cole"]) == []


@pytest.mark.parametrize("between", ["", ", "])
def test_items_that_have_elements_of_their_own_are_not_cut_out_of_a_text(
    between: str,
) -> None:
    """No known item has two words, or the sign between them; others of the page may."""
    known = (["dwarf", "shade"], ["shade"], ["heirloom", "shade", "dwarf"])
    others = (["frost hardy", "dry, cool"], ["shade"], ["dwarf"])
    page = rows(
        *(
            f"<p>{between.join(f'<i>{one}</i>' for one in tags)}</p>"
            for tags in (*known, *others)
        )
    )
    tags = FieldSpec(name="tags", shape=Shape.LIST)
    found = readers(tags, page, *map(list, known), others=3)
    assert found
    for one in found:
        assert read(one.reader, scope(page, "li", 3), tags) == others[0]


def test_one_reader_of_added_words_is_no_ensemble() -> None:
    page = rows("<b class='who'>Ames</b>", "<b class='who'>Cole</b>")
    (found,) = readers(NAME, page, "Ames v. State", "Cole v. State")
    assert found.right == 1.0


def test_the_first_number_of_a_row_is_no_price_where_a_cell_has_it() -> None:
    price = FieldSpec(name="price", kind=FieldKind.NUMBER)
    page = rows(
        "<b>Sofa</b> <i>€49</i>", "<b>Bed</b> <i>€19</i>", "<b>2 in 1</b> <i>€9</i>"
    )
    found = readers(price, page, "49", "19", others=1)
    assert found
    assert "." not in {one.reader.at for one in found}
    whole = readers(price, rows("€49.90", "€19.50"), "49.90", "19.50")
    assert {one.reader.at for one in whole} == {"."}


def read_by(found: list[FoundReader], page: Document, at: int) -> Value | None:
    """What the ensemble gives in a row."""
    field = FieldProgram(spec=NAME, readers=tuple(one.reader for one in found))
    return vote_on(field, scope(page, "li", at))[0]


def test_a_part_is_cut_at_the_mark_that_all_rows_have() -> None:
    page = rows(
        "<p>Oak College - Elche</p>",
        "<p>Hill Clinic - Elche</p>",
        "<p>Ubeda - Las Palmas</p>",
        "<p>Sons &amp; Daughters of Ortega - A Coruña</p>",
    )
    makers = readers(NAME, page, "Oak College", "Hill Clinic", others=2)
    towns = readers(NAME, page, "Elche", "Elche", others=2)
    assert read_by(makers, page, 2) == "Ubeda", "not by the town that two rows share"
    assert read_by(makers, page, 3) == "Sons & Daughters of Ortega"
    assert read_by(towns, page, 2) == "Las Palmas", "not by counting words"
    assert read_by(towns, page, 3) == "A Coruña"


def test_words_are_counted_where_no_mark_stands_in_all_rows() -> None:
    page = rows(
        "<p>Room 3 Elche</p>",
        "<p>Room 4 Vigo</p>",
        "<p>Room 9 Bilbao</p>",
        "<p>Hall 2 Jaca</p>",
    )
    found = readers(NAME, page, "Elche", "Vigo", others=2)
    assert [read_by(found, page, at) for at in (2, 3)] == ["Bilbao", "Jaca"]


@pytest.mark.parametrize(
    "row", ["<p>Night shift · Remote: {}</p>", "<p>Night shift</p><i>{}</i>"]
)
def test_a_flag_is_read_from_its_word(row: str) -> None:
    spec = FieldSpec(name="fern", kind=FieldKind.BOOLEAN)
    page = rows(*(row.format(word) for word in ("no", "sí", "no", "no", "sí")))
    found = readers(spec, page, False, True, False, others=2)
    field = FieldProgram(spec=spec, readers=tuple(one.reader for one in found))
    read = [vote_on(field, scope(page, "li", at))[0] for at in range(5)]
    assert read == [False, True, False, False, True]


def test_a_flag_that_all_known_rows_share_is_not_learned() -> None:
    spec = FieldSpec(name="fern", kind=FieldKind.BOOLEAN)
    page = rows("<i>no</i>", "<i>no</i>", "<i>sí</i>")
    assert readers(spec, page, False, False, others=1) == []


def test_of_many_rows_both_kinds_of_a_flag_are_asked() -> None:
    spec = FieldSpec(name="fern", kind=FieldKind.BOOLEAN)
    words = ["no"] * 10 + ["sí"]
    page = rows(*(f"<b>no</b><i>{word}</i>" for word in words))
    found = readers(spec, page, *(word == "sí" for word in words))
    field = FieldProgram(spec=spec, readers=tuple(one.reader for one in found))
    assert vote_on(field, scope(page, "li", 10))[0] is True


def test_a_link_that_a_row_lacks_is_not_its_neighbour() -> None:
    agenda, minutes = (
        "<a class='a' href='/a{0}.pdf'>A</a>",
        "<a class='m' href='/m{0}.pdf'>M</a>",
    )
    page = rows(*((agenda + minutes).format(at) for at in range(3)), minutes.format(3))
    samples = [
        KnownCell(scope(page, "li", at), f"https://courts.example/a{at}.pdf")
        for at in range(3)
    ]
    lacking = scope(page, "li", 3)

    def reads(*known_to_lack: PlacedRow) -> list[Value]:
        found = field_readers(URL, samples, [], known_to_lack)
        assert found[0].right == 1.0
        return [read(one.reader, lacking, URL) for one in found]

    assert any(reads()), "without the row nothing tells"
    assert not any(reads(PlacedRow(lacking, {})))


def test_a_day_of_a_text_is_counted_so_that_none_is_read_where_it_is_missing() -> None:
    page = rows(
        "<p>5 May 2020 to 6 June 2020</p>",
        "<p>7 May 2020 to 8 June 2020</p>",
        "<p>9 May 2020</p>",
    )
    days = ("2020-06-06", "2020-06-08")
    samples = [KnownCell(scope(page, "li", at), day) for at, day in enumerate(days)]
    lacking = scope(page, "li", 2)
    found = field_readers(FILED, samples, [], [PlacedRow(lacking, {})])
    assert found and found[0].right == 1.0
    assert not any(read(one.reader, lacking, FILED) for one in found)


def test_the_words_of_a_choice_are_told_though_some_are_as_they_were() -> None:
    choices = ("open", "closed", "reserved")
    state = FieldSpec(name="state", kind=FieldKind.CHOICE, choices=choices)
    said = {"open": "FREE", "closed": "CLOSED", "reserved": "RESERVED"}
    known = ["open", "closed", "reserved", "closed", "reserved", "reserved"]
    page = rows(*(f"<b>{said[one]}</b>" for one in known))
    found = readers(state, page, *known)
    assert found[0].right == 1.0


def test_known_rows_behind_the_first_tell_which_cut_reads_most() -> None:
    """What stands behind a name in the first rows is missing in others."""
    words = ["Ash", "Elm", "Fir", "Oak", "Yew", "Box", "Bay", "Fig", "Ivy", "Gum"]
    names = [f"{word} office {at}" for word in words for at in ("east", "west")]
    towns = [f" / {word}ville" for word in words[:8]]
    inside = map(str.__add__, names, [*towns, *[""] * 12])
    page = rows(*(f"<p>{text}</p>" for text in inside))
    found = readers(NAME, page, *names)
    assert read(found[0].reader, scope(page, "li", 0), NAME) == names[0]
    assert read(found[0].reader, scope(page, "li", 19), NAME) == names[19]


def test_what_is_written_as_it_is_known_goes_before_other_letters() -> None:
    page = rows(
        *(f'<img src="/{one.lower()}.svg" alt="Class {one}">' for one in "ACBD")
    )
    found = readers(NAME, page, *"ACBD")
    assert [read(found[0].reader, scope(page, "li", at), NAME) for at in range(4)] == [
        *"ACBD"
    ]
    assert all(one.otherwise == 0.0 for one in found)


def test_of_two_links_to_one_address_the_one_that_is_written_as_known_is_read() -> None:
    link = FieldSpec(name="link", kind=FieldKind.URL)
    page = rows(
        *(
            f'<p><a href="/f/{at}">F{at}</a></p><a href="/f/{at}#jobs">{at} jobs</a>'
            for at in range(6)
        )
    )
    known = [f"https://court.example/f/{at}" for at in range(6)]
    found = readers(link, page, *known)
    said = [read(one.reader, scope(page, "li", 5), link) for one in found]
    assert said == [known[5]] * len(found) and found


def test_a_flag_that_a_row_says_by_an_icon_is_read() -> None:
    ships = FieldSpec(name="ships", kind=FieldKind.BOOLEAN)
    flags = [True, False, True, False, False, True, False, True, True, False]
    page = rows(*(f"<b>Chair</b>{'<i class=van></i>' * flag}" for flag in flags))
    all_rows = [scope(page, "li", at) for at in range(len(flags))]
    samples = [
        KnownCell(row, flag) for row, flag in zip(all_rows, flags[:4], strict=False)
    ]
    found = field_readers(ships, samples, all_rows[4:], beside=all_rows[4:])
    assert found
    assert [read(found[0].reader, row, ships) for row in all_rows] == flags


@pytest.mark.parametrize(("label", "is_read"), [("Oak v. Ash", False), ("Day", True)])
def test_the_words_of_one_row_are_no_label_of_its_next_text(
    label: str, is_read: bool
) -> None:
    names = [label, *("Elm v. Fir", "Yew v. Box", "Day")]
    page = rows(
        *(f"<b>{name}</b><i>3 May 203{at}</i>" for at, name in enumerate(names))
    )
    found = readers(FILED, page, "2030-05-03", others=3)
    assert Source.CSS in {one.reader.src for one in found}
    assert (Source.LABEL in {one.reader.src for one in found}) is is_read


def test_readers_of_what_people_see_leave_out_what_is_stated() -> None:
    price = FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True)
    row = "<meta itemprop='price' content='{0}'><i class='sum'>{0} EUR</i>"
    page = rows(*map(row.format, ("12.50", "7.20", "31.00")))
    cells = [
        KnownCell(scope(page, "li", at), value)
        for at, value in enumerate(("12.50", "7.20", "31.00"))
    ]
    assert "@content" in {one.reader.get for one in field_readers(price, cells, [])}
    found = shown_readers(price, cells)
    assert found and {one.reader.get for one in found} == {"text"}
    assert {read(one.reader, cells[1].scope, price) for one in found} == {"7.20"}
