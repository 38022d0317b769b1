"""Prices that a version reads beside another currency than one before took pages to write.

What is published of them would be other money without a word, so a person has to say
that it may.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter

from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.heal.rewritten import Rewritten
from crawloop_assets.serve.versions import as_program
from crawloop_assets.store import CrawlerVersion
from crawloop_assets.store.known import KnownRow
from crawloop_assets.values.currencies import may_be_one

_NAME, _CURRENCY = attrgetter("spec.name"), attrgetter("spec.currency")


def renoted(before: Program, now: Program) -> Iterator[Rewritten]:
    """The fields whose numbers stand with another currency in the program that is `now`."""
    was = _currencies(before.fields)
    for name, currency in _currencies(now.fields).items():
        if not may_be_one(was.get(name) or currency, currency):
            yield Rewritten(name, was[name], currency)


def say_renoted(fields: Iterable[Rewritten]) -> str:
    """Which fields stand with another currency, in words; "" for none."""
    names = ", ".join(map(attrgetter("field"), fields))
    return f"{names} in another currency than before" if names else ""


def _currencies(fields: Sequence[FieldProgram]) -> Mapping[str, str]:
    """What the fields stand with that have a currency."""
    priced = list(filter(_CURRENCY, fields))
    return dict(zip(map(_NAME, priced), map(_CURRENCY, priced), strict=True))


def since_known(
    known: Mapping[str, Sequence[KnownRow]], versions: Sequence[CrawlerVersion]
) -> Iterator[Rewritten]:
    """The same of the active version, the first one, and those that read what is known."""
    by_number = {one.version: one for one in versions}
    rows = chain.from_iterable(known.values())
    readers = dict.fromkeys(map(attrgetter("version"), rows))
    for before in filter(None, map(by_number.get, readers)):
        yield from renoted(as_program(before), as_program(versions[0]))
