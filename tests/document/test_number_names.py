"""What the number in an element is called."""

import pytest

from crawloop_assets.document.number_names import words_of_number
from tests.document.build import document


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("<p><i class='price-old'>9 €</i> <b>7 €</b></p>", {"price", "old"}),
        ("<p><del><i>9 €</i></del> <b>7 €</b></p>", {"struck"}),
        ("<p>Statt <i>9 €</i> <b>7 €</b></p>", {"statt"}),
        ("<dl><dt>Precio anterior</dt><dd><i>9</i></dd></dl>", {"precio", "anterior"}),
        ("<p data-kind='list-price'><i>was 9</i></p>", {"list", "price", "was"}),
        ("<p class='old-price'><i>9 €</i> <b>7 €</b></p>", set()),
        ("<p>Old Mill <i>9 €</i></p>", set()),
    ],
)
def test_what_is_around_a_number_alone_names_it(body: str, words: set[str]) -> None:
    page = document(f"<main><p>8</p>{body}</main>")
    assert words_of_number(page, page.by_tag["i"][0]) == words


def test_a_header_names_the_column() -> None:
    page = document(
        "<table><tr><th>Was</th><th>Now</th></tr><tr><td><i>9</i></td><td><b>7</b></td></tr></table>"
    )
    assert words_of_number(page, page.by_tag["i"][0]) == {"was"}
    assert words_of_number(page, page.by_tag["b"][0]) == {"now"}
