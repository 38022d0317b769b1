import pytest

from crawloop_assets.eval.gold import gold_record, page_url, stands_in_page, to_learn
from crawloop_assets.eval.schemas import Article, Meeting, Opinion, Product, Recipe
from crawloop_assets.schema import schema_of

BASE = "https://site.example/a/b"


@pytest.mark.parametrize(
    ("model", "raw", "field", "value"),
    [
        (Recipe, {"yields": "4 servings"}, "yields", "4"),
        (Recipe, {"yields": "0.75 cups"}, "yields", "0.75"),
        (Recipe, {"total_time": 30.5}, "total_time", 31),
        (Recipe, {"total_time": "30"}, "total_time", 30),
        (Recipe, {"category": "Drinks, Dessert"}, "category", ["Drinks", "Dessert"]),
        (Recipe, {"image": "/img/1.jpg"}, "image", "https://site.example/img/1.jpg"),
        (
            Article,
            {"date_published": "2024-01-07 23:20:00-05:00"},
            "date_published",
            "2024-01-07",
        ),
        (Meeting, {"start": "2018-11-27T09:30:00"}, "start", "2018-11-27T09:30:00"),
        (Product, {"price": "1,899.00"}, "price", "1899.00"),
    ],
)
def test_conventions_become_typed_values(
    model: type, raw: dict[str, object], field: str, value: object
) -> None:
    assert to_learn(gold_record(raw, schema_of(model), BASE))[field] == value


def test_a_list_for_a_single_value_means_any_of_them() -> None:
    gold = gold_record({"sku": ["A-1", "B-2"]}, schema_of(Product), BASE)
    assert gold["sku"] == ("A-1", "B-2")


def test_nothing_is_not_gold() -> None:
    assert (
        gold_record(
            {"title": "", "ingredients": [], "yields": "some"}, schema_of(Recipe), BASE
        )
        == {}
    )


def test_links_of_pages_saved_as_files_resolve_like_gold() -> None:
    raw = {"name": "A v. B", "url": "tests/examples/opinions/2014/13.pdf"}
    base = page_url("https://court/abc", (raw,))
    gold = gold_record(raw, schema_of(Opinion), base)
    assert base.startswith("https://court/tests/examples/opinions/united_states/")
    assert gold["url"] == ("https://court/tests/examples/opinions/2014/13.pdf",)


def test_placeholder_hosts_give_way_to_the_host_and_folder_of_the_links() -> None:
    raw = {"name": "A v. B", "url": "https://www.court.example/opinions/13.pdf"}
    assert (
        page_url("https://court/abc", (raw,))
        == "https://www.court.example/opinions/abc"
    )
    assert page_url("https://real.example/abc", (raw,)) == "https://real.example/abc"


def test_only_whole_values_count_as_standing_in_the_page() -> None:
    assert stands_in_page("title", {"title": 1.0})
    assert not stands_in_page("title", {"title": 0.95})
    assert not stands_in_page("title", {"title": None})
    assert not stands_in_page("title", {})
    assert stands_in_page("lines", {"text_lines": 0.99})


def test_what_a_page_states_in_other_words_is_right_as_well() -> None:
    raw = {"brand": "Canon", "sku": "A-1"}
    others = {"brand": ["Canon, Inc", "CANON"], "mpn": ["B-2"]}
    gold = gold_record(raw, schema_of(Product), BASE, others)
    assert gold == {"brand": ("Canon", "Canon, Inc", "CANON"), "sku": ("A-1",)}
