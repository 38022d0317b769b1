"""A number that has moved on where people see it, and is stated for machines as it was: what is
stated is often cached apart from the page."""

from operator import attrgetter

from crawloop_assets.crawler.evidence import is_for_machines
from crawloop_assets.induce.locate.nearness import count_near, may_move
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.value import Value


def is_late(spec: FieldSpec, index: Index, known: Value, now: Value | None) -> bool:
    """Whether a known number that may change every day stands on a page where nobody sees
    it only, and one near it is read."""
    is_near = may_move(spec) and bool(count_near(spec, [known], [now]))
    return is_near and is_unseen(index, known, spec)


def is_unseen(index: Index, value: Value, spec: FieldSpec) -> bool:
    """Whether a value stands nowhere on a page where people see it."""
    gets = map(attrgetter("get"), index.places(value, spec))
    return all(map(is_for_machines, gets))
