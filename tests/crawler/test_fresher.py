"""The fresher kind of evidence is believed where the other one says what was before."""

import pytest

from crawloop_assets.crawler.context import Context
from crawloop_assets.crawler.evidence import Kind
from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.crawler.fresher import Fresher, said_by_kind
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

SCHEMA = RecordSchema(
    name="Item", fields=(FieldSpec(name="price", kind=FieldKind.NUMBER),)
)
SHOWN = Fresher({"price": Kind.SHOWN})


def read(value: str, against: dict[Kind, Value], records: int = 1) -> Extraction:
    """A record whose readers gave a value, and said otherwise by other kinds."""
    vote = FieldVote(
        agreement=0.7,
        live_readers=2,
        readers=2,
        reader="x",
        rivals=tuple(against.values()),
        against=against,
        context=Context(),
    )
    record = ExtractedRecord(values={"price": value}, votes={"price": vote})
    return Extraction(records=(record,) * records)


def settled(
    extraction: Extraction, known: str, *said: str, fresher: Fresher = SHOWN
) -> tuple[Value, FieldVote]:
    found = fresher.read(
        SCHEMA, extraction, [{"price": known}], [{"price": one} for one in said]
    )
    return found.records[0].values["price"], found.records[0].votes["price"]


def test_of_two_kinds_each_said_its_own() -> None:
    said = {Kind.SHOWN: "12", Kind.STATED: "11"}
    assert said_by_kind("11", {Kind.SHOWN: "12"}) == said
    assert said_by_kind("12", {Kind.STATED: "11"}) == said
    assert said_by_kind("12", {}) == {}


def test_the_late_kind_is_not_heard_though_it_had_won() -> None:
    value, vote = settled(read("11.00", {Kind.SHOWN: "12.00"}), "11")
    assert (value, vote.late, vote.against, vote.rivals) == ("12.00", "11.00", {}, ())
    assert (vote.agreement, vote.reader, vote.context) == (1.0, "", None)
    value, vote = settled(read("12.00", {Kind.STATED: "11.00"}), "11")
    assert (value, vote.late, vote.reader) == ("12.00", "11.00", "x")
    assert vote.context == Context()


def test_what_an_earlier_refresh_read_and_held_is_a_value_from_before() -> None:
    value, _ = settled(read("11.50", {Kind.SHOWN: "12.00"}), "11", "11.50")
    assert value == "12.00"


@pytest.mark.parametrize(
    ("extraction", "known", "fresher"),
    [
        (read("9.90", {Kind.SHOWN: "12.00"}), "11", SHOWN),
        (read("9.90", {Kind.SHOWN: "11.00"}), "11", SHOWN),
        (read("12.00", {Kind.SHOWN: "11.00"}), "11", SHOWN),
        (read("11.00", {Kind.SHOWN: "12.00"}), "11", Fresher()),
        (read("11.00", {Kind.SHOWN: "12.00"}), "11", Fresher({"price": Kind.STATED})),
        (read("11.00", {Kind.SHOWN: "12.00"}, records=2), "11", SHOWN),
        (read("11.00", {}), "11", SHOWN),
    ],
    ids=["never was", "known shown", "ahead", "unlearned", "other", "list", "agreed"],
)
def test_any_other_contradiction_stays_one(
    extraction: Extraction, known: str, fresher: Fresher
) -> None:
    assert settled(extraction, known, fresher=fresher) == (
        extraction.records[0].values["price"],
        extraction.records[0].votes["price"],
    )


def test_what_was_read_and_held_is_no_news_when_it_is_said_again() -> None:
    """A wrong price that is stated for two days is not late, if the page still shows the known one."""
    extraction = read("9.90", {Kind.SHOWN: "11.00"})
    assert settled(extraction, "11", "9.90")[0] == "9.90"


PAGE = ("http://shop.example/1", "ab")


@pytest.mark.parametrize(
    ("page", "known", "is_heard"),
    [
        (PAGE, "12", False),
        (PAGE, "11", True),
        (("http://shop.example/1", "cd"), "12", True),
    ],
    ids=["released", "known otherwise", "other bytes"],
)
def test_of_what_a_person_released_no_other_kind_is_heard_again(
    page: tuple[str, str], known: str, is_heard: bool
) -> None:
    extraction = read("12.00", {Kind.STATED: "9.90"})
    fresher = Fresher(released={PAGE})
    found = fresher.of(SCHEMA, extraction, [{"price": known}], page).records[0]
    assert found.values == {"price": "12.00"}
    assert bool(found.votes["price"].against) is is_heard
    assert bool(found.votes["price"].rivals) is is_heard
    lists = read("12.00", {Kind.STATED: "9.90"}, records=2)
    assert fresher.of(SCHEMA, lists, [{"price": known}], page) == lists


def test_what_the_site_said_before_is_that_of_the_page() -> None:
    fresher = Fresher({"price": Kind.SHOWN}, {PAGE[0]: [{"price": "11.50"}]})
    extraction = read("11.50", {Kind.SHOWN: "12.00"})
    found = fresher.of(SCHEMA, extraction, [{"price": "11"}], PAGE)
    assert found.records[0].values == {"price": "12.00"}
    other = fresher.of(
        SCHEMA, extraction, [{"price": "11"}], ("http://x.example", "ab")
    )
    assert other == extraction
