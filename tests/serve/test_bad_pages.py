"""Pages that are too large, lead away or may not be asked for: a verdict for each, the others of the batch unharmed."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from crawloop_assets.demo.loopback import Reply, listening
from crawloop_assets.page import Verdict
from crawloop_assets.store import FoundUrl
from crawloop_assets.store.published import published_rows
from tests.world import HOST, PRODUCT, PRODUCTS, World

pytestmark = pytest.mark.slow

HUGE = b"<html><body>" + b"<p>far too much</p>" * 2_800_000 + b"</body></html>"
OFF_THE_LIST = "http://elsewhere.test/product/x-1"


def test_bad_pages_harm_nobody_else(
    healthy: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside: list[str] = []

    def secret(
        method: str, target: str, headers: Mapping[str, str], body: bytes
    ) -> Reply:
        inside.append(target)
        return Reply(200, b"<html><body><h1>the metadata service</h1></body></html>")

    with listening(secret) as port:
        first, *_ = healthy.batches
        urls = [url.url for url in healthy.store.urls(PRODUCT, first)]
        bad = {
            urls[0]: Reply(200, HUGE, {"Content-Type": "text/html"}),
            urls[1]: Reply(
                302, b"", {"Location": f"http://127.0.0.1:{port}/latest/meta-data/"}
            ),
            urls[2]: Reply(302, b"", {"Location": OFF_THE_LIST}),
            urls[3]: Reply(
                302, b"", {"Location": f"http://{HOST}:{port}/product/inside-1"}
            ),
        }
        real = healthy.shop._product_page
        monkeypatch.setattr(
            healthy.shop,
            "_product_page",
            lambda name: bad.get(f"http://{HOST}/product/{name}") or real(name),
        )
        healthy.store.add_urls(healthy.family, [FoundUrl(OFF_THE_LIST)])
        healthy.instance.add_dynamic_partitions(
            healthy.names.partition_set, healthy.store.batches(PRODUCT)
        )
        witness = healthy.witness()
        moment = datetime.now(UTC)
        assert healthy.refresh().success

    assert inside == [], "not one request reached the inside"
    verdicts = {url.url: url.verdict for url in healthy.store.frontier(PRODUCT)}
    assert verdicts[urls[0]] is Verdict.TOO_LARGE
    assert [verdicts[url] for url in (*urls[1:4], OFF_THE_LIST)] == [
        Verdict.NOT_ALLOWED
    ] * 4
    others = {
        url: verdict
        for url, verdict in verdicts.items()
        if url not in bad and url != OFF_THE_LIST
    }
    assert set(others.values()) == {Verdict.OK}
    assert len(others) == PRODUCTS - len(bad)
    asked = [
        url
        for url in healthy.store.frontier(PRODUCT)
        if url.fetched_at and url.fetched_at > moment
    ]
    assert len(asked) >= PRODUCTS, "every page of every batch was asked for"
    assert "failed" not in healthy.shown(), "none of this is drift"
    rows = published_rows(healthy.project.published, "product", ["_url"])
    assert len(rows) == PRODUCTS
    assert list(witness.faults(complete=False)) == []
