"""What each witness of a field had to say, in words: for a field that healing leaves as
it was."""

from collections.abc import Iterable
from operator import attrgetter

from crawloop_assets.induce.healing.page_witness import PageWitnesses
from crawloop_assets.induce.healing.witness import Witnesses
from crawloop_assets.induce.locate.occurrence import occurs_on
from crawloop_assets.values.present import present
from crawloop_assets.values.value import Value

_WITNESSES = (("its {} reader(s) give", "value"), ("structured data states", "stated"))
"""Who is asked what it says on each page."""


def in_words(witnesses: Witnesses) -> str:
    """What its old readers give, what structured data states and where the known values
    are, page by page counted, with an example of each."""
    pages, readers = witnesses.pages, len(witnesses.old.readers)
    parts = [
        f"{who.format(readers)} {_on_pages(map(attrgetter(says), pages))}"
        for who, says in _WITNESSES
    ]
    known = [page for page in pages if page.known is not None]
    present = sum(map(_is_present, known))
    parts.append(f"{present} of {len(known)} known value(s) stand on their page")
    return ", ".join(parts)


def _is_present(page: PageWitnesses) -> bool:
    """Whether the known value of a page is on it."""
    return page.known is not None and occurs_on(page.index, page.known, page.spec)


def _on_pages(values: Iterable[Value]) -> str:
    """Such as "'Acme' on 2 of 3 page(s)", cut; "nothing" if none of them is there."""
    everything = list(values)
    read = present(everything)
    if not read:
        return "nothing"
    return f"{read[0]!r:.40} on {len(read)} of {len(everything)} page(s)"
