"""Values that a person says of one row, in which two fields have the same one.

"6" is how long the course lasts and how many places are left: from that row alone both are
learned from one column. Where what was known of the two differs, one of them is another's.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

from crawloop_assets.crawler.extraction import Example, ExtractedRecord
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.proof.twins import KnownAndRead, twin_of
from crawloop_assets.induce.taught import Lesson

_NOTHING_READ = ExtractedRecord(values={})
_DIFFERENT = "say it of a row or a page in which they differ"


def twin_lessons(
    program: Program,
    documents: Sequence[Document],
    known: Sequence[Example],
    lessons: Sequence[Lesson],
) -> Iterator[str]:
    """Of each taught field that is read in the place of another one, though what was
    `known` of the two differs, that it is: nobody can tell which of them stands there."""
    read = chain.from_iterable(run(program, one).records for one in documents)
    rows = [KnownAndRead({}, record) for record in read]
    for example in known:
        rows += [KnownAndRead(one, _NOTHING_READ) for one in example.records]
    taught = dict.fromkeys(one.field for one in lessons if one.value is not None)
    for name in taught:
        if twin := twin_of(name, program, rows):
            yield f"{name}: it is read in the place of `{twin}`, {_DIFFERENT}"
