"""A family of captured pages served and nothing else: what `crawloop scout`, `crawl` and
`shell` can be tried on."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crawloop_assets.replay.server import ReplayFamily, ReplayServer

_SHOWN = 5


@contextmanager
def served_family(
    data_dir: Path, family: str, redesign: int = -1
) -> Iterator[list[str]]:
    """Serve the pages before a redesign on 127.0.0.1 until the block ends; the lines that
    say how they are reached."""
    server = ReplayServer(ReplayFamily.load(data_dir, family, redesign))
    with server.served():
        urls = server.family.urls
        more = [f"… and {len(urls) - _SHOWN} more"] if len(urls) > _SHOWN else []
        yield [
            f"{len(urls)} pages of {family} are served. In another terminal:",
            f"export CRAWLOOP_RESOLVE={server.resolve}",
            *(f"crawloop scout '{url}'" for url in urls[:_SHOWN]),
            *more,
        ]
