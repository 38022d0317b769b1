from crawloop_assets.scout.lookup import found_at, readers_for
from tests.scout.pages_of import site_page
from tests.scout.sites import shop

PAGE = site_page(shop(), "/lamps/3.html")


def test_the_readers_of_a_value_are_found() -> None:
    lines = readers_for(PAGE, "The Dune lamp").lines
    assert any("h1" in line for line in lines)
    assert any("ld:Product.name" in line for line in lines)
    assert readers_for(PAGE, "nothing like it").problem


def test_selectors_of_every_kind_are_tried() -> None:
    assert found_at(PAGE, "h1", "").lines == ("The Dune lamp",)
    assert found_at(PAGE, "//h1", "").lines == ("The Dune lamp",)
    assert found_at(PAGE, "ld:Product.sku", "").lines == ("LA-1021",)
    assert found_at(PAGE, "nav a", "@href").lines[0] == "/"
    assert found_at(PAGE, "h9", "").problem == "nothing is there"
    assert found_at(PAGE, "h1[", "").problem
    assert found_at(PAGE, "h1", "nonsense").problem
