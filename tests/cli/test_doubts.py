"""What `crawloop family check` says of files that are right and may be a slip."""

import json

from crawloop_assets.cli.doubts import doubts_of
from crawloop_assets.project import Project
from tests.cli.conftest import Say


def _doubts(project: Project) -> list[str]:
    return [str(one).replace(f"{project.root}/", "") for one in doubts_of(project)]


def test_of_what_is_right_nothing_is_doubted(project: Project) -> None:
    assert _doubts(project) == []


def test_an_address_that_nobody_will_ask_for_names_its_line(project: Project) -> None:
    file = project.families / "shop_product.yaml"
    text = file.read_text(encoding="utf-8")
    at = text[: text.index("http://shop.test/")].count("\n") + 1
    file.write_text(
        text.replace("http://shop.test/", "http://shop.tset/", 1), encoding="utf-8"
    )
    (said,) = _doubts(project)
    assert said.startswith(f"families/shop_product.yaml:{at} [discover.seeds.0]: ")
    assert "will not be asked for: http://shop.tset/" in said
    assert "domains.yaml" in said


def test_an_example_of_another_site_is_doubted_too(project: Project) -> None:
    file = project.families / "shop_product.yaml"
    family = project.family("shop/product")
    file.write_text(
        file.read_text(encoding="utf-8").replace(
            family.examples[-1].url, "http://elsewhere.test/product/1"
        ),
        encoding="utf-8",
    )
    (said,) = _doubts(project)
    assert f"[examples.{len(family.examples) - 1}]: will not be asked for" in said


def test_an_example_that_no_record_may_be_is_doubted(project: Project) -> None:
    file = project.families / "shop_product.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("price: '899.99'", "price: dear"), encoding="utf-8")
    assert "price: dear" in file.read_text(encoding="utf-8")
    (said,) = _doubts(project)
    assert "[examples.0]: 'dear' is no price of schemas.product:Product: Input " in said


def test_rows_without_a_name_are_doubted(project: Project) -> None:
    file = project.families / "shop_row.yaml"
    text = "family: shop/row\nschema: tests.store.models:{}\nkind: listing\nkey: {}\ndiscover: {{}}\n"
    file.write_text(text.format("Row", "[url]"), encoding="utf-8")
    (said,) = _doubts(project)
    assert said.startswith("families/shop_row.yaml:4 [key]: rows of listing pages have")
    assert said.endswith("name the fields that tell rows apart (title, price)")
    for model, key in (("Row", "[title]"), ("Link", "[url]")):
        file.write_text(text.format(model, key), encoding="utf-8")
        assert _doubts(project) == []


def test_a_file_that_is_not_read_is_named(project: Project, say: Say) -> None:
    (project.families / "deep").mkdir()
    (project.families / "deep" / "other.yml").write_text("family: shop/other")
    said = json.loads(say("family", "check", "--json"))
    assert said["wrong"] == []
    (doubt,) = said["look_again"]
    assert "deep/other.yml: is not read. let its name end in .yaml" in doubt
    assert "look again:" in say("family", "check")


def test_a_wrong_file_is_wrong_and_the_others_are_still_looked_at(
    project: Project,
) -> None:
    (project.families / "a_wrong.yaml").write_text("family: shop/wrong\nsed: 1\n")
    (project.families / "other.yml").write_text("")
    assert ["other.yml" in one for one in _doubts(project)] == [True]
