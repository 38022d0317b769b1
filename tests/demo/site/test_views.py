"""How text, money and links are written."""

from dataclasses import replace
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.demo.site.goods import CATEGORIES, PREORDER, Item
from crawloop_assets.demo.site.views import (
    ApiView,
    CategoryView,
    availability_label,
    departments,
    e,
    english,
    faq,
    german,
    vocabulary,
)


def test_money_is_written_in_two_styles() -> None:
    assert english(Decimal("1299")) == "1,299.00"
    assert german(Decimal("1299")) == "1.299,00"


@given(st.decimals(0, 10_000_000, places=2))
def test_both_styles_say_the_same_amount(amount: Decimal) -> None:
    assert Decimal(english(amount).replace(",", "")) == amount
    assert Decimal(german(amount).replace(".", "").replace(",", ".")) == amount


def test_text_is_escaped() -> None:
    assert e('<a b="c">&') == "&lt;a b=&quot;c&quot;&gt;&amp;"


def test_availability_for_people_and_for_machines(item: Item) -> None:
    sold_out = replace(item, availability="out of stock")
    assert (availability_label(sold_out), vocabulary(sold_out)) == (
        "Out of stock",
        "OutOfStock",
    )
    assert vocabulary(replace(item, availability="in stock")) == "InStock"
    assert vocabulary(replace(item, availability=PREORDER)) == "PreOrder"


def test_the_first_page_of_a_category_has_no_number(
    category_view: CategoryView,
) -> None:
    assert category_view.link(1) == "/category/audio"
    assert category_view.link(2) == "/category/audio?page=2"


def test_the_last_page_of_the_api_has_no_next(api_view: ApiView) -> None:
    assert api_view.next == "/api/products?page=2"
    assert replace(api_view, page=2).next is None


def test_questions_get_their_amounts() -> None:
    money = {"fee": "4.95", "free": "75", "repair": "29", "gift": "50"}
    answers = dict(faq(money))
    assert "costs 4.95, and nothing from 75" in answers["Delivery"]
    assert not any("{" in answer for answer in answers.values())


def test_the_menu_has_every_category() -> None:
    assert [name for _, name, _ in departments()] == [one.name for one in CATEGORIES]
    assert departments()[0][0] == "/category/audio"
