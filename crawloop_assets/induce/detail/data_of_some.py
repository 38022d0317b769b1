"""Data that some pages have and others lack, as a product's linked data is left out where it is
sold out: a reader of it that weighs more than all others would doubt what they say there."""

from collections.abc import Sequence
from operator import attrgetter

from crawloop_assets.crawler.program import FieldProgram, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document

_MOST = 1.2
"""What silent readers may weigh of those that speak, so that what these say is published."""
_FEWEST = 2  # readers that read one value


def weighed_by_silence(
    field: FieldProgram, documents: Sequence[Document]
) -> FieldProgram:
    """The field with less weight on its first reader where that is one of data, some of these
    pages have none, and several others read one value there."""
    first, others = field.readers[:1], field.readers[1:]
    weight = sum(map(attrgetter("weight"), first))
    if _is_light(first, others) or len(others) < _FEWEST:
        return field
    spoken = (
        _spoken(field, others, Scope(one)) for one in documents if _lacks(field, one)
    )
    least = min(filter(None, spoken), default=weight)
    if weight <= _MOST * least:
        return field
    lighter = first[0].model_copy(update={"weight": round(_MOST * least, 4)})
    return field.model_copy(update={"readers": (lighter, *others)})


def _is_light(first: Sequence[Reader], others: Sequence[Reader]) -> bool:
    """Whether a reader is none of data, or weighs no more than others that agree."""
    heavy = [one for one in first if one.src is Source.JSON]
    least = _MOST * sum(map(attrgetter("weight"), others))
    return bool(sum(map(attrgetter("weight"), heavy)) <= least)


def _lacks(field: FieldProgram, document: Document) -> bool:
    """Whether a page has nothing for the first reader."""
    return read(field.readers[0], Scope(document), field.spec) is None


def _spoken(field: FieldProgram, readers: Sequence[Reader], scope: Scope) -> float:
    """The weight of the readers that speak on a page, if they are several and say the same."""
    said = [(read(one, scope, field.spec), one.weight) for one in readers]
    heard = [(str(value), weight) for value, weight in said if value is not None]
    is_one = len(heard) >= _FEWEST and len({value for value, _ in heard}) == 1
    return sum(weight for _, weight in heard) * is_one
