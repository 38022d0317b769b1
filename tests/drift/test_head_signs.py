"""Values of rows that are read of a column with another header than usual."""

import pytest

from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.drift.batch import judge_batch
from crawloop_assets.drift.changes import record_pairs
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.head_signs import count_head_signs
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.drift import small

SCHEMA = small.schema(small.SKU, small.TITLE)


def past(version: int = 1, **heads: int) -> BatchStats:
    """Titles that stood so often under these headers."""
    return BatchStats(
        batch="b", version=version, categories={"head:title": dict(heads)}
    )


def row(number: int, head: str, title: str = "Roe", known: str = "") -> PageOutcome:
    """A page of one row, whose title is read of a column with this header."""
    vote = FieldVote(agreement=1.0, live_readers=1, readers=1, head=head)
    sku = f"K-{number}"
    return small.outcome(
        {"sku": sku, "title": title},
        url=f"https://courts.example/{number}",
        votes={"title": vote},
        previous=[{"sku": sku, "title": known}] if known else [],
    )


def shown(*rows: PageOutcome, knows: BatchStats | None = None) -> int:
    """How many of them show the sign."""
    tallies = Tallies()
    norms = Norms([knows or past(title=10)], version=1)
    pairs = record_pairs(SCHEMA, small.family(), rows)
    count_head_signs(SCHEMA, rows, pairs, norms, tallies)
    return len(tallies.hits(Sign.HEAD, "title"))


def test_a_column_that_is_called_otherwise_is_another_one() -> None:
    assert shown(row(1, "judge"), row(2, "title"), row(3, "")) == 1


@pytest.mark.parametrize(
    "knows",
    [past(title=9), past(version=2, title=90), past(title=90, judge=2)],
    ids=["hardly any", "another version", "seen twice"],
)
def test_it_has_to_be_known_what_the_version_calls_it(knows: BatchStats) -> None:
    assert shown(row(1, "judge"), knows=knows) == 0


def test_a_header_over_known_values_has_only_another_name() -> None:
    same, other = row(1, "case", known="Roe"), row(2, "case", "Doe", known="Roe")
    assert shown(same, other, row(3, "case")) == 0
    assert shown(same, other, row(4, "case", "Doe", known="Roe")) == 3


def test_a_header_with_a_word_more_is_the_same_one() -> None:
    assert shown(row(1, "title of case"), row(2, "title")) == 0
    knows = past(**{"low price": 20})
    assert shown(row(1, "high price"), row(2, "price"), knows=knows) == 1


def test_rows_that_are_all_new_are_drift_under_another_header() -> None:
    rows = [row(at, "judge", f"Judge {at}") for at in range(20)]
    judged = judge_batch(SCHEMA, small.family(), rows, [past(title=60)], batch="b")
    assert judged.drifted and len(judged.held) == 20


def quotes(*known: str, moved: int) -> int:
    """How many show the sign of three prices under another header, which usually move so
    often of twenty."""
    vote = FieldVote(agreement=1.0, live_readers=1, readers=1, head="previous close")
    rows = [
        small.outcome(
            {"sku": f"K-{at}", "price": f"1{at}.50"},
            url=f"https://shares.example/{at}",
            votes={"price": vote},
            previous=[{"sku": f"K-{at}", "price": price}],
        )
        for at, price in enumerate(known)
    ]
    schema = small.schema(small.SKU, small.PRICE)
    history = [
        BatchStats(
            batch="b",
            version=1,
            categories={"head:price": {"price": 10}},
            rates={"repriced:price": (moved, 20)},
        )
    ] * 2
    tallies = Tallies()
    pairs = record_pairs(schema, small.family(), rows)
    count_head_signs(schema, rows, pairs, Norms(history, version=1), tallies)
    return len(tallies.hits(Sign.HEAD, "price"))


def test_where_no_number_moved_that_always_did_a_new_header_is_not_excused() -> None:
    """Yesterday's price may stand under it."""
    still = ("10.50", "11.50", "12.50")
    assert quotes(*still, moved=18) == 3
    assert quotes(*still, moved=2) == 0
    assert quotes("10.50", "11.50", "12.75", moved=18) == 0


FILED = FieldSpec(name="filed", kind=FieldKind.DATE, aliases=("issued", "date decided"))


def dated(head: str, *columns: str, spec: FieldSpec = FILED) -> int:
    """How many show the sign of ten new rows whose day is read under this header, of a
    table with these columns, where it always was "published"."""
    vote = FieldVote(agreement=1.0, live_readers=1, readers=1, head=head)
    rows = [
        small.outcome(
            {"sku": f"K-{at}", "filed": f"2024-01-1{at}"},
            url="https://courts.example/",
            votes={"filed": vote},
        ).model_copy(update={"facts": PageFacts(columns=columns)})
        for at in range(10)
    ]
    schema = small.schema(small.SKU, spec)
    history = BatchStats(
        batch="b", version=1, categories={"head:filed": {"published": 10}}
    )
    tallies = Tallies()
    pairs = record_pairs(schema, small.family(), rows)
    count_head_signs(schema, rows, pairs, Norms([history], version=1), tallies)
    return len(tallies.hits(Sign.HEAD, "filed"))


def test_a_column_may_get_another_of_the_names_that_the_schema_gives_its_field() -> (
    None
):
    assert dated("issued", "case", "issued") == 0
    assert dated("date decided", "case", "date decided") == 0
    assert dated("argued", "case", "argued") == 10, "no name of the field"
    assert dated("issued") == 10, "nobody knows what the table has"
    moving = FILED.model_copy(update={"volatile": True})
    assert dated("issued", "case", "issued", spec=moving) == 10, "of another meaning"


def test_where_the_column_is_still_there_another_one_is_read() -> None:
    """Two columns of days have changed places."""
    assert dated("issued", "case", "issued", "published") == 10
    assert dated("issued", "issued", "date published") == 10
    assert dated("issued", "case", "issued", "date decided") == 10, "which one?"
