"""Values that pages of one record say by a sign."""

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.by_signs import by_signs, differ
from crawloop_assets.induce.detail.trials import KnownValue, Tried
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.detail.documents import candidate, document, index

POOL = FieldSpec(name="pool", kind=FieldKind.BOOLEAN)
FLAGS = [True, False, True, False, False, True, False, True]


def body(at: int) -> str:
    mark = '<i class="swim"></i>' * FLAGS[at]
    return f'<main><h1>House {at}</h1><div class="facts">{mark}</div></main>'


PAGES = [document(body(at)) for at in range(len(FLAGS))]
KNOWN = [KnownValue(index(body(at)), FLAGS[at]) for at in range(3)]


def test_a_sign_of_the_known_pages_is_read_on_all() -> None:
    found = by_signs(KNOWN, POOL, [one.document for one in KNOWN] + PAGES[3:])
    assert found and all(one.right == 3 for one in found)
    for one in found:
        said = [read(one.candidate.reader, Scope(page), POOL) for page in PAGES]
        assert said == FLAGS


def test_without_known_pages_nothing_is_found() -> None:
    assert by_signs([], POOL, PAGES) == []
    assert by_signs([KnownValue(index(body(0)), None)], POOL, PAGES) == []


def test_two_readers_differ_where_both_say_something() -> None:
    rows = [document(f"<b>{one}</b><i>{other}</i>") for one, other in ((1, 1), (0, 0))]
    bold, italic = (
        Tried(candidate(Reader(src=Source.CSS, at=at, kin=Kin.TAG)), 2, 0, 0)
        for at in "bi"
    )
    assert not differ(bold, italic, POOL, rows)
    assert not differ(bold, italic, POOL, [*rows, document("<b>1</b>")])
    assert differ(bold, italic, POOL, [*rows, document("<b>1</b><i>0</i>")])
