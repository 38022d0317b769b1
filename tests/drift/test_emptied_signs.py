"""Fields that all rows of a list had, and none has."""

from crawloop_assets.drift.counted import count_signs
from crawloop_assets.drift.emptied_signs import count_emptied_signs
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.family import Family
from tests.drift.small import SKU, STATE, TITLE, counted, family, outcome, schema

FIELDS = schema(SKU, TITLE, STATE)
LIST = family("listing")


def rows(*skus: str, **values: str) -> list[dict[str, str]]:
    return [{"sku": sku, **values} for sku in skus]


KNOWN = rows(*"abcdefgh", title="Kettle", state="sold")
BARE = rows(*"pqrstu")


def emptied(
    *pages: PageOutcome, subject: str = "title", policy: Family = LIST
) -> tuple[int, int] | None:
    tallies = Tallies()
    count_emptied_signs(FIELDS, policy, pages, tallies)
    return counted(tallies).get((Sign.EMPTIED, subject))


def test_new_rows_lack_what_all_rows_of_the_list_had():
    page = outcome(*BARE, previous=KNOWN)
    assert emptied(page) == (6, 6)
    assert emptied(page, subject="sku") is None, "required: the row is not valid"
    assert emptied(page, subject="state") is None, "a sale ends for all rows at once"
    stable = family("listing", stable=("state",))
    assert emptied(page, subject="state", policy=stable) == (6, 6)


def test_one_row_that_has_it_speaks_for_the_reader():
    page = outcome(*BARE, *rows("v", title="Pot"), previous=KNOWN)
    assert emptied(page) == (0, 7)


def test_rows_that_are_known_are_judged_by_what_was_known_of_them():
    page = outcome(*rows("a", "b"), *BARE, previous=KNOWN)
    assert emptied(page) == (6, 6)


def test_lists_that_say_too_little():
    short, few = outcome(*BARE[:4], previous=KNOWN), outcome(*BARE, previous=KNOWN[:4])
    assert emptied(short) is None
    assert emptied(few) is None
    many_lack_it = [*KNOWN, *rows(*"ijk")]
    assert emptied(outcome(*BARE, previous=many_lack_it)) is None
    some_lack_it = [*KNOWN, *rows(*"ij")]
    assert emptied(outcome(*BARE, previous=some_lack_it)) == (6, 6)
    assert emptied(outcome(*BARE)) is None, "a new list"


def test_what_was_proved_gone_is_no_sign():
    gone = outcome(*BARE, previous=KNOWN, gone_since=frozenset({"title"}))
    assert emptied(gone) == (0, 6)


def all_signs(*pages: PageOutcome, policy: Family) -> dict[tuple[Sign, str], tuple]:
    return counted(count_signs(FIELDS, policy, pages, Norms([], version=1)))


def test_what_the_family_says_is_gone_is_no_sign():
    page = outcome(*BARE, previous=KNOWN)
    assert all_signs(page, policy=LIST)[Sign.EMPTIED, "title"] == (6, 6)
    declared = family("listing", gone=("title",))
    assert all_signs(page, policy=declared)[Sign.EMPTIED, "title"] == (0, 6)
