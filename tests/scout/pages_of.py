"""Pages of a test, by their text."""

from crawloop_assets.document.document import Document
from crawloop_assets.page import Page
from tests.scout.sites import HTML, JSON


def html_page(body: str, url: str = "http://s.test/") -> Page:
    """A page of markup."""
    return Page(url=url, body=body.encode(), headers={"content-type": HTML})


def json_page(body: str, url: str = "http://s.test/api") -> Page:
    """A page of JSON."""
    return Page(url=url, body=body.encode(), headers={"content-type": JSON})


def document(body: str, url: str = "http://s.test/") -> Document:
    """A parsed page of markup."""
    return Document(html_page(body, url))


def site_page(pages: dict[str, tuple[str, str]], path: str) -> Page:
    """A page of one of the sites."""
    kind, text = pages[path]
    return Page(
        url=f"http://s.test{path}", body=text.encode(), headers={"content-type": kind}
    )
