"""Counting signs."""

from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.drift.rates import EventRate
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Hit, Tallies, Tally


def test_a_unit_without_the_sign_is_seen_and_no_hit():
    tallies = Tallies()
    tallies.add(Sign.LOST, "title", 0, has_sign=False, expected="Kettle", got="Pot")
    tallies.add(Sign.LOST, "title", 3, has_sign=True, expected="Kettle")
    (tally,) = tallies
    assert (tally.bad, tally.seen, tally.pages) == (1, 2, {3})
    assert tally.hits == [Hit(3, "Kettle", "")]
    assert tally.name == "lost:title"
    assert tally.rate == EventRate(1, 2)


def test_signs_and_subjects_are_counted_apart_and_kept_in_order():
    tallies = Tallies()
    for sign, subject in (
        (Sign.LOST, "title"),
        (Sign.CUT, "title"),
        (Sign.LOST, "brand"),
    ):
        tallies.add(sign, subject, 0, has_sign=True)
    assert [tally.name for tally in tallies] == [
        "lost:title",
        "cut:title",
        "lost:brand",
    ]
    brand = tallies.get(Sign.LOST, "brand")
    assert brand is not None
    assert (brand.subject, brand.seen) == ("brand", 1)
    assert tallies.get(Sign.CUT, "brand") is None


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans())))
def test_hits_are_never_more_than_units(units: list[tuple[int, bool]]):
    tallies = Tallies()
    for page, has_sign in units:
        tallies.add(Sign.ROWS, "", page, has_sign=has_sign)
    for tally in tallies:
        assert tally.seen == len(units)
        assert tally.pages == {page for page, has_sign in units if has_sign}
        assert tally.bad == sum(has_sign for _, has_sign in units)


def test_what_many_did_at_once_is_kept_apart_from_how_often_it_happens():
    tally = Tally(Sign.REPLACED, "", seen=24, confirmed=2, event=12)
    assert dict(tally.rates) == {"replaced:": (2, 12), "replaced:, at once": (12, 12)}
    assert list(Tally(Sign.REPLACED, "", seen=24).rates) == [("replaced:", (0, 24))]
