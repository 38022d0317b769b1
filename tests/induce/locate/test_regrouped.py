import pytest

from crawloop_assets.crawler.transforms import apply
from crawloop_assets.induce.locate.regrouped import regrouped


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("913 363 158", "913363158"),
        ("Phone: 913-363-158 (office)", "913363158"),
        ("(0913) 36-31 58", "0913363158"),
        ("25-04117", "25/04117"),
        ("978 3 16 148410 0", "978-3-16-148410-0"),
        ("Docket ab.12.9907", "AB-12-9907"),
        ("14h15", "14:15"),
        ("9 h 00", "9:00"),
    ],
)
def test_a_code_in_other_groups_is_read_as_it_is_known(text: str, known: str) -> None:
    (steps,) = regrouped(text, known)

    assert [read.casefold() for read in apply(steps, [text])] == [known.casefold()]


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("14h15", "14:16"),
        ("114h15", "14:15"),
        ("14h150", "14:15"),
        ("14h15", "1415"),  # no time is known
        ("12 34 5", "12345"),  # so few stand together by chance
        ("913 363 1589", "913363158"),
        ("5 913 363 158", "913363158"),  # a digit before it is this page's own
        ("ab cd ef gh", "abcdefgh"),
        ("Room ab-cd 9efg", "abcd9efg"),  # no digits are apart
        ("91/33-63.1 58", "913363158"),
        ("913 363 158", "913-363/158"),
        ("1 " * 41, "1" * 41),
    ],
)
def test_what_is_no_code_in_other_groups_is_left(text: str, known: str) -> None:
    assert list(regrouped(text, known)) == []


def test_groups_on_one_page_and_none_on_another_are_one_code() -> None:
    (steps,) = regrouped("913 363 158", "913363158")

    assert apply(steps, ["914001122"]) == ["914001122"]
