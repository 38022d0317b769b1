"""`crawloop schema`, `family new` and `family rename`."""

import json
from decimal import Decimal

import pytest
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.errors import ConfigError
from crawloop_assets.project import Project
from crawloop_assets.store import FoundUrl, Store
from crawloop_assets.store.published import published_rows
from tests.cli.conftest import PRODUCT, Say
from tests.models import Item
from tests.store.conftest import commit, family, served


def test_the_schemas_are_written_into_the_project(project: Project, say: Say) -> None:
    said = say("schema")
    file = project.root / "editor" / "family.json"
    assert str(file) in said.replace("\n", "")
    assert json.loads(file.read_text())["title"] == "Family"
    assert str(file) not in say("schema"), "there is nothing left to do"


def test_one_of_them_is_printed_as_it_is(say: Say) -> None:
    assert json.loads(say("schema", "domains"))["title"] == "Domains"
    assert "status" in json.loads(say("schema", "answers"))["properties"]
    with pytest.raises(ConfigError, match=r"did you mean 'family'"):
        say("schema", "famly")


def test_a_new_family_is_one_command_and_a_file_that_is_right(
    project: Project, say: Say
) -> None:
    said = say(
        *("family", "new", "books/book", "--schema", "schemas.product:Product"),
        *("--seed", "https://books.test/", "--include", "^/book/"),
    )
    file = project.families / "books_book.yaml"
    text = file.read_text()
    assert text.startswith("# yaml-language-server: $schema=../editor/family.json\n")
    assert "#     record: {" in text and "title: …" in text
    assert "not allowed yet, see domains.yaml: https://books.test/" in said
    made = project.family("books/book")
    assert made.discover.seeds == ("https://books.test/",)
    assert made.discover.include == ("^/book/",)
    with pytest.raises(ConfigError, match="declared already"):
        say("family", "new", "books/book", "--schema", "schemas.product:Product")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (("a b", "--schema", "schemas.product:Product"), "is no name"),
        (("a", "--schema", "schemas.product:Produkt"), "no class 'Produkt'"),
        (("a", "--schema", "schemas.product:Product", "--kind", "detial"), "'detail'"),
    ],
)
def test_nothing_is_written_that_is_wrong(
    project: Project, say: Say, wrong: tuple[str, ...], says: str
) -> None:
    before = sorted(project.families.iterdir())
    with pytest.raises(ConfigError, match=says):
        say("family", "new", *wrong)
    assert sorted(project.families.iterdir()) == before


NEW = "library/product"


@pytest.fixture
def crawled_once(project: Project) -> Store:
    """A row and a url of the product family, with its two versions."""
    store = Store(project.var, project.published)
    of = family(PRODUCT)
    store.add_urls(of, [FoundUrl("https://shop.test/a")])
    item = Item(title="Lamp", price=Decimal(1))
    store.commit_batch(commit("r1", [served("https://shop.test/a", item)], of))
    return store


def test_a_renamed_family_keeps_rows_history_and_versions(
    crawled_once: Store, project: Project, say: Say
) -> None:
    file = project.families / "shop_product.yaml"
    text = file.read_text()
    say("family", "rename", PRODUCT, NEW, "--yes", "--who", "ada", "--why", "merged")
    assert file.read_text() == text.replace(f"family: {PRODUCT}", f"family: {NEW}")
    for table in ("item", "item_history"):
        rows = published_rows(project.published, table)
        assert rows and {row["_family"] for row in rows} == {NEW}
    store = crawled_once
    assert [one.version for one in store.crawlers(NEW)] == [1, 2]
    assert store.crawlers(PRODUCT) == [] and store.batches(NEW)
    assert "by ada" in say("audit", NEW)
    assert PRODUCT not in say("family", "list")


def test_a_rename_that_was_cut_short_goes_on(
    crawled_once: Store, project: Project, say: Say
) -> None:
    crawled_once.families.rename(PRODUCT, NEW, "ada")
    say("family", "rename", PRODUCT, NEW, "--yes")
    assert project.family(NEW).family == NEW
    with pytest.raises(ConfigError, match=f"no family '{PRODUCT}'"):
        say("family", "rename", PRODUCT, "library/other", "--yes")


def test_a_name_that_is_taken_is_refused_and_nothing_changed(
    project: Project, say: Say
) -> None:
    with pytest.raises(ConfigError, match="declared already"):
        say("family", "rename", PRODUCT, PRODUCT, "--yes")
    with pytest.raises(ConfigError, match="is no name"):
        say("family", "rename", PRODUCT, "Shop", "--yes")
    asked = CliRunner().invoke(app, ["family", "rename", PRODUCT, NEW], input="n\n")
    assert asked.exit_code == 1 and PRODUCT in say("family", "list")
