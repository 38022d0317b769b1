"""Prometheus asks a real endpoint after a real run."""

import builtins
import re
import urllib.request
from collections import Counter
from typing import Any

import pytest
from prometheus_client import start_http_server

from crawloop_assets.errors import ConfigError
from crawloop_assets.report.metrics import meter_provider, prometheus_reader
from crawloop_assets.store.measures import INSTRUMENTS
from tests.world import World


def scraped(made: World) -> dict[str, float]:
    """What Prometheus would take from a process that starts now."""
    provider = meter_provider(made.project, made.store, [prometheus_reader()])
    server, thread = start_http_server(0, addr="127.0.0.1")
    try:
        url = f"http://127.0.0.1:{server.server_port}/metrics"
        with urllib.request.urlopen(url, timeout=20) as answer:
            text = answer.read().decode()
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
        provider.shutdown()
    lines = re.findall(r"^(crawloop\S*?)\{(.*?)\} (\S+)$", text, re.M)
    found: Counter[str] = Counter()
    for name, labels, value in lines:
        said = " ".join(re.findall(r'(?:check|verdict)="(.*?)"', labels))
        found[f"{name} {said}"] += float(value)  # type: ignore[assignment]
    return dict(found)


def test_a_red_project_is_measured_and_again_after_a_restart(red: World) -> None:
    found = scraped(red)
    (seen,) = red.store.families.overviews([red.family])
    assert found["crawloop_batches_red "] == len(seen.red) > 0
    assert found["crawloop_rows_stale "] == seen.stale > 0
    assert found["crawloop_pages_held "] == seen.held > 0
    assert found["crawloop_rows "] == seen.rows
    assert any(name.startswith("crawloop_drift_total") for name in found)
    assert found["crawloop_fetches_total ok"] >= seen.rows
    known = {name.split()[0] for name in found}
    for word in ("fetches_total", "pages_rate_per_second", "rows_fresh_share"):
        assert any(word in name for name in known), (word, known)
    assert len(INSTRUMENTS) >= 12
    assert scraped(red) == found


def test_without_the_extra_it_says_what_to_install(
    red: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *more: Any) -> Any:
        if name.startswith("opentelemetry"):
            raise ImportError(name)
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", without)
    for asked in (
        lambda: meter_provider(red.project, red.store, []),
        prometheus_reader,
    ):
        with pytest.raises(ConfigError, match=r"crawloop-assets\[metrics\]"):
            asked()
