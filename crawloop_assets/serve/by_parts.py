"""A page as a model is asked about it: that of one record in one question, a list in as
many as show all its rows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.errors import NoModelAnswer
from crawloop_assets.family import Family
from crawloop_assets.llm.serve import MAX_RECORDS, ModelRead, PageEvidence
from crawloop_assets.sandbox import Evidence
from crawloop_assets.values.value import Value

_PART_CHARS = 20_000
_MOST_PARTS = 12
LIST_CHARS = _PART_CHARS * _MOST_PARTS
"""Characters of a list that are shown in all."""

_OVERLAP = 12
"""Lines that two parts have in common: a row that one of them cuts is whole in the
other."""


@dataclass(frozen=True)
class WholeRead:
    """What a model read of a page, by which answers, and whether that is all it shows."""

    records: tuple[dict[str, Value], ...]
    digests: tuple[str, ...] = ()
    is_whole: bool = True


def shown_parts(family: Family, url: str, evidence: Evidence) -> list[PageEvidence]:
    """The parts of a page, each for one question."""
    whole = PageEvidence(url, evidence.html, evidence.islands)
    if family.kind is FamilyKind.DETAIL or len(evidence.html) <= _PART_CHARS:
        return [whole]
    return [
        replace(whole, html=text, islands=() if number else whole.islands)
        for number, text in enumerate(_parts(evidence.html.splitlines()))
    ]


def read_parts(
    parts: Sequence[PageEvidence], read: Callable[[PageEvidence], ModelRead], cut: bool
) -> WholeRead:
    """All records of the parts, each once. A part without an answer, or with more rows
    than an answer holds, leaves the rest partial; a page of one part it costs."""
    records: list[dict[str, Value]] = []
    digests: list[str] = []
    is_whole = not cut
    for part in parts:
        try:
            found = read(part)
        except NoModelAnswer:
            if len(parts) == 1:
                raise
            is_whole = False
            continue
        digests.append(found.digest)
        is_whole = is_whole and len(found.records) < MAX_RECORDS
        records += [one for one in found.records if one not in records]
    return WholeRead(tuple(records), tuple(digests), is_whole)


def _parts(lines: Sequence[str]) -> Iterator[str]:
    """Lines in parts of at most so many characters that overlap."""
    begun = 0
    while begun < len(lines):
        end, size = begun, 0
        while end < len(lines) and (size == 0 or size + len(lines[end]) < _PART_CHARS):
            size, end = size + len(lines[end]) + 1, end + 1
        yield "\n".join(lines[begun:end])
        begun = end if end == len(lines) else max(begun + 1, end - _OVERLAP)
