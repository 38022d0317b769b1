"""A page as a model is asked about it: that of one record in one question, a list in as
many as show all its rows, and whose answers hold them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.errors import AnswerCut, NoModelAnswer
from crawloop_assets.family import Family
from crawloop_assets.llm.serve import MAX_RECORDS, ModelRead, PageEvidence
from crawloop_assets.sandbox import Evidence
from crawloop_assets.values.value import Value

_PART_CHARS = 20_000
_MOST_PARTS = 24
LIST_CHARS = _PART_CHARS * _MOST_PARTS
"""Characters of a list that are shown in all."""

_OVERLAP = 12
"""Lines that two parts have in common: a row that one of them cuts is whole in the
other."""
_MOST_HALVINGS = 2
"""Of a part whose rows are more than an answer holds."""


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
        replace(whole, html=text, islands=() if number else whole.islands, is_part=True)
        for number, text in enumerate(_parts(evidence.html.splitlines()))
    ]


def read_parts(
    parts: Sequence[PageEvidence],
    read: Callable[[PageEvidence], ModelRead],
    cut: bool,
    *,
    is_list: bool = False,
) -> WholeRead:
    """All records of the parts, each once. A part of a list whose rows are more than an
    answer holds is asked about in halves, and so are those behind it. A part without an
    answer, or with more rows than one may have, leaves the rest partial; a page of one
    part it costs."""
    reads = _Reads(read, _MOST_HALVINGS if is_list else 0)
    for part in parts:
        reads.add(part)
    if reads.lost is not None and len(parts) == 1 and not reads.digests:
        raise reads.lost
    is_whole = not cut and reads.lost is None and not reads.has_too_many
    return WholeRead(tuple(reads.records), tuple(reads.digests), is_whole)


@dataclass
class _Reads:
    """What is read of the parts of a page so far; each is halved at most so often, and
    is from now on `halvings` times before it is asked about."""

    read: Callable[[PageEvidence], ModelRead]
    most: int
    halvings: int = 0
    records: list[dict[str, Value]] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)
    lost: NoModelAnswer | None = None
    has_too_many: bool = False

    def add(self, part: PageEvidence, halved: int = 0) -> None:
        """Read a part, or its halves."""
        halves = _halves(part) if halved < self.most else []
        if halves and halved < self.halvings:
            for half in halves:
                self.add(half, halved + 1)
            return
        try:
            found = self.read(part)
        except NoModelAnswer as error:
            if halves and isinstance(error, AnswerCut):
                self.halvings = halved + 1
                self.add(part, halved)
            else:
                self.lost = error
            return
        self.digests.append(found.digest)
        self.has_too_many |= len(found.records) >= MAX_RECORDS
        self._join(list(found.records))

    def _join(self, found: list[dict[str, Value]]) -> None:
        """Add records, each once; one that the edge of a part cuts is whole in the
        other part."""
        common = _common_rows(self.records, found)
        kept = len(self.records) - common
        pairs = zip(self.records[kept:], found, strict=False)
        new = [max(pair, key=len) for pair in pairs] + found[common:]
        del self.records[kept:]
        self.records += [one for one in new if one not in self.records]


def _common_rows(
    before: Sequence[Mapping[str, Value]], behind: Sequence[Mapping[str, Value]]
) -> int:
    """How many of the last rows of a part are the first ones of the next: the most that
    fit, one by one. That another row somewhere says as much makes no row a cut one."""
    most = min(len(before), len(behind), _OVERLAP)
    counts = range(most, 0, -1)
    return next((one for one in counts if _fit(before[-one:], behind[:one])), 0)


def _fit(
    before: Sequence[Mapping[str, Value]], behind: Sequence[Mapping[str, Value]]
) -> bool:
    """Whether rows are the same; of the last one of a part its head is enough, of the
    first one of the next its tail."""
    is_tail = behind[0].items() <= before[0].items()
    is_head = before[-1].items() <= behind[-1].items()
    fits = any if len(before) == 1 else all
    return fits((is_tail, is_head)) and before[1:-1] == behind[1:-1]


def _halves(part: PageEvidence) -> list[PageEvidence]:
    """The halves of a part, which overlap like parts; none of one that is short."""
    lines = part.html.splitlines()
    middle, beyond = len(lines) // 2, _OVERLAP // 2
    if middle <= _OVERLAP:
        return []
    texts = (lines[: middle + beyond], lines[middle - beyond :])
    first, second = (
        replace(part, html="\n".join(text), is_part=True) for text in texts
    )
    return [first, replace(second, islands=())]


def _parts(lines: Sequence[str]) -> Iterator[str]:
    """Lines in parts of at most so many characters that overlap."""
    begun = 0
    while begun < len(lines):
        end, size = begun, 0
        while end < len(lines) and (size == 0 or size + len(lines[end]) < _PART_CHARS):
            size, end = size + len(lines[end]) + 1, end + 1
        yield "\n".join(lines[begun:end])
        begun = end if end == len(lines) else max(begun + 1, end - _OVERLAP)
