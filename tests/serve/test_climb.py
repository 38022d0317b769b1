"""Pages that arrived but proved to be none move a family up the access ladder."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.access.winners import Winners
from crawloop_assets.drift.batch import judge_batch
from crawloop_assets.family import Domain, Domains, Family, Rung
from crawloop_assets.page import Verdict
from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.stream import climb
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import BatchCounts, FrontierUrl
from tests.access.serving import running
from tests.access.site import Site

pytestmark = pytest.mark.anyio
FAMILY = Family.model_validate(
    {
        "family": "shop/app",
        "schema": "tests.models:Item",
        "discover": {},
        "access": {"ladder": ["plain", "backoff", "proxy", "browser"]},
    }
)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def site() -> Iterator[Site]:
    with running(Site()) as site:
        yield site


async def stands(site: Site, var: Path, verdicts: list[Verdict]) -> Rung | None:
    """The rung that the family starts at after a batch with these verdicts."""
    domain: dict[str, Any] = {
        "scheme": "http",
        "port": site.port,
        "private": True,
        "max_rps": 1_000,
    }
    async with Fetcher(
        Domains(domains=(Domain(host="127.0.0.1", **domain),)), var
    ) as fetcher:
        readings = []
        for number, verdict in enumerate(verdicts):
            url = site.url(f"/p/{number * 4}")
            fetched = await fetcher.fetch(
                url, access=FAMILY.access, scope=FAMILY.family
            )
            readings.append(
                Reading(
                    Visit(
                        FrontierUrl(url, "1"), fetched.page, Verdict.OK, fetched=fetched
                    ),
                    verdict,
                )
            )
        judgement = judge_batch(FAMILY.schema_spec(), FAMILY, [], [], batch="1")
        climb(
            fetcher, FAMILY, ServedBatch("1", tuple(readings), judgement, BatchCounts())
        )
    standing = Winners(var / "access").get(f"127.0.0.1:{site.port} {FAMILY.family}")
    return standing.rung if standing else None


async def test_a_batch_of_empty_shells_needs_a_browser(
    site: Site, tmp_path: Path
) -> None:
    assert (
        await stands(site, tmp_path, [Verdict.NEEDS_RENDER] * 3 + [Verdict.OK])
        is Rung.BROWSER
    )


async def test_a_single_shell_does_not(site: Site, tmp_path: Path) -> None:
    assert (
        await stands(site, tmp_path, [Verdict.NEEDS_RENDER] + [Verdict.OK] * 3) is None
    )


async def test_a_country_that_is_refused_asks_the_next_rung_but_not_for_one_page(
    site: Site, tmp_path: Path
) -> None:
    few = [Verdict.BLOCKED] + [Verdict.OK] * 3
    assert await stands(site, tmp_path, few) is None
    assert await stands(site, tmp_path, [Verdict.BLOCKED] * 3) is Rung.PROXY


async def test_a_challenge_with_status_200_asks_the_next_rung(
    site: Site, tmp_path: Path
) -> None:
    assert await stands(site, tmp_path, [Verdict.OK, Verdict.CHALLENGE]) is Rung.PROXY


async def test_drift_is_no_reason_to_climb(site: Site, tmp_path: Path) -> None:
    assert (
        await stands(site, tmp_path, [Verdict.DRIFT, Verdict.SOFT_404, Verdict.OK])
        is None
    )
