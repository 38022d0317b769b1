"""What a console answers about one page: which readers would read a value, and what a
selector finds."""

from collections.abc import Iterator
from itertools import islice

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.read import Scope, read_texts
from crawloop_assets.crawler.readable import reader_line
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.trials import KnownValue, induce
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec
from crawloop_assets.scout.answers import Lookup

_MOST = 20
_LONGEST = 200
_ROOTS = ("ld:", "md:", "rdfa:", "js:", "body", "$")


def readers_for(page: Page, value: str) -> Lookup:
    """The readers that would read a value on a page, the most trusted first."""
    document = Document(page)
    known = [KnownValue(Index(document), value)]
    tried = induce(known, FieldSpec(name="value"))
    lines = tuple(reader_line(one.candidate.reader) for one in tried[:_MOST])
    problem = "" if lines else "no reader of the page gives that"
    return Lookup(lines=lines, problem=problem)


def found_at(page: Page, at: str, get: str) -> Lookup:
    """The texts that a selector finds on a page: css, or xpath from `/`, or a path into
    its data."""
    document = Document(page)
    try:
        texts = list(islice(_texts_at(document, at, get), _MOST))
    except ValueError as error:  # no selector, or too dear a one
        return Lookup(problem=str(error).splitlines()[0][:_LONGEST])
    problem = "" if texts else "nothing is there"
    return Lookup(lines=tuple(text[:_LONGEST] for text in texts), problem=problem)


def _texts_at(document: Document, at: str, get: str) -> Iterator[str]:
    """The same, one by one."""
    source = _source_of(at)
    usual = "value" if source is Source.JSON else "text"
    reader = Reader(src=source, at=at, get=get or usual)
    yield from read_texts(reader, Scope(document))


def _source_of(at: str) -> Source:
    """The language of a selector."""
    if at.startswith(("/", "(", "./")):
        return Source.XPATH
    return Source.JSON if at.startswith(_ROOTS) else Source.CSS
