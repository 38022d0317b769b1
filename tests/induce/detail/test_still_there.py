"""What a person says of a number that moves is what they see."""

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.pointed import pointed_fields
from crawloop_assets.induce.detail.still_there import as_seen, still_there
from crawloop_assets.induce.detail.trials import Tried
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.taught import Lesson
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value
from tests.induce.detail.documents import by_css, index

FARE = FieldSpec(name="fare", kind=FieldKind.NUMBER, volatile=True)
STATED = '<meta itemprop="fare" content="{}">'
BODY = "<div class='trip'><span>Fare</span><span class='sum'>{}</span></div>"
PAGES = [
    index(STATED.format(then) + BODY.format(now))
    for then, now in [
        ("41.50", "41.50"),
        ("63.20", "65.10"),
        ("87.00", "87.00"),
        ("29.90", "31.40"),
    ]
]
KNOWN = [
    Example(page=at, records=({"fare": then},))
    for at, then in enumerate(["41.50", "63.20", "87.00", "29.90"])
]


def left(spec: FieldSpec, said: dict[int, Value]) -> list[int]:
    return [at for at, _ in still_there(spec, PAGES, KNOWN, said)]


def test_a_known_number_counts_where_people_see_it() -> None:
    assert left(FARE, {0: "41.50"}) == [0, 2]
    steady = FARE.model_copy(update={"volatile": False})
    assert left(steady, {0: "41.50"}) == [0, 1, 2, 3]


def test_where_what_was_said_is_seen_nowhere_all_that_is_stated_counts() -> None:
    unseen = [index(STATED.format(one)) for one in ("41.50", "63.20")]
    found = still_there(FARE, unseen, KNOWN[:2], {0: "41.50"})
    assert [at for at, _ in found] == [0, 1]


def test_of_what_is_stated_only_what_says_the_same_is_kept_beside_what_is_seen() -> (
    None
):
    readers = (
        by_css(".sum"),
        by_css("meta", get="@content"),
        by_css("b", get="@data-x"),
    )
    tried = [Tried(CandidateReader(one, 0.5, 0.0), 1, 0, 0) for one in readers]
    gives = ["now", "then", "now"]
    assert as_seen(FARE, tried, gives) == [tried[0], tried[2]]
    assert as_seen(FARE, tried[1:2], gives[1:2]) == tried[1:2], "nobody sees any"
    steady = FARE.model_copy(update={"volatile": False})
    assert as_seen(steady, tried, gives) == tried


def test_one_value_that_is_said_leads_to_what_is_seen_on_all_pages() -> None:
    schema = RecordSchema(name="Trip", fields=(FARE,))
    pages = [one.document.page for one in PAGES]
    lesson = Lesson(page=0, field="fare", value="41.50")
    found = pointed_fields(schema, pages, KNOWN, [lesson])["fare"]
    assert not found.reason
    program = Program(kind=FamilyKind.DETAIL, fields=(found.program,))
    read = [run(program, Document(page)).records[0].values["fare"] for page in pages]
    assert read == ["41.50", "65.10", "87.00", "31.40"]
