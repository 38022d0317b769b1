"""Candidates that read nothing more than the version before, and less.

Where something moved farther than ever (the wind of a stormy night), a batch may be red though all is
read right. Few known values stand there then, and other fields that change every day are left
out for what stands there by chance. That mends nothing.
"""

from collections.abc import Collection
from operator import attrgetter

from crawloop_assets.crawler.program import Program


def left_for_nothing(
    before: Program, candidate: Program, red: Collection[str]
) -> list[str]:
    """The fields that a candidate leaves out though nothing `red` is about them, if it is
    the version before in all else; none for another one."""
    names = set(map(attrgetter("spec.name"), candidate.fields))
    left = set(map(attrgetter("spec.name"), before.fields)) - names
    is_same = _reads(before.without(left)) == _reads(candidate)
    return sorted(left.difference(red)) if is_same else []


def _reads(program: Program) -> tuple[object, ...]:
    """What a program reads, and of which rows."""
    readers = tuple(map(attrgetter("all_readers"), program.fields))
    return readers, program.record, program.part
