"""Numbers in texts: looking only near digits finds what looking everywhere finds."""

from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crawloop_assets.values.numbers import (
    Number,
    before_many,
    is_falling_pair,
    numbers,
    numerals,
    parse_number,
    parse_whole_number,
    plain,
)

PARTS = st.lists(
    st.sampled_from(["1", "23", "456", "٣", ".", ",", " ", "-", "−", "$", "€", "EUR", "kr", "a", "x", "'"]),
    max_size=24,
)  # fmt: skip


@example(["-", "EUR", "-", "1"], 1)
@given(PARTS, st.integers(0, 40))
def test_a_number_is_found_however_much_prose_is_before_it(
    parts: list[str], words: int
) -> None:
    text = "".join(parts)
    prose = "plum " * words
    alone = [(one.value, one.start, one.end) for one in numbers(text)]
    behind = [
        (one.value, one.start - len(prose), one.end - len(prose))
        for one in numbers(prose + text)
    ]
    assert behind == alone


def test_a_currency_a_sign_and_a_point_may_stand_before_the_digits() -> None:
    assert [
        str(one.value)
        for one in numbers("It was - EUR .5, now it is 1 234,50 kr and - USD 7.")
    ] == [
        "-0.5",
        "1234.50",
        "-7",
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234.50", "1234.50"),
        ("1.234,50", "1234.50"),
        ("1 234,50", "1234.50"),
        ("1’234.50", "1234.50"),
        ("1,234,567", "1234567"),
        ("1.234.567", "1234567"),
        ("1.234", "1234"),
        ("1,234", "1234"),
        ("0.234", "0.234"),
        ("0,234", "0.234"),
        (".234", "0.234"),
        ("12.5", "12.5"),
        ("1234.567", "1234.567"),
        ("1½", "1.5"),
        ("¾ cup", "0.75"),
        ("CHF 5", "5"),
        ("€5", "5"),
        ("٣", "3"),
        ("−3", "-3"),
        ("-3", "-3"),
        ("+3", "3"),
        ("-5cm", "5"),
        ("₹1,25,000", "125000"),
        ("Rs. 12,34,567.50", "1234567.50"),
        ("٣٤٫٥٠", "34.50"),
        ("١٬٢٣٤٫٥٠ ر.س", "1234.50"),
        ("۱۲۳۴٫۵", "1234.5"),
        ("१,२५,०००", "125000"),
        ("１２．５０", "12.50"),
        ("－１，２３４", "-1234"),
        ("1\u202f234,50", "1234.50"),
        ("1'234.50", "1234.50"),
        ("1e5", "100000"),
        ("1.5E-3", "0.0015"),
        ("1e99", None),
        ("CHF-5.00", "-5.00"),
        ("ISO-9001", "9001"),
        ("- 5 €", "-5"),
        ("2 ⅜", "2.375"),
        ("1 1⁄2", "1.5"),
        ("1⁄0", "1"),
        ("12,-", "12"),
        ("1.2.3", None),
        ("1,234,56", None),
        ("1.234.5", None),
        ("12.03.2021", None),
        ("10,000,00", None),
        ("1,2,3", None),
        ("0,123,456", None),
        ("9" * 38, "9" * 38),
        ("9" * 39, None),
        ("none", None),
        ("", None),
        ("A4", None),
    ],
)
def test_a_number_is_read_as_people_write_it(text: str, value: str | None) -> None:
    expected = None if value is None else Decimal(value)
    assert parse_number(text) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12.8万円", 128_000),
        ("１２．８万円", 128_000),
        ("1億2,800万円", 128_000_000),
        ("1억 2,000만원", 120_000_000),
        ("3만 5,000원", 35_000),
        ("3万5千円", 35_000),
        ("2百万円", 2_000_000),
        ("3.2万公里", 32_000),
        ("조회 1.2만", 12_000),
        ("-3万円", -30_000),
        ("5千円", 5_000),
        ("3千代田", 3),  # a place
        ("2024万圣节", 2024),  # a feast
        ("3만 12개", 30_000),  # two things
        ("2万30000円", 20_000),  # no such numeral
    ],
)
def test_a_digit_for_many_is_one_of_the_number(text: str, value: int) -> None:
    assert parse_number(text) == value
    assert parse_whole_number(text) == value


def test_a_numeral_in_parts_is_one_and_stands_where_they_do() -> None:
    assert list(numbers("敷金 1億2,800万円、礼金 5万円")) == [
        Number(Decimal(128_000_000), 3, 11),
        Number(Decimal(50_000), 16, 18),
    ]
    assert parse_number("1.2.3億5万円") is None
    assert numerals("3億4.5.6万円") == [None], "read whole or not at all"
    assert parse_whole_number("3万～5万円") is None, "a range"


def test_what_stands_before_a_digit_for_many_is_told_with_it() -> None:
    assert list(before_many("1億2,800万円、28.5円")) == [("億", 1), ("万", 2800)]


@pytest.mark.parametrize(
    ("text", "falls"),
    [
        ("29 – 20", True),
        ("2-2", True),
        ("20 – 29", False),
        ("29 of 20", False),
        ("29", False),
    ],
)
def test_two_numbers_with_a_dash_are_no_range_where_the_second_is_no_larger(
    text: str, falls: bool
) -> None:
    assert is_falling_pair(text) is falls
    assert (parse_whole_number(text) is None) is (text == "20 – 29")


@pytest.mark.parametrize(
    "text",
    ["de 7 à 10 €", "de 7 € a 10 €", "7 do 10 zł", "3000 至 5000", "3,000～5,000円"],
)
def test_a_range_in_words_is_no_number(text: str) -> None:
    assert parse_whole_number(text) is None


def test_words_that_end_like_those_of_a_range_make_none() -> None:
    assert parse_whole_number("3 zona 5") == 3
    assert parse_whole_number("3 piano, 5 camere") == 3


def test_the_point_may_be_named() -> None:
    assert parse_number("1.234", decimal=".") == Decimal("1.234")
    assert parse_number("1.234", decimal=",") == 1234
    assert parse_number("1,5", decimal=".") is None, "it can only be the other style"
    assert parse_number("12.50", decimal=",") is None
    assert parse_number(",5", decimal=".") is None
    assert parse_number("1,234.5", decimal=".") == Decimal("1234.5")
    assert parse_number("1.234.567", decimal=".") is None


def test_a_text_that_contradicts_the_notation_is_not_read() -> None:
    assert parse_whole_number("1.234 kg", ".") == Decimal("1.234")
    assert parse_whole_number("1.234 kg", ",") == parse_whole_number("1.234 kg") == 1234
    assert parse_whole_number("12,50 €", ".") is None
    assert parse_whole_number("12.50 €", ",") is None
    assert parse_whole_number("1.299,00 €", ".") is None
    assert parse_whole_number("1.299,00 €", ",") == 1299


def test_what_a_machine_wrote_is_read_in_every_notation() -> None:
    for text in ("12.50", "-0.234", "1234.567", plain("4.333"), "1299"):
        assert parse_whole_number(text, ",") == Decimal(text)


@pytest.mark.parametrize(
    "text",
    ["10 - 20", "10–20", "$10 to $20", "10 bis 20 kg", "1½-2½ Tassen", "١٠–٢٠", "5%–10%", "-5 - 7", "5,00-", "1,2,3 or 4",
     "4:20 h", "16:9", "½:3"],
)  # fmt: skip
def test_a_text_of_two_numbers_is_not_one(text: str) -> None:
    assert parse_whole_number(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [("4.5 of 5", "4.5"), ("8/10", "8"), ("2021-03-04", "2021"), ("5-pack", "5"), ("20 - 10", "20"), ("12.50", "12.50")],
)  # fmt: skip
def test_the_first_number_of_a_text_is_what_it_is_about(text: str, value: str) -> None:
    assert parse_whole_number(text) == Decimal(value)


def test_what_cannot_be_read_keeps_its_place() -> None:
    assert numerals("10.2.2021, 5 views") == [None, 5]
    assert parse_number("1,2,3 then 5", 1) == 5
    assert [one.value for one in numbers("1,2,3 then 5")] == [5]


def test_numbers_are_counted_from_both_ends() -> None:
    values = [parse_number("1 of 2", index) for index in (-3, -2, -1, 0, 1, 2)]
    assert values == [None, 1, 2, 1, 2, None]


def test_positions_are_those_of_the_digits() -> None:
    assert list(numbers("from -5 to $1,000.")) == [
        Number(Decimal(-5), 6, 7),
        Number(Decimal(1000), 12, 17),
    ]


def test_what_a_machine_wrote_reads_back_as_itself() -> None:
    assert plain(" 4.333 ") == "4.3330"
    assert plain("-4.333") == "-4.3330"
    for text in ("4.33", "4.3333", "4,333", "a 4.333", "4.333.333"):
        assert plain(text) == text


@given(st.decimals(-10000, 10000, places=3))
def test_a_decimal_survives_plain(number: Decimal) -> None:
    assert parse_number(plain(f"{number:f}")) == number


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("£30,000 - £42,000", ("30000", "42000")),
        ("30 000 € - 42 000 €", ("30000", "42000")),
        ("12 % - 15 %", ("12", "15")),
        ("£9 p.a. - £12", ("9", "12")),
        ("52.1 -1.3", ("52.1", "-1.3")),
        ("no. 7 in size - 5", ("7", "-5")),
    ],
)
def test_a_dash_between_two_numbers_is_no_minus(text: str, ends: tuple[str, str]):
    assert tuple(str(one.value) for one in numbers(text)) == ends


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("販売価格1,200円", ["1200"]),
        ("縦160.9cm×横96.5cm", ["160.9", "96.5"]),
        ("約５席", ["5"]),
        ("2026年3月1日", ["2026", "3", "1"]),
        ("총24개", ["24"]),
        ("ราคา120บาท", ["120"]),
        ("東京-5円", ["5"]),  # a dash behind a word
        ("約¥160", ["160"]),
        ("A4 x12 ABCD12 Ö12 ж12", []),
    ],
)
def test_a_digit_behind_a_letter_begins_a_number_where_no_spaces_part_words(
    text: str, found: list[str]
) -> None:
    assert [str(value) for value in numerals(text)] == found
