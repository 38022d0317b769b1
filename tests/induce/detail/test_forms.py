import pytest

from crawloop_assets.induce.detail.forms import texts_of_form
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldSpec
from tests.induce.detail.documents import document


def formed(body: str, name: str) -> list[str]:
    page = document(body)
    return texts_of_form(
        page, range(len(page.elements)), words_of(FieldSpec(name=name))
    )


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("(555) 201-4400", "(555) 201-4400"),
        ("Phone: 555 201 4400", "555 201 4400"),
        ("+495552014400", "+495552014400"),
        ("978-0307269997123456", None),  # too many digits
        ("2010-11-23", None),  # a day
        ("5552014400", None),  # a number of something
        ("Fax: 555 201 4400", None),
        ("call 555 201 4400 today", None),
    ],
)
def test_a_telephone_number_is_told_by_its_form(text: str, number: str | None) -> None:
    wanted = [] if number is None else [number]
    assert formed(f"<p>Some text<br>{text}</p>", "telephone") == wanted


def test_other_sites_are_told_by_their_addresses() -> None:
    body = "<p>www.oak.example</p><b>www.oak.example</b><i>https://elm.example/</i>"
    assert formed(body, "website") == ["www.oak.example", "https://elm.example/"]
    assert formed("<p>www.acme.example</p><p>oak.example</p>", "website") == []


def test_other_fields_have_no_such_form() -> None:
    assert formed("<p>(555) 201-4400</p><p>www.oak.example</p>", "name") == []
