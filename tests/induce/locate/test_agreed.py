"""What speaks for few known values, if the best say the same."""

from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.induce.locate.agreed import first_agreed

ONE, OTHER = (Reader(src=Source.CSS, at=at) for at in ("b", "i"))


class Said(NamedTuple):
    reader: Reader
    said: tuple[str, ...]
    rank: int


def test_those_that_come_first_are_taken_if_they_say_the_same() -> None:
    rank = attrgetter("rank")
    best, alike = Said(ONE, ("yes", "no"), 0), Said(OTHER, ("yes", "no"), 0)
    later = Said(OTHER, ("no", "no"), 1)
    assert first_agreed([later, best, alike, best], rank) == [ONE, OTHER]
    assert first_agreed([later, best], rank) == [ONE], "whatever comes later says"
    assert first_agreed([best, later._replace(rank=0)], rank) == []
    assert first_agreed([], rank) == []
