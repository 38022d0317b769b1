"""Family files and domains.yaml: strict, and every error names file, line and field."""

import re
import sys
from pathlib import Path

import pytest

from crawloop_assets import project
from crawloop_assets.access.brakes import Brakes
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Domains
from crawloop_assets.project import (
    PACKAGE,
    Project,
    create_whole,
    load_family,
    load_yaml,
    part_of,
    replace_whole,
)

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
        (("seeds:", "seed:"), 4, "discover.seed", "unknown key. did you mean 'seeds'?"),
        (("discover:", "dicover:"), 3, "dicover", "did you mean 'discover'?"),
        (('"/product/"', '"/product("'), 5, "discover.include.0", "regular expression"),
        (("90s", "90x"), 6, "refresh.min_interval", "duration"),
        (("schema: tests.models:Item\n", ""), 1, "schema", "required"),
        (("tests.models:Item", "tests.models:Itm"), 2, "schema", "no class"),
        (("tests.models:Item", "nowhere:Item"), 2, "schema", "cannot import"),
        (("discover:", "discover: ["), None, "", "not YAML"),
        (
            ("refresh:", "drift: {max_age: 1d}\nrefresh:"),
            6,
            "drift.max_age",
            "unknown key",
        ),
        (
            ("refresh:", "heal:\n  promote_to: x/y\nrefresh:"),
            7,
            "heal.promote_to",
            "unknown key",
        ),
        (("refresh:", "key: [url, sku]\nrefresh:"), 6, "key", "no field 'sku'"),
        (
            ("refresh:", "drift: {coverage: {sku: 1}}\nrefresh:"),
            6,
            "drift.coverage",
            "no field 'sku'",
        ),
        (
            (
                "refresh:",
                "examples:\n  - {url: http://u.test/, record: {sku: 1}}\nrefresh:",
            ),
            6,
            "examples",
            "no field 'sku'",
        ),
        (
            ('["/product/"]', '["/a/", "/product("]'),
            5,
            "discover.include.1",
            "regular expression",
        ),
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


def test_the_address_of_a_page_may_be_the_key_without_being_a_field(
    family_file: Path,
) -> None:
    family_file.write_text(
        GOOD.replace("tests.models:Item", "tests.models:Stocked") + "key: [url, sku]\n"
    )
    assert load_family(family_file).key == ("url", "sku")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (None, "cannot be read: No such file"),
        (b"\xff\xfe\xff", "is not UTF-8"),
        (b"a: [1\nb: 2", "not YAML"),
        (b"a: \x00", "not YAML: "),
        (b"[]", "should be keys with values"),
    ],
)
def test_what_cannot_be_read_names_its_file(
    tmp_path: Path, body: bytes | None, says: str
) -> None:
    file = tmp_path / "domains.yaml"
    if body is not None:
        file.write_bytes(body)
    with pytest.raises(ConfigError, match=re.escape(says)) as caught:
        load_yaml(file, Domains)
    assert str(file) in str(caught.value)


def test_a_line_is_that_of_the_deepest_part_that_is_written(tmp_path: Path) -> None:
    file = tmp_path / "domains.yaml"
    file.write_text("domains:\n  - host: a.test\n  -\n    port: 1\n")
    with pytest.raises(ConfigError) as caught:
        load_yaml(file, Domains)
    assert (caught.value.field, caught.value.line) == ("domains.1.host", 4)
    file.write_text("# nothing but\ndomains: 5\n")
    with pytest.raises(ConfigError) as caught:
        load_yaml(file, Domains)
    assert (caught.value.field, caught.value.line) == ("domains", 2)


def test_an_empty_file_is_all_defaults(tmp_path: Path) -> None:
    file = tmp_path / "domains.yaml"
    file.write_text("# nobody may be asked\n")
    assert load_yaml(file, Domains) == Domains()
    assert Project.at(tmp_path).load_domains() == Domains()
    file.unlink()
    assert Project.at(tmp_path).load_domains() == Domains()
    file.write_text("domains: [{host: a.test}]\n")
    assert Project.at(tmp_path).load_domains().domains[0].host == "a.test"


def test_families_are_found_by_name_wherever_their_files_are(family_file: Path) -> None:
    project = Project.at(family_file.parent.parent)
    inner = family_file.parent / "a" / "b.yaml"
    inner.parent.mkdir()
    inner.write_text(GOOD.replace("shop/product", "art/picture"))
    assert [f.family for f in project.load_families()] == [
        "art/picture",
        "shop/product",
    ]
    assert project.family("shop/product").family == "shop/product"
    with pytest.raises(ConfigError, match=r"no family 'x'.*art/picture, shop/product"):
        project.family("x")


def test_a_project_without_families_says_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no family 'x'\. known: none"):
        Project.at(tmp_path).family("x")


def test_a_name_declared_twice_is_refused(family_file: Path) -> None:
    (family_file.parent / "other.yaml").write_text(GOOD)
    with pytest.raises(ConfigError, match="also declared in"):
        Project.at(family_file.parent.parent).load_families()


def test_a_wrong_file_costs_its_own_family_alone(family_file: Path) -> None:
    project = Project.at(family_file.parent.parent)
    for name, text in {
        "typo.yaml": GOOD.replace("shop/product", "shop/typo").replace("seeds", "sed"),
        "half.yaml": "family: 'shop/half'  # not done\ndiscover: [",
        "No name!.yaml": "{",
    }.items():
        (family_file.parent / name).write_text(text)
    (family_file.parent / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    families, broken = project.read_families()
    assert [one.family for one in families] == ["shop/product"]
    assert [one.name for one in broken] == [
        "bytes",
        "no_name",
        "shop/half",
        "shop/typo",
    ]
    assert project.family("shop/product") == families[0]
    with pytest.raises(
        ConfigError, match=r"typo\.yaml:4 \[discover\.sed\]: unknown key"
    ):
        project.family("shop/typo")
    with pytest.raises(ConfigError, match="known: bytes, no_name, shop/half, shop/pr"):
        project.family("x")


def test_of_two_files_with_one_name_neither_is_believed(family_file: Path) -> None:
    (family_file.parent / "other.yaml").write_text(GOOD)
    families, broken = Project.at(family_file.parent.parent).read_families()
    assert not families
    assert [one.name for one in broken] == ["shop/product"]
    assert "item.yaml" in str(broken[0].error) and "other.yaml" in str(broken[0].error)


def test_two_names_that_dagster_cannot_tell_apart_are_one_too_many(
    family_file: Path,
) -> None:
    other = family_file.parent / "zz.yaml"
    other.write_text(GOOD.replace("shop/product", "shop__product"))
    families, broken = Project.at(family_file.parent.parent).read_families()
    assert [one.family for one in families] == ["shop/product"]
    assert [one.name for one in broken] == ["shop__product"]
    assert "zz.yaml:1 [family]: shop__product and shop/product are one" in str(
        broken[0].error
    )


@pytest.mark.parametrize("text", ["family: {long}\n", "family: [{long}]\n"])
def test_a_name_that_is_too_long_names_a_family_that_does_not_run(
    family_file: Path, text: str
) -> None:
    file = family_file.parent / f"{'y' * 200}.yaml"
    file.write_text(text.format(long="x" * 300))
    _, (broken,) = Project.at(family_file.parent.parent).read_families()
    assert broken.name in {"x" * 31, "y" * 31}


def test_a_schema_whose_module_fails_is_an_error_of_its_file(
    family_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (family_file.parent / "badly_written.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(family_file.parent)
    family_file.write_text(GOOD.replace("tests.models", "badly_written"))
    with pytest.raises(ConfigError, match=r"cannot import.*division by zero"):
        load_family(family_file)


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
    assert Project.find().root == tmp_path


def test_a_checkout_needs_no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CRAWLOOP_HOME", raising=False)
    project = Project.find()
    assert project.families == PACKAGE / "families"
    assert project.domains == PACKAGE / "domains.yaml"
    assert project.root == PACKAGE.parent
    assert project.var == PACKAGE.parent / "var"
    assert project.load_families()


def test_the_current_folders_project_is_found_and_a_named_one_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    (here / "families" / "deep").mkdir(parents=True)
    (here / "domains.yaml").touch()
    monkeypatch.chdir(here / "families" / "deep")
    monkeypatch.delenv("CRAWLOOP_HOME", raising=False)
    assert Project.find().root == here
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path))
    assert Project.find().root == tmp_path


def test_what_a_project_holds_can_be_imported_once_it_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path))
    Project.find()
    assert sys.path[0] == str(tmp_path)


def test_without_a_project_and_without_a_checkout_it_says_how_one_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project, "PACKAGE", tmp_path / "site" / "crawloop_assets")
    monkeypatch.delenv("CRAWLOOP_HOME", raising=False)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="crawloop init DIR"):
        Project.find()


def test_two_machines_that_share_a_folder_write_beside_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both have a process of the same number; the other one writes between the two steps
    of this one."""
    monkeypatch.setattr("os.getpid", lambda: 7)
    brakes, file = Brakes(tmp_path), tmp_path / "kept.json"
    replace = Path.replace
    others: list[Path] = []

    def interrupted(part: Path, target: Path) -> Path:
        if not others:
            others.append(part)
            brakes.pause("other.test")
            with part_of(file) as of_other:
                of_other.write_text("the other's")
                replace(of_other, file)
        return replace(part, target)

    monkeypatch.setattr(Path, "replace", interrupted)
    with part_of(file) as part:
        part.write_text("ours")
        part.replace(file)
    assert file.read_text() == "ours" and len(others) == 1
    others.clear()
    brakes.pause("other.test", who="ann")
    assert [one.who for one in brakes.pauses()] == ["ann"]
    assert not list(tmp_path.rglob("*.part"))


def test_what_does_not_take_its_place_is_gone(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="full"), part_of(tmp_path / "kept.json") as part:
        part.write_text("half")
        raise OSError("the disk is full")
    assert list(tmp_path.iterdir()) == []


def test_a_file_takes_the_place_of_another_or_of_none(tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    create_whole(file, b"one")
    with pytest.raises(FileExistsError):
        create_whole(file, b"two")
    assert file.read_text() == "one"
    replace_whole(file, "three")
    assert file.read_text() == "three" and list(tmp_path.iterdir()) == [file]
