import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.induce.proof.scores import (
    FieldScore,
    PreviewRow,
    ScoreSheet,
    UnreadExample,
    WhyUnread,
    kin_names,
    score_sheet_markdown,
)


def reader(kin: Kin) -> Reader:
    return Reader(src=Source.CSS, at="p", kin=kin)


def test_the_evidence_for_a_field_is_found_by_its_name() -> None:
    title = FieldScore(field="title", right=2)
    sheet = ScoreSheet(fields=(FieldScore(field="price"), title))
    assert sheet.field("title") is title
    assert sheet.field("brand") is None


def test_what_stands_against_a_program_is_said_by_field() -> None:
    fields = (
        FieldScore(field="price", required=True, reason="gone"),
        FieldScore(field="brand", reason="nothing reads it"),
        FieldScore(field="title", right=2, readers=1),
        FieldScore(field="maker", healed=True, reason="kept: still right"),
    )
    sheet = ScoreSheet(fields=fields)
    assert sheet.against == {"price": "gone", "brand": "nothing reads it"}
    url = "http://shop.test/1"
    unread = tuple(
        UnreadExample(
            field=name, url=url, expected=said, why=WhyUnread.NOT_ON_PAGE, write="it"
        )
        for name, said in (("stock", "1"), ("stock", "2"))
    )
    of_examples = sheet.model_copy(update={"unread": unread}).against
    assert of_examples == {"price": "gone", "stock": unread[0].in_words}


def test_kins_are_named_once_in_the_order_of_the_readers() -> None:
    readers = [reader(Kin.TAG), reader(Kin.CLASS), reader(Kin.TAG)]
    assert kin_names(readers) == (Kin.TAG.value, Kin.CLASS.value)
    assert kin_names([]) == ()


def test_a_sheet_as_markdown() -> None:
    title = FieldScore(
        field="title",
        required=True,
        readers=2,
        kins=("class", "tag"),
        right=3,
        wrong=1,
        silent=2,
        agreement=0.987,
        held_out=0.5,
        robust=1.0,
        reason="a|b\nc",
    )
    sheet = ScoreSheet(
        fields=(title, FieldScore(field="brand")),
        pages=3,
        records=4,
        oracle="examples",
        passed=True,
        probation=True,
        reason="2 of 2 fields",
    )
    assert score_sheet_markdown(sheet).split("\n") == [
        "**passed, on probation** - 2 of 2 fields",
        "",
        "3 page(s), 4 known record(s), oracle: examples",
        "",
        "| field | readers | right | wrong | silent | agreement | held out | robust | why |",
        "|---|---|---|---|---|---|---|---|---|",
        r"| **title** | 2 (class, tag) | 3 | 1 | 2 | 0.99 | 0.50 | 1.00 | a\|b c |",
        "| brand | 0 | 0 | 0 | 0 | 0.00 | - | - | none of its known values stands on the pages, no reader was found |",
    ]


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9), st.integers(0, 5))
def test_no_field_is_without_a_reason(
    right: int, wrong: int, silent: int, readers: int
) -> None:
    score = FieldScore(
        field="price", right=right, wrong=wrong, silent=silent, readers=readers
    )
    assert score.reason
    assert ("otherwise than known" in score.reason) == (wrong > 0)
    assert ("not at all" in score.reason) == (silent > 0)
    assert ("no reader was found" in score.reason) == (readers == 0)
    assert score.is_proved == (right > 0 and not wrong + silent)
    stored = FieldScore.model_validate(score.model_dump(mode="json"))
    assert stored == score, "what is stored says the same"


@pytest.mark.parametrize(
    ("counts", "is_missed"),
    [
        ({"silent": 3}, True),
        ({"silent": 3, "right": 2}, True),
        ({"silent": 3, "right": 3}, False),
        ({"silent": 3, "wrong": 4}, False),
        ({"silent": 3, "gone": True}, False),
        ({"silent": 3, "required": True, "readers": 1}, False),
        ({"silent": 3, "required": True}, True),
        ({"changed": 3}, True),
        ({"changed": 3, "agreement": 0.8, "found": 3}, False),
        # So weak a vote gives no value.
        ({"changed": 3, "agreement": 0.003}, True),
        ({"changed": 3, "gone": True}, False),
        ({"right": 8, "changed": 1, "worded": 1}, True),
        ({"right": 8, "changed": 1, "worded": 1, "gone": True}, False),
        ({}, False),
    ],
)
def test_a_field_is_missed_where_most_known_values_stand_unread(
    counts: dict[str, int], is_missed: bool
) -> None:
    score = FieldScore(field="stock", **counts)  # type: ignore[arg-type]
    assert score.missed is is_missed
    assert ScoreSheet(fields=(score,)).missed == ({"stock"} if is_missed else set())


def test_what_stands_in_other_words_is_not_read_either() -> None:
    assert FieldScore(field="left", silent=2, worded=3).unread == 5


def test_a_sheet_takes_one_more_reason() -> None:
    sheet = ScoreSheet(reason="proved")
    assert sheet.because("").because("and more").reason == "proved; and more"
    assert ScoreSheet().because("only this").reason == "only this"


def test_an_empty_sheet_says_that_it_has_no_reason_and_no_oracle() -> None:
    first, _, third, *_ = score_sheet_markdown(ScoreSheet()).split("\n")
    assert first == "**not passed** - nothing was tried"
    assert third == "0 page(s), 0 known record(s), oracle: none"


def test_few_rows_and_fields_without_a_name_are_for_a_person() -> None:
    assert not ScoreSheet().is_doubted
    assert ScoreSheet(few_rows=True).is_doubted
    assert ScoreSheet(unnamed=("price",)).is_doubted


def test_a_url_that_fills_itself_is_shown_as_that_of_the_page() -> None:
    page, link = "http://shop.test/1", "http://shop.test/p/7"
    fields = (FieldScore(field="url"), FieldScore(field="title"))

    def shown(*cells: dict[str, str]) -> list[str]:
        rows = tuple(PreviewRow(url=page, cells=one) for one in cells)
        said = score_sheet_markdown(ScoreSheet(fields=fields, preview=rows))
        return said.splitlines()[-len(cells) :]

    assert shown({"title": "Pan"}) == [f"| {page} | Pan | {page} |"]
    read = {"title": "Pan", "url": link}
    assert shown(read, {"title": "Pot"}) == [
        f"| {link} | Pan | {page} |",
        f"| - | Pot | {page} |",
    ], "a row without the link that others have has none"
