"""Whatever a page in the browser writes a url like: what the site was asked for is below the rule."""

import json
from pathlib import Path

import pytest

from crawloop_assets.access.chromium.launch import find_chromium
from crawloop_assets.page import Verdict
from tests.access.chromium.test_browser import rendered
from tests.access.site import Site
from tests.access.test_fetcher_urls import (
    HOME,
    TRICKS,
    answered,
    fetcher_of,
    leading,
    seen,
    strays,
)
from tests.access.wire import Told

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.e2e,
    pytest.mark.skipif(not find_chromium(), reason="no Chromium on this machine"),
]
TRYING = """<html><body><h1>here</h1><script>
const tricks = %s, frames = []
for (const trick of tricks) {
  fetch(trick, {mode: "no-cors"}).catch(() => 0)
  fetch("/shop/on?" + encodeURIComponent(trick), {mode: "no-cors"}).catch(() => 0)
  const frame = document.createElement("iframe"); frame.src = trick; document.body.append(frame)
  try { window.open(trick) } catch (error) {}
}
setTimeout(() => { document.body.dataset.tried = tricks.length }, 1500)
</script></body></html>"""


async def test_no_trick_of_a_page_leads_out_of_the_list(
    site: Site, tmp_path: Path
) -> None:
    answered(site)
    told = site.answer
    page = Told((TRYING % json.dumps([HOME + trick for trick in TRICKS])).encode())
    site.answer = lambda asked: page if asked.path == "/shop/spy" else told(asked)  # type: ignore[method-assign]
    async with fetcher_of(site, tmp_path) as fetcher:
        access = rendered(wait_for="body[data-tried]", settle="1s")
        one = await fetcher.fetch(site.url("/shop/spy"), access=access)
    assert one.verdict is Verdict.OK
    assert len(seen(site)) > 10
    assert strays(seen(site), closed="none: robots.txt is about documents") == []


@pytest.mark.parametrize(
    "trick", ["%2e%2e/admin", "..%2fadmin", "..;/admin", "%252e%252e%252fadmin"]
)
async def test_no_navigation_leads_out_of_the_list(
    site: Site, tmp_path: Path, trick: str
) -> None:
    leading(site, HOME + trick)
    async with fetcher_of(site, tmp_path) as fetcher:
        for path in (HOME + trick, "/shop/door"):
            one = await fetcher.fetch(site.url(path), access=rendered())
            assert one.verdict is Verdict.NOT_ALLOWED
            assert "no path prefix" in one.rule
    assert seen(site) == ["/shop/door"]


async def test_documents_cannot_be_spelled_past_robots(
    site: Site, tmp_path: Path
) -> None:
    answered(site)
    async with fetcher_of(site, tmp_path, paths=("/",)) as fetcher:
        for trick in ("x/..%2fprivate/1", "x/%2e%2e/private/1", "private%2f1"):
            one = await fetcher.fetch(site.url(HOME + trick), access=rendered())
            assert "Disallow: /shop/private/" in one.rule
    assert seen(site) == []
