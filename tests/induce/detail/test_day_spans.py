"""Of a span of days a field is one of them."""

import pytest

from crawloop_assets.crawler.program import FieldProgram
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.detail.day_spans import with_spans
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.induce.detail.documents import by_css, document

ALONE = Scope(document("<p class='when'>3 May 2026</p>"))
SPAN = Scope(document("<p class='when'>12–14 June 2026</p>"))
NONE = Scope(document("<p class='who'>Ada</p>"))


def field(name: str, **spec: object) -> FieldProgram:
    whole = FieldSpec(**{"name": name, "kind": FieldKind.DATE, **spec})
    return FieldProgram(spec=whole, readers=(by_css(".when"),))


@pytest.mark.parametrize(
    ("name", "first", "of_span"),
    [
        ("starts", "2026-05-03", "2026-06-12"),
        ("day", "2026-05-03", "2026-06-12"),
        ("ends", "2026-05-03", "2026-06-14"),
        ("valid_until", "2026-05-03", "2026-06-14"),
    ],
)
def test_a_day_is_the_first_of_a_span_unless_it_is_called_an_end(
    name: str, first: str, of_span: str
) -> None:
    (reader,) = with_spans(field(name), [ALONE, SPAN, NONE]).readers
    told = [read(reader, page, field(name).spec) for page in (ALONE, SPAN, NONE)]
    assert told == [first, of_span, None]


def test_a_reader_stays_as_it_is_where_no_page_has_a_span() -> None:
    assert with_spans(field("day"), [ALONE, NONE]) == field("day")


def test_other_fields_and_other_readers_stay() -> None:
    names = field("day", kind=FieldKind.TEXT)
    days = field("day", shape=Shape.LIST)
    cut = by_css(".when").model_copy(update={"pipe": (Step(op=Op.FIRST),)})
    first = field("day").model_copy(update={"readers": (cut,)})
    for one in (names, days, first):
        assert with_spans(one, [SPAN]) == one


def test_a_later_day_of_a_text_stays_the_later_one() -> None:
    second = by_css(".when").model_copy(update={"pipe": (Step(op=Op.DATE, args=(1,)),)})
    known = field("ends").model_copy(update={"readers": (second,)})
    (reader,) = with_spans(known, [SPAN]).readers
    assert read(reader, SPAN, known.spec) == "2026-06-14"
    assert read(reader, ALONE, known.spec) is None


def test_a_field_stays_where_known_days_are_the_last_of_spans() -> None:
    finale = field("finale")
    assert with_spans(finale, [SPAN, ALONE], ["2026-06-14"]) == finale
    for known in (["2026-06-12"], ["2026-05-03"]):
        assert with_spans(finale, [SPAN, ALONE], known) != finale
