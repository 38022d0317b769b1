from crawloop_assets.crawler.document import Document
from crawloop_assets.induce.byname import value_by_name
from crawloop_assets.induce.places import Index
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, Kind, Shape


def said(html: str, **spec: object) -> object:
    return value_by_name(Index(Document(Page(url="https://x.example/", body=html.encode()))), FieldSpec(**spec))


def test_a_label_and_a_class_that_agree_are_believed() -> None:
    html = "<div class='prep-time'><b>Prep time</b> <span class='prep-time-value'>10 min</span></div>"
    assert said(html, name="prep_time", kind=Kind.MINUTES) == 10


def test_one_of_them_alone_is_not() -> None:
    assert said("<b>Prep time</b> <i>10 min</i>", name="prep_time", kind=Kind.MINUTES) is None
    assert said("<i class='prep-time'>10 min</i>", name="prep_time", kind=Kind.MINUTES) is None
    assert said("<b>Author</b> <i>Ada</i> <i class='author'>Bob</i>", name="author") is None


def test_lists_are_believed_too() -> None:
    html = "<h2>Ingredients</h2><ul class='ingredients'><li class='ingredient'>a<li class='ingredient'>b</ul>"
    assert said(html, name="ingredients", shape=Shape.LIST) == ["a", "b"]
