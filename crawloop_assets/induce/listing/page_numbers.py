"""The numbers of urls that count the pages of a listing: ?page=3, /page/3."""

import re
from collections.abc import Iterator
from itertools import chain, pairwise
from urllib.parse import SplitResult, parse_qsl, urljoin, urlsplit

_PAGE_KEY = re.compile(
    r"^(?:p|pg|page|paged|pagenum|page_?no|page_?number|start|offset|from|skip)$",
    re.IGNORECASE,
)
_NO_PAGES = ("#", "javascript:", "mailto:")


def leads_onward(base_url: str, href: str) -> bool:
    """Whether a link leads to another page of this site, and not to a page with a lower
    number."""
    link = href.strip()
    if not link or link.startswith(_NO_PAGES):
        return False
    here = _joined(base_url, "")
    there = _joined(base_url, link)
    if here is None or there is None:
        return False
    return _is_other_page(here, there) and not _is_earlier(here, there)


def _is_other_page(here: SplitResult, there: SplitResult) -> bool:
    """Whether a url is on the same site, but not the same but for its fragment."""
    return here.netloc == there.netloc and here[2:4] != there[2:4]


def _is_earlier(here: SplitResult, there: SplitResult) -> bool:
    """Whether a number that both urls have is not higher in the second."""
    now, then = dict(_page_numbers(here)), dict(_page_numbers(there))
    return any(then[key] <= now[key] for key in now.keys() & then.keys())


def is_number_of(number: int, base_url: str, href: str) -> bool:
    """Whether a link leads to the page of that number, counted from 1 or from 0."""
    target = _joined(base_url, href)
    if target is None:
        return False
    numbers = {value for _, value in _page_numbers(target)}
    return not numbers.isdisjoint((number, number - 1))


def _joined(base_url: str, href: str) -> SplitResult | None:
    """The parts of a link's url, of the page itself for ""; None if it is
    malformed."""
    try:
        return urlsplit(urljoin(base_url, href))
    except ValueError:
        return None


def _page_numbers(parts: SplitResult) -> Iterator[tuple[str, int]]:
    """The numbers of a url that count pages, by the word before them."""
    parameters = parse_qsl(parts.query)
    segments = pairwise(parts.path.split("/"))
    for key, value in chain(parameters, segments):
        is_page_key = _PAGE_KEY.match(key)
        if is_page_key and value.isdecimal():
            yield key, int(value)
