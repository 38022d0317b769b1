"""Laws that the rows of the vocabulary keep."""

from crawloop_assets.induce.words.vocabulary import (
    COMMA_SEPARATED,
    CONCEPTS,
    JOINED,
    PROPERTIES,
    SIDE_TYPES,
    STEPS,
    SUMS,
)


def test_a_row_has_names_properties_meta_tags_and_words_apart() -> None:
    price = next(row for row in CONCEPTS if "price" in row.names)
    assert price.properties[0] == "offers.price"
    assert price.meta == ("product:price:amount", "og:price:amount")
    assert {"price", "preis"} <= set(price.words)


def test_no_name_means_two_things_and_no_column_repeats_itself() -> None:
    names = [name for row in CONCEPTS for name in row.names]
    assert len(names) == len(set(names))
    for row in CONCEPTS:
        assert row.names
        for column in row:
            assert len(column) == len(set(column))
            assert not any(" " in entry for entry in column)


def test_special_properties_are_known_ones() -> None:
    first_keys = {path.split(".")[0] for path in PROPERTIES}
    assert COMMA_SEPARATED.issubset(first_keys)
    assert "recipeInstructions" in STEPS & first_keys
    for whole, parts in SUMS.items():
        assert {whole, *parts} <= first_keys
    assert JOINED <= COMMA_SEPARATED
    assert "WebSite" in SIDE_TYPES and "Product" not in SIDE_TYPES
