"""What each witness of a field had to say, in words: for a field that healing leaves as
it was."""

from collections.abc import Sequence

from crawloop_assets.induce.healing.witness import Witnesses
from crawloop_assets.induce.locate.occurrence import occurs_on
from crawloop_assets.values.value import Value

_MOST_CHARS = 40


def in_words(witnesses: Witnesses) -> str:
    """What its old readers give, what structured data states and where the known values
    stand, page by page counted, with an example of each."""
    pages = witnesses.pages
    known = [page for page in pages if page.known is not None]
    present = [
        page.known
        for page in known
        if occurs_on(page.index, page.known, witnesses.spec)
    ]
    witnessed = (
        (f"its {len(witnesses.old.readers)} reader(s) give", [p.value for p in pages]),
        ("structured data states", [page.stated for page in pages]),
    )
    parts = [f"{who} {_on_pages(values)}" for who, values in witnessed]
    parts.append(f"{len(present)} of {len(known)} known value(s) stand on their page")
    return ", ".join(parts)


def _on_pages(values: Sequence[Value]) -> str:
    """Such as "'Acme' on 2 of 3 pages"; "nothing" if none of them is there."""
    read = [value for value in values if value is not None]
    if not read:
        return "nothing"
    example = repr(read[0])
    if len(example) > _MOST_CHARS:
        example = f"{example[:_MOST_CHARS]}…"
    return f"{example} on {len(read)} of {len(values)} page(s)"
