"""`crawloop why` and `crawloop access check-proxies`, over HTTP and on a real store."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from tests.access.site import Site
from tests.access.test_ladder_proxies import Relay
from tests.world import World


@contextmanager
def relays(*ways: Relay) -> Iterator[None]:
    """Proxies in a loop of their own: the command has one too."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    for way in ways:
        asyncio.run_coroutine_threadsafe(way.__aenter__(), loop).result(10)
    try:
        yield
    finally:
        for way in ways:
            asyncio.run_coroutine_threadsafe(way.__aexit__(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


def test_proxies_are_checked_and_a_bad_one_is_an_exit_code(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "160")
    (tmp_path / "families").mkdir()
    good, refusing = Relay(), Relay(407)
    with relays(good, refusing):
        urls = [good.url, refusing.url, "http://127.0.0.1:1"]
        domain = {
            "host": "127.0.0.1",
            "scheme": "http",
            "port": site.port,
            "private": True,
            "proxies": {"urls": urls},
        }
        (tmp_path / "domains.yaml").write_text(
            yaml.safe_dump({"user_agent": "test", "domains": [domain]})
        )
        result = CliRunner().invoke(
            app, ["access", "check-proxies"], catch_exceptions=False
        )
    assert result.exit_code == 1
    lines = [line for line in result.output.splitlines() if "proxy " in line]
    assert ["yes" in line for line in lines[-3:]] == [True, False, False], result.output
    assert "status 407" in lines[-2]
    assert "pw@" not in result.output
    assert [head.split(" ")[1] for head in good.asked] == [site.url("/robots.txt")]


def test_why_names_the_schedule_of_a_page_and_the_rule_against_another(
    healthy: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRAWLOOP_HOME", str(healthy.project.root))
    monkeypatch.setenv("COLUMNS", "200")

    def say(url: str) -> str:
        result = CliRunner().invoke(app, ["why", url], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.output

    known = healthy.store.frontier(healthy.family.family)[0]
    said = say(known.url)
    assert "yes, next at" in said
    assert f"batch {known.batch}" in said
    assert "plain ok" in said
    assert "no include pattern matches" in say("http://shop.test/about")
    assert "allowlist" in say("http://elsewhere.test/p/1")


def test_access_status_shows_rungs_and_what_they_lack(healthy: World) -> None:
    file = healthy.project.domains
    entry = yaml.safe_load(file.read_text())
    entry["domains"][0]["quota"] = {"pages": 1_000}
    file.write_text(yaml.safe_dump(entry))
    out = CliRunner().invoke(app, ["access", "status"], catch_exceptions=False).output
    lines = [" ".join(line.strip("│ ").split()) for line in out.splitlines()]
    assert "shop/product │ plain │ ready" in lines
    assert "shop.test │ pages │ 0 of 1,000 today" in lines
    starts = "shop/product │ starts at │ the cheapest rung: no other was needed"
    assert starts in lines
