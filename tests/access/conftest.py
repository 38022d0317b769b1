"""The nuisance site, and a fetcher that may visit it."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.access.client import verifying
from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.access.retry import Patience
from crawloop_assets.family import Domain, Domains
from tests.access.serving import running
from tests.access.site import Site

AGENT = "crawlooptest/1.0 (+https://crawler.test/about)"
QUICK = Patience(retries=3, base_s=0.05)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def site() -> Iterator[Site]:
    with running(Site()) as site:
        yield site


MakeFetcher = Callable[..., Fetcher]


@pytest.fixture
def make_fetcher(site: Site, tmp_path: Path) -> MakeFetcher:
    """A fetcher for hosts 0 to 3 of the site; options of the domains and of the fetcher by name."""

    def make(
        domain: dict[str, Any] | None = None, hosts: int = 4, **options: Any
    ) -> Fetcher:
        policy = {
            "scheme": "http",
            "port": site.port,
            "private": True,
            "max_rps": 2_000,
            "concurrency": 4,
        }
        entries = tuple(
            Domain.model_validate(
                {"host": f"127.0.0.{host + 1}", **policy, **(domain or {})}
            )
            for host in range(hosts)
        )
        options = {"patience": QUICK} | options
        return Fetcher(Domains(user_agent=AGENT, domains=entries), tmp_path, **options)

    return make


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    key, file = folder / "key.pem", folder / "certificate.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
    ]
    command += [
        "-keyout",
        str(key),
        "-out",
        str(file),
        "-days",
        "2",
        "-subj",
        f"/CN={name}",
    ]
    command += ["-addext", f"subjectAltName=DNS:{name}"]
    subprocess.run(command, check=True, capture_output=True)
    return key, file


@pytest.fixture
def trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Path, Path]]:
    """Key and certificate of secure.test, which we trust."""
    key, file = certificate(tmp_path, "secure.test")
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    verifying.cache_clear()
    yield key, file
    verifying.cache_clear()
