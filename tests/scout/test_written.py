import ast
from typing import Any

import yaml

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.schema import FieldSpec, RecordSchema, schema_of
from crawloop_assets.scout.proposal import Proposal, ProposedField
from crawloop_assets.scout.survey import proposal_for
from crawloop_assets.scout.written import FamilyFiles, base_name
from tests.scout.pages_of import site_page
from tests.scout.sites import shop

EVIL = 'x"] = 1\nimport os\n\\N{BEL}"""\x1b[31m\u202e'


def files(proposal: Proposal, url: str = "http://s.test/") -> FamilyFiles:
    examples = tuple((url, one.records) for one in proposal.examples)
    return FamilyFiles("shop/item", url, proposal, {"seeds": [url]}, examples)


def model_in(text: str) -> Any:
    """The model that a file declares."""
    names: dict[str, Any] = {"__name__": "proposed"}
    exec(compile(text, "proposed.py", "exec"), names)
    return names["ShopItem"]


def test_the_model_in_the_file_is_the_proposed_schema() -> None:
    pages = shop()
    lamps = [site_page(pages, f"/lamps/{number}.html") for number in (0, 5, 9)]
    proposal = proposal_for(lamps, FamilyKind.DETAIL)
    assert proposal is not None
    made = files(proposal)
    expected: RecordSchema = proposal.schema_named(made.model)
    assert schema_of(model_in(made.schema_text())) == expected
    family = yaml.safe_load(made.family_text())
    assert family["schema"] == "schemas.shop_item:ShopItem"
    assert family["examples"][0]["record"]["sku"] == "LA-1000"
    assert (made.schema_path, made.family_path) == (
        "schemas/shop_item.py",
        "families/shop_item.yaml",
    )


def test_nothing_that_a_page_says_becomes_code_or_yaml() -> None:
    spec = FieldSpec(name="title", aliases=(EVIL,), required=True)
    proposal = Proposal(
        kind=FamilyKind.DETAIL,
        fields=(ProposedField(spec=spec, sources=("markup",)),),
        examples=(Example(page=0, records=({"title": f"- a: *b\n{EVIL}"},)),),
        key=("url",),
    )
    made = files(proposal, f"http://s.test/{EVIL}")
    tree = ast.parse(made.schema_text())
    imported = [
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    ]
    assert "os" not in imported
    assert model_in(made.schema_text()).model_fields.keys() == {"title"}
    family = yaml.safe_load(made.family_text())
    assert set(family) == {"family", "schema", "key", "kind", "discover", "examples"}
    assert family["examples"][0]["record"]["title"].startswith("- a: *b")
    assert "\x1b" not in made.schema_text() + made.family_text()


def test_families_are_called_after_their_host() -> None:
    assert base_name("www.books.toscrape.com") == "books_toscrape"
    assert base_name("127.0.0.1") == "site"
    assert base_name("localhost") == "localhost"
