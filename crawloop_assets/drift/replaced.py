"""Whether another page came in the place of the one that was asked for.

Sites answer with a page they still have where they have lost one, and with status 200.
Such a page says itself where it belongs. Templates call all pages by one name, and a
page may have two, so its title has to say what that address says, and neither may have
a word of the one that was asked for.
"""

import re
from urllib.parse import unquote, urlsplit

from crawloop_assets.document.links import absolute
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.page import Page, Verdict

_PART = re.compile(r"[^\W_]{3,}")
_FEWEST_WORDS = 2
_MOST = 0.5
"""So much of what an address says is in the title of its page."""


def replaced(page: Page, facts: PageFacts) -> tuple[Verdict, str] | None:
    """That a page is another one than was asked for, and why; None if nothing says
    so."""
    asked, title = _words_of(page.base_url), set(_words(facts.title))
    if len(asked) < _FEWEST_WORDS or asked & title:
        return None
    given = filter(None, (facts.canonical, facts.shared_as))
    own = [absolute(page.base_url, name) for name in given]
    names = {name: _words_of(name) for name in filter(None, own)}
    if any(asked & said for said in names.values()):
        return None
    for name, said in names.items():
        is_one_section = _section(page.base_url) == _section(name)
        if is_one_section and _is_said(said, title):
            return Verdict.SOFT_404, f"the page and its title say that this is {name}"
    return None


def _is_said(words: set[str], title: set[str]) -> bool:
    """Whether a title says most of what an address says."""
    return len(words) >= _FEWEST_WORDS and len(words & title) >= _MOST * len(words)


def _section(url: str) -> tuple[str, str]:
    """The host and the first step of a path, "" where it is the only one: in another
    language a page has other words."""
    parts = urlsplit(url)
    first, _, rest = parts.path.lstrip("/").partition("/")
    host = (parts.hostname or "").removeprefix("www.")
    return host, first if rest else ""


def _words_of(url: str) -> set[str]:
    """The words of the last step of an address."""
    last = unquote(urlsplit(url).path).rstrip("/").rpartition("/")[-1]
    return set(_words(last))


def _words(text: str) -> list[str]:
    """The words of a text, folded; what has a digit in it is a number or made up."""
    return list(filter(str.isalpha, _PART.findall(text.casefold())))
