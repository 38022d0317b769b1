"""Checks of one page."""

import pytest

from crawloop_assets.crawler.evidence import Kind
from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.drift.check import CheckName, Finding, Invalid, Severity
from crawloop_assets.drift.matching import pair_records, record_key
from crawloop_assets.drift.page import judge_page
from crawloop_assets.drift.placeholder import is_placeholder
from crawloop_assets.family import CountPolicy, Discover, DriftPolicy, Family
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

SCHEMA = RecordSchema(
    name="Item",
    fields=(
        FieldSpec(name="sku"),
        FieldSpec(name="title", required=True),
        FieldSpec(name="price", kind=FieldKind.NUMBER, required=True, volatile=True),
        FieldSpec(name="brand"),
    ),
)
GOOD = {"sku": "1", "title": "Kettle", "price": "12.50", "brand": "Birka"}


def family(kind: str = "detail", **drift) -> Family:
    return Family.model_validate(
        {
            "family": "a/b",
            "schema": "tests.models:Item",
            "key": ["sku"],
            "kind": kind,
            "discover": Discover(),
        }
    ).model_copy(update={"drift": DriftPolicy(**drift)})


def page(*rows: dict, votes: dict | None = None) -> Extraction:
    return Extraction(
        records=tuple(
            ExtractedRecord(values=row, votes=votes or {}, row=at)
            for at, row in enumerate(rows)
        )
    )


def errors(found: list[Finding]) -> set[tuple[CheckName, str]]:
    return {
        (finding.check, finding.field)
        for finding in found
        if finding.severity is Severity.ERROR
    }


def test_a_good_page_has_nothing_against_it():
    assert judge_page(SCHEMA, family(), page(GOOD), (), (GOOD,)) == []


@pytest.mark.parametrize("value", [None, "", []])
def test_a_required_field_must_be_read(value):
    found = judge_page(SCHEMA, family(), page(GOOD | {"title": value}))
    assert errors(found) == {(CheckName.SCHEMA, "title")}


def test_what_the_model_refuses_is_told_once():
    failure = Invalid(row=0, field="price", message="Input should be greater than 0")
    found = judge_page(SCHEMA, family(), page(GOOD | {"price": None}), (failure,))
    assert [finding.message for finding in found if finding.field == "price"] == [
        "row 0: price is not valid: Input should be greater than 0"
    ]


def test_counts():
    assert errors(judge_page(SCHEMA, family(), page())) == {(CheckName.COUNT, "")}
    assert errors(judge_page(SCHEMA, family(), page(GOOD, GOOD))) == {
        (CheckName.COUNT, "")
    }
    assert not errors(
        judge_page(SCHEMA, family("listing"), page(GOOD, GOOD | {"sku": "2"}))
    )
    assert errors(
        judge_page(SCHEMA, family("listing", count=CountPolicy(min=5)), page(GOOD))
    ) == {(CheckName.COUNT, "")}
    assert not errors(judge_page(SCHEMA, family("listing", allow_empty=True), page()))


def vote(
    agreement: float, live: int = 3, readers: int = 3, rivals: tuple = ("Pot",)
) -> FieldVote:
    return FieldVote(
        agreement=agreement, live_readers=live, readers=readers, rivals=rivals
    )


@pytest.mark.parametrize(
    ("given", "held"),
    [
        (vote(0.3), True),
        (vote(0.9), False),
        (vote(0.2, live=1, readers=1), False),
        (vote(0.2, live=1, readers=4, rivals=()), False),
        (vote(0.55), False),
    ],
)
def test_readers_that_contradict_each_other(given, held):
    found = judge_page(SCHEMA, family(), page(GOOD, votes={"title": given}))
    assert ((CheckName.VOTES, "title") in errors(found)) is held


def test_the_known_value_settles_a_contradiction():
    split = page(GOOD, votes={"title": vote(0.3)})
    assert not errors(judge_page(SCHEMA, family(), split, (), (GOOD,)))
    rival_known = page(GOOD, votes={"title": vote(0.58, rivals=("Pot",))})
    found = judge_page(SCHEMA, family(), rival_known, (), (GOOD | {"title": "Pot"},))
    assert (CheckName.VOTES, "title") in errors(found)


def test_votes_on_optional_fields_hold_nothing():
    assert not errors(
        judge_page(SCHEMA, family(), page(GOOD, votes={"brand": vote(0.2)}))
    )


@pytest.mark.parametrize(
    "text",
    [
        "undefined",
        "{{ title }}",
        "N/A",
        "Loading...",
        "[object Object]",
        "Lorem ipsum dolor",
        "-",
    ],
)
def test_placeholders(text):
    assert is_placeholder(text)
    assert (CheckName.DISTRIBUTION, "title") in errors(
        judge_page(SCHEMA, family(), page(GOOD | {"title": text}))
    )


@pytest.mark.parametrize(
    "text", ["Undefined Love", "Testament", "Nano kettle", "Null Island map", "A - B"]
)
def test_no_placeholders(text):
    assert not is_placeholder(text)


def test_a_name_that_looks_like_a_placeholder_but_is_known_is_fine():
    record = GOOD | {"title": "None"}
    assert not errors(judge_page(SCHEMA, family(), page(record), (), (record,)))


def test_changes_of_steady_fields_are_told_as_news():
    found = judge_page(
        SCHEMA, family(), page(GOOD | {"title": "Pot", "price": "9"}), (), (GOOD,)
    )
    (news,) = found
    assert (news.check, news.severity, news.field) == (
        CheckName.HISTORY,
        Severity.WARN,
        "title",
    )
    assert (news.expected, news.got) == ("Kettle", "Pot")


def test_an_address_that_nobody_reads_is_that_of_the_page_as_before():
    schema = SCHEMA.model_copy(
        update={"fields": (*SCHEMA.fields, FieldSpec(name="url", kind=FieldKind.URL))}
    )
    known = GOOD | {"url": "https://x.example/1"}
    assert judge_page(schema, family(), page(GOOD), (), (known,)) == []
    other = page(GOOD | {"url": "https://x.example/2"})
    (news,) = judge_page(schema, family(), other, (), (known,))
    assert news.field == "url"


def test_records_are_matched_by_key_else_by_place():
    a, b = GOOD, GOOD | {"sku": "2", "title": "Pot"}
    key = record_key(SCHEMA, family())
    assert pair_records([a, b], [b, a], key) == [(b, b), (a, a)]
    assert pair_records([a], [b], key) == [(a, b)]
    assert pair_records([a, b], [b, a], ()) == [(a, b), (b, a)]
    assert pair_records([a, b], [b], ()) == []
    assert pair_records([a, {"title": "no key"}], [b, {"title": "no key"}], key) == []


def test_an_expected_field_that_was_known_and_is_gone_holds_the_page():
    bare = {name: value for name, value in GOOD.items() if name != "brand"}
    expecting = family(coverage={"brand": 0.95})
    assert errors(judge_page(SCHEMA, expecting, page(bare), (), (GOOD,))) == {
        (CheckName.COVERAGE, "brand")
    }
    assert errors(judge_page(SCHEMA, expecting, page(bare), (), ())) == set(), (
        "nothing was known"
    )
    assert errors(judge_page(SCHEMA, expecting, page(bare), (), (bare,))) == set(), (
        "it was not there before"
    )
    assert (
        errors(
            judge_page(SCHEMA, family(coverage={"brand": 0.5}), page(bare), (), (GOOD,))
        )
        == set()
    )
    assert errors(judge_page(SCHEMA, family(), page(bare), (), (GOOD,))) == set(), (
        "nobody expects it"
    )


def test_of_a_list_as_many_expected_values_may_go_as_the_family_allows():
    rows = [GOOD | {"sku": str(at)} for at in range(20)]
    expecting = family("listing", coverage={"brand": 0.95})
    one, two = (
        [row | {"brand": None} if at < gone else row for at, row in enumerate(rows)]
        for gone in (1, 2)
    )
    assert errors(judge_page(SCHEMA, expecting, page(*one), (), rows)) == set()
    assert errors(judge_page(SCHEMA, expecting, page(*two), (), rows)) == {
        (CheckName.COVERAGE, "brand")
    }


def against(field: str, other: str) -> dict[str, FieldVote]:
    """Linked data won, and the page shows another value."""
    shown = {Kind.SHOWN: other}
    return {field: FieldVote(agreement=0.8, live_readers=2, readers=2, against=shown)}


CONTRADICTED = CheckName.CONTRADICTION


@pytest.mark.parametrize(
    ("field", "other", "known", "holds"),
    [
        ("price", "13.90", None, True),
        ("price", "13.90", "12.50", True),  # what is stated may be yesterday's
        ("price", "13.90", "13.90", True),
        ("title", "Pot", "Pot", True),
        ("title", "Pot", "Kettle", False),  # proved by what is known
        ("brand", "Alder", None, False),
        ("brand", "Alder", "Alder", True),
        ("brand", "Alder", "Cedar", False),
    ],
)
def test_kinds_of_evidence_that_contradict_each_other(field, other, known, holds):
    previous = [GOOD | {field: known}] if known else []
    found = judge_page(
        SCHEMA, family(), page(GOOD, votes=against(field, other)), (), previous
    )
    assert ((CONTRADICTED, field) in errors(found)) == holds


def test_what_a_kind_says_instead_is_shown():
    found = judge_page(SCHEMA, family(), page(GOOD, votes=against("price", "13.90")))
    (finding,) = [finding for finding in found if finding.check is CONTRADICTED]
    assert (finding.expected, finding.got) == ("13.90", "12.50")
    assert finding.message == "row 0: price is another one where it is shown"
