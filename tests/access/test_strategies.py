"""The rungs that need nothing but a client, and the secrets rungs are made of."""

from pathlib import Path

import pytest

from crawloop_assets.access.strategies import Bypass, Plain, secret
from crawloop_assets.access.walk import Trip
from crawloop_assets.errors import ConfigError
from tests.access.site import Site
from tests.access.walks import walking

pytestmark = pytest.mark.anyio

BYPASS = {"header": "X-Crawl-Token", "value_env": "SHOP_TOKEN"}


async def test_a_plain_request_is_sent_as_it_is(site: Site, tmp_path: Path) -> None:
    trip = Trip()
    async with walking(site, tmp_path, bypass=BYPASS) as walk:
        plain = Plain(walk.walker, walk.gates.page, walk.client)
        assert plain.missing(walk.domain) == ""
        answer = await plain.get(walk.job(site.url("/token/1")), trip)
        await plain.aclose()
        assert not walk.client.is_closed, "it is not the rung's own"
    assert (answer.status, trip.requests) == (403, 1)


async def test_a_bypass_adds_the_agreed_header(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_TOKEN", "agreed")
    async with walking(site, tmp_path, bypass=BYPASS) as walk:
        bypass = Bypass(walk.walker, walk.gates.page, walk.client)
        assert bypass.missing(walk.domain) == ""
        answer = await bypass.get(walk.job(site.url("/token/1")), Trip())
    assert answer.status == 200
    assert site.hits("/token")[0].headers["x-crawl-token"] == "agreed"


async def test_a_bypass_that_nobody_agreed_to_is_missing(
    site: Site, tmp_path: Path
) -> None:
    async with walking(site, tmp_path) as walk:
        bypass = Bypass(walk.walker, walk.gates.page, walk.client)
        assert bypass.missing(walk.domain) == "bypass: none in domains.yaml"


async def test_a_bypass_without_its_secret_asks_nobody(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SHOP_TOKEN", raising=False)
    async with walking(site, tmp_path, bypass=BYPASS) as walk:
        bypass = Bypass(walk.walker, walk.gates.page, walk.client)
        with pytest.raises(ConfigError, match="SHOP_TOKEN"):
            await bypass.get(walk.job(site.url("/token/1")), Trip())
    assert not site.hits()


async def test_winners_are_kept_by_site_and_family(site: Site, tmp_path: Path) -> None:
    async with walking(site, tmp_path) as walk:
        job = walk.job(site.url("/p/0"))
    assert job.key == f"127.0.0.1:{site.port} "


def test_a_secret_is_the_value_of_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_TOKEN", "agreed")
    assert secret("SHOP_TOKEN", "bypass.value_env") == "agreed"


@pytest.mark.parametrize("value", ["", None])
def test_a_secret_that_is_not_set_names_its_variable_and_field(
    monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.delenv("SHOP_TOKEN", raising=False)
    if value is not None:
        monkeypatch.setenv("SHOP_TOKEN", value)
    with pytest.raises(ConfigError) as caught:
        secret("SHOP_TOKEN", "bypass.value_env")
    assert "SHOP_TOKEN is not set" in str(caught.value)
    assert caught.value.field == "domains.bypass.value_env"
    assert caught.value.file == "domains.yaml"
