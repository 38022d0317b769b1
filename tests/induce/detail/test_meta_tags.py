from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.meta_tags import heading_candidates, meta_candidates
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value
from tests.induce.detail.documents import document

TITLE = FieldSpec(name="title")
IMAGE = FieldSpec(name="image", kind=FieldKind.URL)
TAGS = FieldSpec(name="tags", shape=Shape.SET, aliases=("keywords",))


def stated(head: str, spec: FieldSpec) -> list[tuple[Value, float]]:
    page = document("", head)
    found = meta_candidates(page, spec, words_of(spec))
    return [
        (read(each.reader, Scope(page), spec), round(each.prior, 4)) for each in found
    ]


def test_tags_are_read_under_all_names_the_vocabulary_knows() -> None:
    head = "<meta property='og:title' content='Soup'>"
    assert stated(head, TITLE) == [("Soup", 0.7)]
    names = words_of(TITLE).meta
    head = f"<meta name='{names[1]}' value='Stew'>"
    assert stated(head, TITLE) == [("Stew", 0.66)]


def test_the_picture_that_stands_for_the_page_is_believed_most() -> None:
    head = "<meta property='og:image' content='/a.jpg'>"
    assert stated(head, IMAGE) == [("https://acme.example/a.jpg", 1.25)]


def test_the_sites_name_is_no_part_of_a_title() -> None:
    assert stated("<meta property='og:title' content='Soup | Acme'>", TITLE) == [
        ("Soup", 0.7)
    ]


def test_keywords_are_cut_at_commas() -> None:
    head = "<meta name='keywords' content='red, hot'>"
    assert [value for value, _ in stated(head, TAGS)] == [["red", "hot"]]
    listed = TAGS.model_copy(update={"shape": Shape.LIST})
    assert [value for value, _ in stated(head, listed)] == [["red", "hot"]]


def test_texts_of_a_list_are_not_cut() -> None:
    spec = FieldSpec(name="summary", shape=Shape.LIST)
    head = "<meta name='description' content='Red, hot.'>"
    assert [value for value, _ in stated(head, spec)] == [["Red, hot."]]


def test_addresses_and_empty_tags_say_nothing() -> None:
    assert stated("<meta property='og:title' content='/soup'>", TITLE) == []
    assert stated("<meta property='og:title'>", TITLE) == []
    assert stated("", TITLE) == []


def headings(body: str, spec: FieldSpec) -> list[str]:
    found = heading_candidates(document(body), spec, words_of(spec))
    return [each.reader.at for each in found]


def test_the_only_heading_is_the_title() -> None:
    assert headings("<h1>Soup</h1>", TITLE) == ["h1"]
    assert headings("<h1>Soup</h1><h1>Stew</h1>", TITLE) == []
    assert headings("<h1><img src='/a.jpg'></h1>", TITLE) == []
    assert headings("<h2>Soup</h2>", TITLE) == []
    assert headings("<h1>Soup</h1>", IMAGE) == []
    titles = TITLE.model_copy(update={"shape": Shape.LIST})
    assert headings("<h1>Soup</h1>", titles) == []
