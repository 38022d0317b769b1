"""What the address of a page says of its thing: the id behind the words of a name.

A site that is built anew keeps its addresses, as others lead there. What stands in them
is read where nothing on the page says it, and where all known pages have it in the same
place of theirs.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from urllib.parse import urlsplit

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.induce.detail.recurrence import placed_readers
from crawloop_assets.induce.detail.trials import KnownValue, Tried, pages_with_value
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape

_KINDS = (FieldKind.TEXT, FieldKind.INTEGER)
_SIGNS = ("", "-", "_", ".")
_SHORTEST = 3
_FEWEST = 2  # pages, each with a value of its own


def in_own_address(known: Sequence[KnownValue], spec: FieldSpec) -> list[Tried]:
    """Readers of the one place of the pages' addresses that says all known values."""
    pages = pages_with_value(known)
    values = list(dict.fromkeys(str(page.value) for page in pages))
    is_one = spec.kind in _KINDS and spec.shape is Shape.ONE
    are_different = len(values) == len(pages) >= _FEWEST
    if not (is_one and are_different) or min(map(len, values)) < _SHORTEST:
        return []
    addresses = [page.document.page.url for page in pages]
    pairs = list(zip(addresses, values, strict=True))
    pipes = [
        pipe
        for pipe in dict.fromkeys(_pipes(addresses[0], values[0]))
        if all(apply(pipe, [address]) == [value] for address, value in pairs)
    ]
    prior = tuned("page_address.trust")
    readers = (
        Reader(src=Source.CSS, at=".", get="address", pipe=pipe, kin=Kin.OTHER)
        for pipe in pipes[:1]
    )
    places = [CandidateReader(reader, prior, 0.0) for reader in readers]
    return placed_readers(known, spec, places)


def _pipes(address: str, value: str) -> Iterator[Pipe]:
    """What cuts a value out of an address: a step of its path or a part of one, counted
    from the end; what a parameter says."""
    parsed = urlsplit(address)
    steps = parsed.path.split("/")
    head: Pipe = (Step(op=Op.PART, args=("?", 0)),) if parsed.query else ()
    for at, step in enumerate(steps):
        step_pipe = (*head, Step(op=Op.PART, args=("/", at - len(steps))))
        for sign in _SIGNS:
            parts = step.split(sign) if sign else [step]
            for index in _nearest(parts, value):
                cut = (Step(op=Op.PART, args=(sign, index)),) if sign else ()
                yield (*step_pipe, *cut)
    for name, _, said in map(_pair, parsed.query.split("&")):
        if said == value:
            start = (Step(op=Op.AFTER, args=(f"{name}=",)),)
            yield (*start, Step(op=Op.PART, args=("&", 0)))


def _pair(parameter: str) -> tuple[str, str, str]:
    """A parameter's name and what it says."""
    return parameter.partition("=")


def _nearest(parts: Sequence[str], value: str) -> Iterator[int]:
    """Where a value is among parts, counted from either end."""
    found = (at for at, part in enumerate(parts) if part == value)
    yield from chain.from_iterable((at - len(parts), at) for at in found)
