"""What is known of how a site is reached is shown, with the reason."""

import re
from pathlib import Path

import pytest

from crawloop_assets.access.brakes import Brakes
from crawloop_assets.access.limiter import Limiter
from crawloop_assets.access.rests import Rest, RestBook
from crawloop_assets.access.status import AccessLine, access_status
from crawloop_assets.access.winners import Winners
from crawloop_assets.family import Domain, Family, Rung
from crawloop_assets.page import Verdict
from tests.access.conftest import MakeFetcher
from tests.access.site import Site

pytestmark = pytest.mark.anyio


def family(site: Site, **access: object) -> Family:
    return Family.model_validate(
        {
            "family": "shop/item",
            "schema": "tests.models:Item",
            "discover": {"seeds": [site.url("/")]},
            "access": access,
        }
    )


async def shown(
    make_fetcher: MakeFetcher, var: Path, domain: Domain, family: Family
) -> dict[tuple[str, str], str]:
    async with make_fetcher(hosts=1) as fetcher:
        lines: list[AccessLine] = list(access_status(fetcher, var, [domain], [family]))
    return {(line.about, line.what): line.says for line in lines}


async def test_rungs_winners_rests_pauses_and_quotas_are_shown(
    site: Site, make_fetcher: MakeFetcher, tmp_path: Path
) -> None:
    domain = Domain.model_validate(
        {
            "host": "127.0.0.1",
            "scheme": "http",
            "port": site.port,
            "quota": {"pages": 500},
            "proxies": {"by_country": {"de": ["http://de.test"]}},
        }
    )
    one = family(site, ladder=["plain", "bypass", "proxy"], country="de")
    says = await shown(make_fetcher, tmp_path, domain, one)
    assert says == {
        ("127.0.0.1", "pages"): "0 of 500 today",
        ("shop/item", "plain"): "ready",
        ("shop/item", "bypass"): "bypass: none in domains.yaml",
        ("shop/item", "proxy"): "ready, in de",
        ("shop/item", "starts at"): "the cheapest rung: no other was needed",
    }
    brakes, winners = Brakes(tmp_path / "brakes"), Winners(tmp_path / "access")
    brakes.pause("127.0.0.1", "ann", "they asked us to")
    brakes.count("127.0.0.1", 12, 0, 0)
    key = f"127.0.0.1:{site.port} shop/item"
    winners.won(key, Rung.PROXY, Verdict.BLOCKED)
    RestBook(tmp_path / "access" / "proxies.rests").note(
        "http://de.test", Rest("proxy de 1", 2, 120)
    )
    says = await shown(make_fetcher, tmp_path, domain, one)
    assert "by ann: they asked us to" in says["127.0.0.1", "asked for"]
    assert says["127.0.0.1", "pages"] == "12 of 500 today"
    assert says["shop/item", "starts at"] == (
        "proxy: below it blocked; cheaper ones again in 60 minutes"
    )
    assert says["proxy de 1", "proxy"].startswith("2 failures in a row, rests 1")
    winners.won(key, Rung.BROWSER, Verdict.NEEDS_RENDER)
    says = await shown(make_fetcher, tmp_path, domain, one)
    assert says["shop/item", "starts at"] == "browser: below it needs_render"


async def test_a_site_that_asked_for_a_pause_is_shown_with_its_end(
    site: Site, make_fetcher: MakeFetcher, tmp_path: Path
) -> None:
    domain = Domain.model_validate(
        {"host": "127.0.0.1", "scheme": "http", "port": site.port}
    )
    limiter = Limiter(tmp_path / "limits")
    limiter.pause(f"127.0.0.1:{site.port}", 90)
    limiter.close()
    says = await shown(make_fetcher, tmp_path, domain, family(site))
    waits = says["127.0.0.1", "asked for"]
    assert re.fullmatch(r"waits (89|90) s more, as the site asked \(.*\)", waits)
    (clock,) = (tmp_path / "limits").glob("*.clock")
    clock.write_bytes(b"")
    assert ("127.0.0.1", "asked for") not in await shown(
        make_fetcher, tmp_path, domain, family(site)
    )
