"""What a version does otherwise, in words."""

from crawloop_assets.crawler.program import Boundary, BoundaryMode
from crawloop_assets.report.programs import program_changes
from tests.crawler.test_interpreter import css, detail, field

OLD = detail(
    field("name", css("h1")),
    field("price", css(".price"), css("i")),
    field("sku", css("u")),
)


def test_readers_that_came_went_and_stayed_are_named() -> None:
    new = detail(
        field("name", css("h1", weight=3)),
        field("price", css(".cost"), css("i")),
        field("brand", css("b")),
    )
    assert list(program_changes(OLD, new)) == [
        "price: 1 reader(s) new, 1 gone, 1 stay.",
        "    + css .cost -> text",
        "    - css .price -> text",
        "brand is new, with 1 reader(s).",
        "sku is read no longer.",
        "Read as before: name.",
    ]


def test_another_boundary_and_a_first_version_are_said() -> None:
    listing = OLD.model_copy(
        update={"record": Boundary(mode=BoundaryMode.NODES, at="li")}
    )
    assert (
        next(program_changes(OLD, listing))
        == "Records are nodes li; they were the page itself."
    )
    (said,) = program_changes(None, OLD)
    assert said == "It is the first version; it reads name, price, sku."
