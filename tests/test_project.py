"""Family files and domains.yaml: strict, and every error names file, line and field."""

import re
from pathlib import Path

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Domains
from crawloop_assets.project import Project, load_family, load_yaml

GOOD = """\
family: shop/product
schema: tests.models:Item
discover:
  seeds: ["http://shop.test/"]
  include: ["/product/"]
refresh: {min_interval: 90s}
"""


@pytest.fixture
def family_file(tmp_path: Path) -> Path:
    file = tmp_path / "families" / "item.yaml"
    file.parent.mkdir()
    file.write_text(GOOD)
    return file


def test_a_good_file_loads(family_file: Path) -> None:
    family = load_family(family_file)
    assert family.slug == "shop__product"
    assert family.refresh.min_interval.total_seconds() == 90
    assert [field.name for field in family.schema_spec().fields] == [
        "url",
        "title",
        "price",
    ]


@pytest.mark.parametrize(
    ("change", "line", "field", "says"),
    [
        (("seeds:", "seed:"), 4, "discover.seed", "unknown key"),
        (('"/product/"', '"/product("'), 5, "discover.include.0", "regular expression"),
        (("90s", "90x"), 6, "refresh.min_interval", "duration"),
        (("schema: tests.models:Item\n", ""), 1, "schema", "required"),
        (("tests.models:Item", "tests.models:Itm"), 2, "schema", "no class"),
        (("tests.models:Item", "nowhere:Item"), 2, "schema", "cannot import"),
        (("discover:", "discover: ["), None, "", "not YAML"),
    ],
)
def test_a_wrong_file_names_line_and_field(
    family_file: Path, change: tuple[str, str], line: int | None, field: str, says: str
) -> None:
    family_file.write_text(GOOD.replace(*change))
    with pytest.raises(ConfigError) as caught:
        load_family(family_file)
    assert str(family_file) in str(caught.value)
    assert says in str(caught.value)
    assert caught.value.field == field
    assert line is None or caught.value.line == line


@pytest.mark.parametrize(
    ("paging", "field", "says"),
    [
        ("{param: page, in: body}", "discover.paging.in", "only a POST has a body"),
        ("{param: page, in: path}", "discover.paging.in", "'query' or 'body'"),
        ("{param: after, from: meta.next}", "discover.paging.from", "starts with $"),
        ('{param: after, from: "$.a[b"}', "discover.paging.from", "no JSON path"),
        (
            "{param: after, from: $.next, step: 2}",
            "discover.paging",
            "exclude each other",
        ),
        ("{param: variables.offset}", "discover.paging", "how many a page has"),
        ("{from: $.next}", "discover.paging.param", "required"),
    ],
)
def test_wrong_paging_names_line_and_field(
    family_file: Path, paging: str, field: str, says: str
) -> None:
    family_file.write_text(
        GOOD.replace("  include:", f"  paging: {paging}\n  include:")
    )
    with pytest.raises(ConfigError, match=re.escape(says)) as caught:
        load_family(family_file)
    assert (caught.value.field, caught.value.line) == (field, 5)


def test_a_policy_on_an_unknown_field_is_refused(family_file: Path) -> None:
    family_file.write_text(GOOD + "drift: {stable: [titel]}\n")
    with pytest.raises(
        ConfigError, match=r"no field 'titel'.*fields: price, title, url"
    ):
        load_family(family_file)


def test_a_name_declared_twice_is_refused(family_file: Path) -> None:
    (family_file.parent / "other.yaml").write_text(GOOD)
    with pytest.raises(ConfigError, match="also declared in"):
        Project.at(family_file.parent.parent).load_families()


def test_ignoring_robots_needs_a_reason(tmp_path: Path) -> None:
    file = tmp_path / "domains.yaml"
    file.write_text("domains:\n  - {host: a.test, robots: ignore}\n")
    with pytest.raises(ConfigError, match="robots_reason"):
        load_yaml(file, Domains)


def test_home_is_an_environment_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path))
    assert Project.find().published == tmp_path / "crawloop.duckdb"
