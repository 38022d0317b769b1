"""Values that pages of one record say by a sign."""

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.by_signs import by_signs, contests, signs_again
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


def tried(reader: Reader) -> Tried:
    return Tried(candidate(reader), 2, 0, 0)


def test_a_sign_of_the_known_pages_is_read_on_all() -> None:
    found = by_signs(KNOWN, POOL, [one.document for one in KNOWN] + PAGES[3:])
    assert found and all(one.right == 3 for one in found)
    for one in found:
        said = [read(one.candidate.reader, Scope(page), POOL) for page in PAGES]
        assert said == FLAGS


def test_without_known_pages_nothing_is_found() -> None:
    assert by_signs([], POOL, PAGES) == []
    assert by_signs([KnownValue(index(body(0)), None)], POOL, PAGES) == []


def test_a_sign_contests_words_where_both_say_something() -> None:
    def rows(*pairs: str) -> list[Document]:
        return [document(f"<b>{word}</b><i>{sign}</i>") for word, sign in pairs]

    word, sign = ([tried(Reader(src=Source.CSS, at=at, kin=Kin.TAG))] for at in "bi")
    alike, other = rows("11", "00"), rows("10")
    assert not contests(sign, word, POOL, alike)
    assert not contests(sign, word, POOL, [*alike, document("<b>1</b>")])
    assert contests(sign, word, POOL, alike + other)
    assert not contests([], word, POOL, other)
    assert not contests(sign, [], POOL, other)


def test_the_sign_of_old_readers_is_found_beside_what_is_new() -> None:
    (old, *_) = by_signs(KNOWN, POOL, PAGES)
    new = [body(at).replace("</div>", "<p class='wall'></p></div>") for at in range(3)]
    known = [KnownValue(index(one), FLAGS[at]) for at, one in enumerate(new)]
    readers = [old.candidate.reader, candidate_of_text()]
    (again,) = signs_again(known, readers)
    said = [read(again.reader, Scope(document(one)), POOL) for one in new]
    assert said == FLAGS[:3]


def candidate_of_text() -> Reader:
    """A reader that reads no signs."""
    return Reader(src=Source.CSS, at="h1", kin=Kin.TAG)
