"""What a family file and domains.yaml may say: strict, typed, with plain defaults."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import (
    Discover,
    Domain,
    DriftPolicy,
    Family,
    FamilyExample,
    HealPolicy,
    Paging,
    Refresh,
    Rung,
)
from tests.models import Item

DECLARED = {"family": "shop/item", "schema": "tests.models:Item", "discover": {}}


def family(**options: Any) -> Family:
    return Family.model_validate({**DECLARED, **options})


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("90s", timedelta(seconds=90)),
        ("1.5m", timedelta(seconds=90)),
        (" 6 h ", timedelta(hours=6)),
        ("7d", timedelta(days=7)),
        (timedelta(minutes=1), timedelta(minutes=1)),
    ],
)
def test_a_duration_is_a_number_and_a_unit(written: object, meant: timedelta) -> None:
    assert Refresh.model_validate({"max_interval": written}).max_interval == meant


@pytest.mark.parametrize("written", ["90", "s", "90x", "1h30m", "-1h", ""])
def test_what_is_no_duration_is_refused(written: str) -> None:
    with pytest.raises(ValidationError, match="a duration is a number and one of"):
        Refresh.model_validate({"max_interval": written})


@given(st.integers(0, 10_000), st.sampled_from("smhd"))
def test_units_are_those_of_clocks(count: int, unit: str) -> None:
    seconds = {"s": 1, "m": 60, "h": 3600, "d": 86_400}[unit]
    refresh = Refresh.model_validate({"min_interval": f"{count}{unit}"})
    assert refresh.min_interval.total_seconds() == count * seconds


@pytest.mark.parametrize(
    ("option", "name"),
    [
        ("drift", "max_age"),
        ("heal", "escalate"),
        ("drift", "code"),
        ("access", "proxy"),
        ("refresh", "every"),
    ],
)
def test_an_option_nobody_reads_is_refused(option: str, name: str) -> None:
    with pytest.raises(ValidationError, match="Extra inputs") as caught:
        family(**{option: {name: "1d"}})
    assert caught.value.errors()[0]["loc"] == (option, name)


def test_without_a_word_nothing_is_paid_and_nothing_is_bypassed() -> None:
    plain = family()
    assert plain.key == ("url",)
    assert plain.heal == HealPolicy()
    assert plain.heal.budget_usd == 0
    assert plain.drift == DriftPolicy()
    assert plain.access.ladder == (Rung.PLAIN, Rung.BACKOFF)
    assert not plain.access.render


def test_a_key_of_no_field_tells_no_records_apart() -> None:
    with pytest.raises(ValidationError, match="at least 1 item") as caught:
        family(key=[])
    assert caught.value.errors()[0]["loc"] == ("key",)


@pytest.mark.parametrize("name", ["shop", "shop/item", "a_1/b/c"])
def test_a_name_is_a_path_of_words(name: str) -> None:
    assert family(family=name).slug == name.replace("/", "__")


@pytest.mark.parametrize("name", ["", "Shop", "shop/", "/shop", "a b", "a//b"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        family(family=name)


@pytest.mark.parametrize(
    "paging",
    [
        {"param": "page"},
        {"param": "offset", "step": 50},
        {"param": "offset", "from": "$.next"},
        {"param": "variables.after", "in": "body", "from": "$.a[-1].id"},
    ],
)
def test_paging_is_counted_or_read_from_the_answer(paging: dict[str, object]) -> None:
    assert Paging.model_validate(paging).param == paging["param"]


@pytest.mark.parametrize(
    ("paging", "says"),
    [
        ({"param": "after", "from": "$.next", "step": 1}, "exclude each other"),
        ({"param": "skip"}, "how many a page has"),
        ({"param": "variables.offset", "in": "body"}, "how many a page has"),
        ({"param": "a=b"}, "pattern"),
        ({"param": "page", "step": 0}, "greater than or equal to 1"),
        ({"param": "after", "from": "body.next"}, "starts with"),
    ],
)
def test_paging_that_leads_nowhere_is_refused(
    paging: dict[str, object], says: str
) -> None:
    with pytest.raises(ValidationError, match=says):
        Paging.model_validate(paging)


def test_patterns_are_compiled_when_they_are_read() -> None:
    assert Discover(include=("^/p/",)).include == ("^/p/",)
    with pytest.raises(ValidationError, match="not a regular expression"):
        Discover(include=("(",))
    with pytest.raises(ValidationError, match="not a regular expression"):
        Refresh(ignore=("[",))


def test_what_is_followed_is_a_selector_of_links() -> None:
    wanted = ("a.more", "a[rel~=next]::attr(href)")
    assert Discover(follow=wanted).follow == wanted
    with pytest.raises(ValidationError, match="Expected selector"):
        Discover(follow=(r"^/items\?page=",))


def test_an_example_has_one_record_or_several() -> None:
    url = "https://x.example/1"
    assert FamilyExample(url=url, record={"a": 1}).all == ({"a": 1},)
    assert FamilyExample(url=url, records=({"a": 1}, {"a": 2})).all == (
        {"a": 1},
        {"a": 2},
    )
    assert FamilyExample(url=url, record={}).all == ({},)
    for wrong in ({}, {"record": {"a": 1}, "records": ({"a": 1},)}):
        with pytest.raises(ValidationError, match="either `record`"):
            FamilyExample(url=url, **wrong)


def test_a_family_knows_its_model_and_describes_it() -> None:
    assert family().model() is Item
    spec = family(date_order="DMY").schema_spec()
    assert [field.name for field in spec.fields] == ["url", "title", "price"]


@pytest.mark.parametrize("kind", FamilyKind)
def test_the_address_of_a_page_with_one_record_is_its_url(kind: FamilyKind) -> None:
    spec = family(schema="tests.models:Linked", kind=kind).schema_spec()
    assert spec.requires("url") == (kind is not FamilyKind.DETAIL)
    assert spec.requires("title")


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ("nowhere.at_all:Item", "cannot import 'nowhere.at_all'"),
        ("tests.models:Itm", "has no class 'Itm'"),
        ("tests.models:Decimal", "is not a pydantic model"),
        ("tests.models:create_model", "is not a pydantic model"),
    ],
)
def test_a_model_that_is_none_is_named(schema: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        family(schema=schema).model()
    assert caught.value.field == "schema"


def test_robots_are_obeyed_unless_somebody_says_why_not() -> None:
    assert Domain(host="a.example").robots == "obey"
    written = "agreed with the owner"
    assert Domain(host="a.example", robots="ignore", robots_reason=written)
    for reason in ("", "  "):
        with pytest.raises(ValidationError, match="robots_reason"):
            Domain(host="a.example", robots="ignore", robots_reason=reason)


@pytest.mark.parametrize(
    "wrong", [{"port": 0}, {"max_rps": 0}, {"concurrency": 65}, {"scheme": "ftp"}]
)
def test_a_domain_has_bounds(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Domain(host="a.example", **wrong)


def test_a_notation_is_declared_for_the_fields_it_concerns() -> None:
    spec = family(notation={"decimal": ",", "dates": "DMY"}).schema_spec()
    decimals = {one.name: one.decimal for one in spec.fields if one.decimal}
    assert decimals and set(decimals.values()) == {","}
    with pytest.raises(ValidationError):
        family(notation={"decimal": "'"})


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"request": {"json": {"a": 1}}}, "only a POST has a body"),
        ({"request": {"form": {"a": "1"}}}, "only a POST has a body"),
        (
            {"request": {"method": "POST", "json": {}, "form": {}}},
            "either `json` or `form`",
        ),
        (
            {"refresh": {"min_interval": "2d", "max_interval": "1d"}},
            "`min_interval` is longer than `max_interval`",
        ),
        ({"drift": {"count": {"min": 5, "max": 4}}}, "`max` is less than `min`"),
        ({"refresh": {"cron": "99 * * * *"}}, "is no cron"),
        ({"owner": "Data Team"}, "a mail address or a team"),
        ({"examples": [{"url": "/list", "record": {}}]}, "is no whole address"),
    ],
)
def test_what_contradicts_itself_or_cannot_be_used_is_refused(
    options: dict[str, Any], says: str
) -> None:
    with pytest.raises(ValidationError, match=says):
        family(**options)


def test_one_interval_that_is_written_alone_is_no_contradiction() -> None:
    alone = family(refresh={"min_interval": "30d"}).refresh
    assert alone.min_interval == timedelta(days=30)
