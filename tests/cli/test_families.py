"""`crawloop family`, `rollback` and `audit`."""

from decimal import Decimal

import pytest
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.errors import ConfigError
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.project import Project
from crawloop_assets.store import FoundUrl, NewCrawler, Store
from crawloop_assets.store.published import published_rows
from tests.cli.conftest import PRODUCT, Say
from tests.models import Item
from tests.store.conftest import commit, family, served


def test_family_list_names_the_active_version(project: Project, say: Say) -> None:
    (line,) = [line for line in say("family", "list").splitlines() if PRODUCT in line]
    assert "schemas.product:Product" in line
    assert "v2" in line


def test_family_show_lists_every_version(project: Project, say: Say) -> None:
    said = say("family", "show", PRODUCT)
    assert "retired" in next(line for line in said.splitlines() if "v1 " in line)
    assert "active" in next(line for line in said.splitlines() if "v2 " in line)
    assert "healed after v1" in said


def test_family_show_shows_what_a_version_proved(project: Project, say: Say) -> None:
    price = FieldScore(
        field="price",
        required=True,
        readers=2,
        right=7,
        robust=0.625,
        reason="survives 5 of 8 times",
    )
    sheet = ScoreSheet(
        fields=(price,),
        pages=8,
        passed=True,
        probation=True,
        reason="proved on 8 page(s)",
    )
    proved = NewCrawler(
        family=PRODUCT,
        body="{}",
        reason="healed",
        score_sheet=sheet.model_dump(mode="json"),
    )
    Store(project.var, project.published).add_crawler(proved)
    said = say("family", "show", PRODUCT, "3")
    assert "v3: candidate, healed" in said
    assert "passed, on probation" in said
    header = next(line for line in said.splitlines() if "robust" in line).split()
    row = next(line for line in said.splitlines() if "price" in line).split()
    assert row[: header.index("right") + 1] == ["price", "2", "7"]
    assert "0.62 " in said and "survives 5 of 8 times" in said
    with pytest.raises(ConfigError, match="v1 was never proved"):
        say("family", "show", PRODUCT, "1")
    with pytest.raises(ConfigError, match="no such version"):
        say("family", "show", PRODUCT, "9")


def test_rollback_makes_the_version_before_active_and_is_audited(
    project: Project, say: Say
) -> None:
    assert "v1 is active" in say("rollback", PRODUCT, "--who", "ada")
    active = Store(project.var, project.published).active(PRODUCT)
    assert active is not None and active.version == 1
    assert "by ada" in say("audit", PRODUCT)
    assert "v2 is active" in say("rollback", PRODUCT, "2")


LAMP = "shop/lamp"


@pytest.fixture
def forgotten(project: Project) -> Store:
    """The store knows a family that no file declares."""
    store = Store(project.var, project.published)
    of = family(LAMP)
    store.add_urls(of, [FoundUrl("https://shop.test/a")])
    item = Item(title="Lamp", price=Decimal(1))
    store.commit_batch(commit("r1", [served("https://shop.test/a", item)], of))
    store.publish()
    return store


def test_a_family_without_a_file_is_listed_until_it_is_removed(
    project: Project, forgotten: Store, say: Say
) -> None:
    said = say("family", "list")
    assert f"{LAMP} has no family file any more; 1 rows, 1 urls" in said
    assert "1 rows left the tables" in say(
        "family", "remove", LAMP, "--yes", "--who", "ada", "--why", "sold"
    )
    assert published_rows(project.published, "item") == []
    assert len(published_rows(project.published, "item_history")) == 2
    assert LAMP not in say("family", "list")
    said = say("audit", LAMP)
    assert "family_removed" in said and "sold, by ada" in said
    with pytest.raises(ConfigError, match="nothing is left of a family 'shop/lamp'"):
        say("family", "remove", LAMP, "--yes")


def test_a_family_is_removed_only_after_a_yes(
    project: Project, forgotten: Store
) -> None:
    asked = CliRunner().invoke(app, ["family", "remove", LAMP], input="n\n")
    assert asked.exit_code == 1 and "Remove it now?" in asked.output
    assert len(published_rows(project.published, "item")) == 1
    CliRunner().invoke(app, ["family", "remove", LAMP], input="y\n")
    assert published_rows(project.published, "item") == []


def test_a_family_with_a_file_is_not_removed(project: Project, say: Say) -> None:
    with pytest.raises(ConfigError, match="has a file"):
        say("family", "remove", PRODUCT, "--yes")


def test_a_broken_file_is_not_a_deleted_family(
    project: Project, forgotten: Store, say: Say
) -> None:
    file = project.families / "shop_lamp.yaml"
    file.write_text("family: shop/lamp\nschema: [", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"shop_lamp\.yaml"):
        say("family", "remove", LAMP, "--yes")
    listed = say("family", "list")
    assert "shop/lamp does not run" in listed and "no family file" not in listed
    assert len(published_rows(project.published, "item")) == 1


def test_an_unknown_family_is_named_with_the_known_ones(
    project: Project, say: Say
) -> None:
    with pytest.raises(ConfigError, match=r"no family 'shop/nothing'.*shop/product"):
        say("family", "show", "shop/nothing")


def test_a_broken_file_is_named_and_harms_no_other_family(
    project: Project, say: Say
) -> None:
    assert "1 family is right, 0 wrong" in say("family", "check")
    file = project.families / "shop_other.yaml"
    file.write_text(
        "family: shop/other\nschema: schemas.offer:Offer\ndiscover: {x: 1}\n"
    )
    checked = CliRunner().invoke(app, ["family", "check"])
    assert checked.exit_code == 1
    told = " ".join(checked.output.split())
    assert f"shop/other: {file}:3 [discover.x]: unknown key" in told
    assert "1 family is right, 1 wrong" in told
    listed = " ".join(say("family", "list").split())
    assert f"shop/other does not run: {file}:3" in listed and PRODUCT in listed
    say("suspects")
    assert PRODUCT in say("why", "http://shop.test/product/1")


def test_an_example_without_a_required_field_is_said(
    project: Project, say: Say
) -> None:
    assert "look again" not in say("family", "check")
    file = project.families / "shop_item.yaml"
    file.write_text(
        "family: shop/item\nschema: tests.models:Item\ndiscover: {}\nexamples:\n"
        "  - {url: http://shop.test/u, record: {title: A, price: 1}}\n  - {url: http://shop.test/v, record: {title: B}}\n"
    )
    told = " ".join(say("family", "check").split())
    assert f"look again: {file}:6 [examples.1]: the example lacks price" in told
    assert "2 families are right, 0 wrong" in told
