"""What a site is called by its host: such a name stands on all of its pages."""

from urllib.parse import urlsplit

from crawloop_assets.values.text import letters


def site_names(url: str) -> set[str]:
    """The letters of the host of a page, with and without its last part:
    "https://www.dulse.example/a" -> {"dulseexample", "dulse"}."""
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    return set(filter(None, map(letters, (host, host.rpartition(".")[0]))))
