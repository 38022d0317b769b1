import keyword

import pytest

from crawloop_assets.scout.naming import (
    aliases_of,
    class_name,
    key_name,
    name_of,
    plain_name,
    safe_name,
    tag_name,
)
from crawloop_assets.scout.sheet import Origin, SheetPlace


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Preis (inkl. MwSt.)", "preis_inkl_mw_st"),
        ("datePublished", "date_published"),
        ("Prénom", "prenom"),
        ("123 steps", ""),
        ("цена", ""),
        ('x"; DROP TABLE', "x_drop_table"),
    ],
)
def test_a_text_becomes_a_name_or_nothing(text: str, name: str) -> None:
    assert plain_name(text) == name


def test_a_key_that_means_nothing_is_named_with_the_one_around_it() -> None:
    assert key_name(["author", "name"]) == "author_name"
    assert key_name(["offers", "price"]) == "price"
    assert key_name(["name"]) == "name"
    assert key_name([]) == ""


def test_of_class_names_the_word_that_means_a_field_counts() -> None:
    assert class_name("col-md-6 price_color") == "price"
    assert class_name("wrapper x1f3 venue") == "venue"
    assert class_name("row grid mt-3") == ""
    assert (tag_name("h3"), tag_name("div")) == ("title", "")


@pytest.mark.parametrize(
    "wanted", ["class", "match", "json", "model_fields", "str", "copy", ""]
)
def test_no_name_is_a_trap_in_a_model(wanted: str) -> None:
    name = safe_name(wanted, set())
    assert name.isidentifier()
    assert not keyword.iskeyword(name) and not keyword.issoftkeyword(name)
    assert name != wanted
    assert safe_name(wanted, {name}) == f"{name}_2"


def test_what_labels_say_beside_the_name_is_an_alias() -> None:
    label = SheetPlace(("Article number:",), Origin.LABELLED, ())
    markup = SheetPlace(("nr",), Origin.MARKED, ())
    assert aliases_of([label, markup], "sku") == ("Article number",)
    assert aliases_of([label], "article_number") == ()
    assert name_of(SheetPlace(("", "Ω", "price"), Origin.MARKED, ())) == "price"
