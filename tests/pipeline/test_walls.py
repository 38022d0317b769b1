"""A wall on every page of a run, in another language than ours: a warning for a person, no drift and no wave."""

import pytest

from crawloop_assets.demo.site.changes import TROUBLES, Break, Trouble
from crawloop_assets.page import Verdict
from crawloop_assets.store.published import published_rows
from tests.world import PRODUCT, PRODUCTS, World

GERMAN = (
    "<!doctype html><html lang='de'><head><title>Der Laden</title></head><body><header>Der Laden</header>"
    "<div role='dialog'><h2>Bevor Sie fortfahren</h2><p>Wir und unsere 214 Partner verarbeiten Ihre Daten, um Inhalte "
    "und Anzeigen zu messen.</p><button>Alle akzeptieren</button><button>Ablehnen</button></div></body></html>"
)
NO_WORDS = (
    "<!doctype html><html><head><title>Q</title></head><body><div id='usercentrics-root'><p>Wibble wobble wubble, "
    "zqy.</p><button>Wib</button><button>Wob</button></div></body></html>"
)


@pytest.mark.parametrize("wall", [GERMAN, NO_WORDS])
def test_a_consent_wall_on_all_pages_is_a_warning_without_a_wave(
    healthy: World, monkeypatch: pytest.MonkeyPatch, wall: str
) -> None:
    monkeypatch.setitem(TROUBLES, Break.CONSENT, Trouble(200, wall))
    healthy.shop.break_(Break.CONSENT)
    try:
        assert healthy.refresh().success
    finally:
        healthy.shop.mend()
    assert "failed" not in healthy.shown()
    assert healthy.shown("pages").keys() == {"failed"}
    verdicts = {url.verdict for url in healthy.store.frontier(PRODUCT)}
    assert verdicts == {Verdict.CONSENT}
    assert not healthy.tick().run_requests
    assert healthy.tick().skip_message == "no batch is red"
    rows = published_rows(healthy.project.published, "product", ["title"])
    assert len(rows) == PRODUCTS
