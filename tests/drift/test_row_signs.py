"""Signs that the rows of lists show."""

from collections.abc import Sequence

from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.row_signs import count_row_signs
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Hit, Tallies
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.drift.small import (
    PRICE,
    SKU,
    STOCK,
    TITLE,
    WEIGHT,
    counted,
    family,
    outcome,
    schema,
)


def signs(
    *pages: PageOutcome, fields: tuple[FieldSpec, ...], policy: Family | None = None
) -> Tallies:
    tallies = Tallies()
    count_row_signs(schema(*fields), policy or family(), pages, tallies)
    return tallies


def of(tallies: Tallies, sign: Sign, subject: str) -> tuple[int, int] | None:
    return counted(tallies).get((sign, subject))


def rows(*skus: str, **values: str) -> list[dict[str, str]]:
    return [{"sku": sku, "title": values.get(sku, sku)} for sku in skus]


def test_known_rows_that_are_nowhere_in_the_batch():
    first = outcome(*rows("c", "d"), previous=rows("a", "b"))
    second = outcome(*rows("b"), previous=rows("c", "d"))
    lone = outcome(*rows("y"), previous=rows("x"))
    tallies = signs(first, second, lone, fields=(SKU, TITLE))
    assert of(tallies, Sign.REPLACED, "") == (1, 4)
    tally = tallies.get(Sign.REPLACED, "")
    assert tally is not None
    ((page, identity, got),) = tally.hits
    assert (page, got) == (0, "nothing") and "a" in str(identity)


def goods(*names: str, key: str = "{}", weight: str = "{}.5") -> list[dict[str, str]]:
    return [
        {"sku": key.format(name), "title": name, "weight": weight.format(at)}
        for at, name in enumerate(names)
    ]


def rekeyed(*now: dict[str, str]) -> tuple[int, int] | None:
    page = outcome(*now, previous=goods("a", "b", "c", "d"))
    tallies = signs(page, fields=(SKU, TITLE, WEIGHT))
    return of(tallies, Sign.REKEYED, "")


def test_rows_that_are_there_under_another_key():
    assert rekeyed(*goods("a", "b", "c", "d", key="{}?ref=1")) == (4, 4)
    assert rekeyed(*goods("a", "b", "c", "d")) == (0, 4)
    assert rekeyed(*goods("p", "q", "r", "s")) == (0, 4), "they are other rows"
    assert rekeyed(*goods("a", "b", "c", "d", key="({})")) == (4, 4), "other letters"
    two = [*goods("a", "b", key="{}?ref=1"), *goods("y", "z")]
    assert rekeyed(*two) == (0, 4), "a row or two may be sold anew"
    heavier = goods("a", "b", "c", "d", key="{}?ref=1", weight="9{}")
    assert rekeyed(*heavier) == (0, 4)


def test_one_field_does_not_tell_rows_apart():
    named = [{"sku": f"{name}?ref=1", "title": name} for name in "abcd"]
    page = outcome(*named, previous=rows(*"abcd"))
    assert of(signs(page, fields=(SKU, TITLE)), Sign.REKEYED, "") == (0, 4)


def test_values_that_moved_by_a_row():
    before = rows("a", "b", "c")
    shifted = rows("a", "b", "c", a="b", b="c", c="z")
    tallies = signs(outcome(*shifted, previous=before), fields=(SKU, TITLE))
    assert of(tallies, Sign.NEIGHBOUR, "title") == (2, 4)
    assert of(tallies, Sign.NEIGHBOUR, "sku") is None, "rows are told apart by it"
    tally = tallies.get(Sign.NEIGHBOUR, "title")
    assert tally is not None
    assert tally.hits == [Hit(0, "a", "b"), Hit(0, "b", "c")]


def test_neighbours_that_had_the_same_value_tell_nothing():
    before = rows("a", "b", "c", a="x", b="x", c="x")
    tallies = signs(outcome(*before, previous=before), fields=(SKU, TITLE))
    assert of(tallies, Sign.NEIGHBOUR, "title") is None


def test_rows_without_a_key_are_compared_by_position():
    before = [{"title": title} for title in "abc"]
    shifted = [{"title": title} for title in "bc"]
    policy = family(key=["url"])
    page = outcome(*shifted, previous=before)
    tallies = signs(page, fields=(TITLE,), policy=policy)
    assert of(tallies, Sign.NEIGHBOUR, "title") == (2, 3)


def test_rows_that_are_gone_or_empty_have_no_neighbours():
    before = rows("a", "b", "c", b="")
    page = outcome(*rows("a", "c"), previous=before)
    assert of(signs(page, fields=(SKU, TITLE)), Sign.NEIGHBOUR, "title") is None
    two = outcome(*rows("a", "b"), previous=rows("a", "b"))
    assert of(signs(two, fields=(SKU, TITLE)), Sign.NEIGHBOUR, "title") is None


def neighbours(
    field: FieldSpec, then: Sequence[float], now: Sequence[float]
) -> tuple[int, int] | None:
    before, after = (
        [{"sku": f"s{at}", field.name: value} for at, value in enumerate(values)]
        for values in (then, now)
    )
    page = outcome(*after, previous=before)
    return of(signs(page, fields=(SKU, field)), Sign.NEIGHBOUR, field.name)


def test_a_step_that_other_rows_make_too_is_no_neighbours_value():
    climbed = neighbours(STOCK, range(1, 9), (2, 1, 4, 3, 6, 5, 8, 7))
    assert climbed is None, "ranks that were exchanged by pairs"
    pushed_down = neighbours(STOCK, range(1, 9), range(2, 10))
    assert pushed_down == (0, 7), "a new one leads"
    shifted = neighbours(STOCK, (5, 11, 30, 31, 60, 9, 2), (11, 30, 31, 60, 9, 2, 4))
    assert shifted == (6, 12), "stock of the row below"
    prices = neighbours(PRICE, range(1, 9), range(2, 10))
    assert prices == (7, 14), "prices have no steps"


def test_what_counts_the_rows_of_its_page_is_of_the_place_and_no_neighbours_value():
    """Two teams changed places in a table of eight, and no others did."""
    ranks = FieldSpec(name="rank", kind=FieldKind.INTEGER, volatile=True)
    before = [{"sku": sku, "rank": at} for at, sku in enumerate("abcdefgh", 1)]

    def climbed(order: str, start: int = 1) -> tuple[int, int] | None:
        now = [{"sku": sku, "rank": at} for at, sku in enumerate(order, start)]
        page = outcome(*now, previous=before)
        return of(signs(page, fields=(SKU, ranks)), Sign.NEIGHBOUR, "rank")

    assert climbed("bacdefgh") is None
    assert climbed("bcadefgh") is None
    assert climbed("abcdefgh", start=2) == (0, 7), "all went down by one"
    assert climbed("bacdefgh", start=2) is not None, "it is read of the row below"
