"""The places of all readers, as what they are to the value."""

from crawloop_assets.crawler.marked import marks_of
from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.trace import trace_record
from crawloop_assets.document.display import MarkRole
from tests.crawler.test_interpreter import css, detail, field
from tests.document.build import document


def test_the_winner_is_read_others_say_the_same_or_something_else() -> None:
    page = document(
        '<h1 title=Lamp>Lamp</h1><b>LAMP</b><i>Other</i><script type="application/ld+json">'
        '{"@type": "Product", "name": "Lamp"}</script>'
    )
    stated = Reader(src=Source.JSON, at="ld:Product.name", get="value")
    readers = (css("h1", weight=2), css("b"), css("i"), stated, css("u"))
    marks = marks_of(trace_record(detail(field("name", *readers)), page, {}))
    found = [(one.element and page.tags[one.element], one.role) for one in marks]
    assert found == [
        ("h1", MarkRole.READ),
        ("b", MarkRole.ALSO),
        ("i", MarkRole.AGAINST),
        (None, MarkRole.ALSO),
    ]
    assert marks[0].says == "name: Lamp"
    assert "ld:Product.name" in marks[3].text and "Lamp" in marks[3].text


def test_an_attribute_is_named_with_what_was_found_in_it() -> None:
    page = document("<h1 title=Lamp>A lamp</h1>")
    (mark,) = marks_of(
        trace_record(detail(field("name", css("h1", "@title"))), page, {})
    )
    assert mark.says == "name: @title = Lamp → Lamp"
