"""A field that the program does not have is made of what is known of it, and not by its name alone."""

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.induce.healing.heal import heal_program
from crawloop_assets.schema import FieldSpec
from tests.induce.healing.test_heal import program
from tests.induce.pages import PRODUCTS, SCHEMA, page


def test_what_is_known_of_a_new_field_is_read_though_another_one_says_the_same() -> (
    None
):
    """A name alone would not do: who sells may be nobody but the maker."""
    seller = FieldSpec(name="seller")
    schema = SCHEMA.model_copy(update={"fields": (*SCHEMA.fields, seller)})
    pages = [
        page(
            at,
            f"<h3 class='n'>{product['title']}</h3><p>Brand: <b class='b'>{product['brand']}</b></p>"
            f"<p>Seller: <b class='s'>{product['brand']}</b></p><p>Price: <b class='p'>{product['price']}</b></p>",
        )
        for at, product in enumerate(PRODUCTS[:3])
    ]
    for is_known in (True, False):
        known = []
        for at, product in enumerate(PRODUCTS[:3]):
            more = {"seller": product["brand"]} if is_known else {}
            known.append(Example(page=at, records=({**product, **more},)))
        healed = heal_program(schema, program(), pages, known).program
        assert healed is not None
        assert (healed.field("seller") is not None) is is_known
