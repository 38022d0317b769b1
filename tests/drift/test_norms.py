"""What history says is normal."""

import pytest

from crawloop_assets.crawler.traits import OTHERS
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats, PageCounts, Spread, Trust
from crawloop_assets.drift.rates import EventRate
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import EVENTS
from tests.drift.small import past


def test_batches_that_drifted_teach_nothing():
    norms = Norms([*past(2, pages=10), BatchStats(pages=50, drifted=True)])
    assert (norms.batches, norms.pages) == (2, 20)


def test_only_recent_batches_count():
    norms = Norms([*past(10, pages=7), *past(400, pages=1)])
    assert (norms.batches, norms.pages) == (400, 400)


def test_a_version_has_read_if_a_healthy_batch_says_so():
    norms = Norms([BatchStats(version=1), BatchStats(version=2, drifted=True)])
    assert norms.has_read(1) and norms.has_read(None)
    assert not norms.has_read(2)


def test_a_past_without_versions_says_nothing_of_them():
    assert Norms([]).has_read(3)
    assert Norms(past(2)).has_read(3)
    assert not Norms([BatchStats(), BatchStats(version=1)]).has_read(3)


def test_a_law_is_known_from_all_batches():
    history = [
        BatchStats(batch="a", rates={"lost:title": (1, 100)}),
        BatchStats(batch="b", rates={"lost:title": (1, 100)}),
    ]
    rate, may_be_drift = Norms(history, "a").rate(Sign.LOST, "title", 50)
    assert may_be_drift
    assert rate == EventRate(2, 200)
    assert Norms(history, "a").rate(Sign.LOST, "brand", 50)[0].seen == 0


def test_what_the_pages_of_a_batch_always_did_is_no_news_however_other_the_rest_is():
    name = "off_url:title"
    for days in (1, 3, 30):
        history = [
            BatchStats(batch=batch, pages=500, rates={name: (bad, 500)})
            for _ in range(days)
            for batch, bad in (("a", 100), ("b", 0), ("c", 0), ("d", 0))
        ]
        for batch, share in (("a", 0.2), ("b", 0.05), ("new", 0.05)):
            rate, may_be_drift = Norms(history, batch).rate(Sign.OFF_URL, "title", 500)
            assert may_be_drift and rate.share == pytest.approx(share)
    # What few of them did may be chance. A few units of an own past say nothing yet, nor does what was doubted;
    # what another version read, nothing of this one.
    for trust, seen in ((Trust.FULL, 29), (Trust.OWN, 500)):
        own = BatchStats(batch="e", trust=trust, rates={name: (0.3 * seen, seen)})
        known, _ = Norms([*history, own], "e").rate(Sign.OFF_URL, "title", 500)
        assert known.share < 0.1
    chances = [BatchStats(batch="e", rates={"off_url:brand": (2, 50)})]
    chances += [BatchStats(batch="f", rates={"off_url:brand": (0, 50)})] * 9
    known, _ = Norms(chances, "e").rate(Sign.OFF_URL, "brand", 50)
    assert known.share == pytest.approx(0.004)
    read = [
        BatchStats(batch=batch, version=at, rates={"silent:title": (bad, 100)})
        for at, batch, bad in ((1, "a", 50), (2, "a", 0), (2, "b", 1))
    ]
    rate, _ = Norms(read, "a", version=2).rate(Sign.SILENT, "title", 100)
    assert rate == EventRate(1, 200)


@pytest.mark.parametrize(
    ("moved", "stride", "farthest"),
    [(15, 0.13, True), (15, 0.11, False), (14, 0.13, False), (0, 9.0, False)],
    ids=["farther", "a little farther", "few have moved", "none has"],
)
def test_a_number_moves_farther_than_any_did(
    moved: int, stride: float, farthest: bool
) -> None:
    rates = {"repriced:price": (moved, 100)}
    norms = Norms(
        [
            BatchStats(rates=rates, strides={"price": 0.1} if moved else {}),
            BatchStats(rates=rates, strides={"price": 0.02} if moved else {}),
            BatchStats(rates=rates, strides={"price": 3.0}, drifted=True),
        ]
    )
    assert norms.is_farthest_ever("price", stride) is farthest
    assert not norms.is_farthest_ever("weight", stride)


@pytest.mark.parametrize(
    ("moved", "moves"),
    [((18, 16), True), ((18, 2, 3), False), ((18, 16, 0, 0, 0), True), ((18,), False)],
)
def test_a_number_moves_if_most_known_ones_do_in_many_refreshes(moved, moves):
    """Batches that were read once more, in which nothing moved, among them."""
    history = [
        BatchStats(batch="b", rates={"repriced:price": (one, 20)}) for one in moved
    ]
    assert Norms(history, "a").moves("price") is moves
    assert not Norms(history, "a").moves("stock")


def test_what_readers_do_is_known_from_their_own_version():
    history = [
        BatchStats(version=1, rates={"silent:title": (9, 100)}),
        BatchStats(version=2, rates={"silent:title": (1, 100)}),
    ]
    rate, _ = Norms(history, version=2).rate(Sign.SILENT, "title", 50)
    assert rate == EventRate(1, 100)


def test_the_assortment_is_known_from_the_batchs_own_past():
    own = past(1, batch="a", rates={"missing:brand": (3, 30)})
    rate, may_be_drift = Norms(own, "a").rate(Sign.MISSING, "brand", 100)
    assert (rate, may_be_drift) == (EventRate(3, 30), True)


@pytest.mark.parametrize(("events", "share"), [(1, 0.0), (2, 1 / 3)])
def test_what_many_did_at_once_is_a_habit_if_they_did_so_twice(events, share):
    at_once = {"replaced:": (0, 0), EVENTS.format("replaced:"): (24, 24)}
    quiet = past(4, batch="a", rates={"replaced:": (0, 24)})
    history = [*quiet, *past(events, batch="a", rates=at_once)]
    rate, _ = Norms(history, "a").rate(Sign.REPLACED, "", 24)
    assert rate.share == pytest.approx(share)


def test_a_small_batch_needs_no_larger_past():
    own = past(1, batch="a", rates={"missing:brand": (1, 8)})
    assert Norms(own, "a").rate(Sign.MISSING, "brand", 8)[1]
    rate, may_be_drift = Norms(own, "a").rate(Sign.MISSING, "brand", 9)
    assert (rate.seen, may_be_drift) == (0, False)


def test_an_own_past_of_too_few_batches_raises_suspicion_only():
    for batches, sure in ((6, False), (7, True)):
        own = past(batches, batch="a", rates={"scarce:state": (3, 30)})
        assert Norms(own, "a").rate(Sign.SCARCE, "state", 20)[1] is sure


def test_other_batches_raise_suspicion_once_there_are_five():
    for batches, seen in ((4, 0.0), (5, 150.0)):
        others = past(batches, batch="b", rates={"missing:brand": (3, 30)})
        rate, may_be_drift = Norms(others, "a").rate(Sign.MISSING, "brand", 40)
        assert rate.seen == pytest.approx(seen)
        assert not may_be_drift


def test_the_largest_share_of_the_own_past_else_of_the_family():
    history = [
        BatchStats(batch="a", rates={"scarce:state": (1, 10)}),
        BatchStats(batch="a", rates={"scarce:state": (3, 10)}),
        BatchStats(batch="b", rates={"scarce:state": (9, 10)}),
    ]
    assert Norms(history, "a").most(Sign.SCARCE, "state") == 0.3
    assert Norms(history, "c").most(Sign.SCARCE, "state") == 0.9
    assert Norms(history, "a").most(Sign.SCARCE, "brand") is None


@pytest.mark.parametrize(
    ("counts", "usual"),
    [
        ({"EUR": 10}, "EUR"),
        ({"EUR": 9}, ""),
        ({"EUR": 95, "USD": 5}, "EUR"),
        ({"EUR": 94, "USD": 6}, ""),
        ({}, ""),
    ],
)
def test_usual_is_what_nearly_all_units_had(counts, usual):
    norms = Norms([BatchStats(categories={"currency": counts})])
    assert norms.usual("currency") == usual


def test_the_usual_reader_is_that_of_the_version():
    history = [
        BatchStats(version=1, categories={"reader:title": {"css": 50}}),
        BatchStats(version=2, categories={"reader:title": {"ld": 50}}),
    ]
    norms = Norms(history, version=2)
    assert norms.usual("reader:title", per_version=True) == "ld"
    assert norms.usual("reader:title") == ""


def test_known_categories_were_seen_twice_in_a_long_past():
    counts = {"a": 57, "a 9": 2, "9": 1}
    norms = Norms([BatchStats(categories={"shape:title": counts})])
    assert norms.known("shape:title") == {"a", "a 9"}
    assert norms.known("shape:title") == {"a", "a 9"}, "asked again"
    short = Norms([BatchStats(categories={"shape:title": {"a": 59}})])
    assert short.known("shape:title") == frozenset()


def test_familiar_categories_were_seen_twice_and_are_nearly_all():
    many, odd = {"#": 57, "# each": 2}, {str(number): 1 for number in range(3)}
    for counts, expected in (
        ({**many, "lone": 1}, {"#", "# each"}),
        ({**many, **odd, "lone": 1}, set()),
        ({"#": 59}, set()),
        ({**many, OTHERS: 9}, set()),
    ):
        past = BatchStats(version=1, categories={"beside:price": counts})
        assert Norms([past], version=1).familiar("beside:price") == expected


def test_a_short_past_is_looked_at_with_the_batch_itself():
    past = BatchStats(version=1, categories={"beside:price": {"#": 10, "each": 1}})
    norms = Norms([past], version=1)
    seen = ["#"] * 18 + ["each"]
    assert norms.familiar("beside:price", seen) == frozenset()
    assert norms.familiar("beside:price", [*seen, "#"]) == {"#", "each"}
    assert Norms([]).familiar("beside:price", [*seen, "#"]) == {"#"}


def test_a_proof_is_the_past_of_its_version_and_no_batch():
    proof = BatchStats(
        version=2,
        is_proof=True,
        rates={"words:price": (0, 60), "changed:title": (0, 60)},
        categories={"words:price": {"#": 60}},
    )
    read = BatchStats(version=1, pages=9)
    norms = Norms([proof, read], version=2)
    assert norms.rate(Sign.WORDS, "price", 9)[0].seen == 60
    assert norms.familiar("words:price") == {"#"}
    assert norms.rate(Sign.CHANGED, "title", 9)[0].seen == 0
    assert (norms.batches, norms.pages) == (1, 9)
    assert not norms.has_read(2)
    assert Norms([proof, read], version=1).familiar("words:price") == frozenset()


def test_rows_are_the_groups_as_long_as_the_records_on_nearly_all_pages():
    groups = {"1": (10, 10), "2": (9, 9), "3": (19, 20), "4": (18, 20)}
    assert Norms([BatchStats(groups=groups)]).row_groups == {1, 3}
    twice = Norms(past(2, groups={"2": (5, 5)}))
    assert twice.row_groups == {2}


def test_layouts_are_kept_once_the_latest_first():
    first, near = tuple(range(100)), tuple(range(1, 101))
    other = tuple(range(500, 600))
    norms = Norms(
        [
            BatchStats(layouts=(first,)),
            BatchStats(layouts=(near,)),
            BatchStats(layouts=(other,)),
        ]
    )
    assert norms.layouts == (other, near)
    assert norms.layout_distance(other) == 0
    assert norms.layout_distance(tuple(range(900, 950))) == 1
    assert Norms([]).layout_distance(first) is None


def test_at_most_sixteen_layouts_are_kept():
    layouts = [((step, step + 1),) for step in range(0, 60, 2)]
    norms = Norms([BatchStats(layouts=layout) for layout in layouts])
    assert norms.layouts == tuple(layout for (layout,) in reversed(layouts[-16:]))


def spread(middle: float, seen: int) -> Spread:
    return Spread(seen=seen, deciles=(middle,) * 11)


def test_medians_are_those_of_the_own_past_if_there_is_one():
    history = [
        BatchStats(batch="a", numbers={"price": spread(1.0, 20)}),
        BatchStats(batch="b", numbers={"price": spread(2.0, 30)}),
        BatchStats(batch="b", lengths={"title": spread(0.5, 40)}),
    ]
    norms = Norms(history, "a")
    assert norms.spreads("numbers", "price") == ([(1.0, 20)], True)
    assert norms.spreads("lengths", "title") == ([(0.5, 40)], False)
    assert norms.spreads("numbers", "weight") == ([], False)
    assert Norms(history, "c").spreads("numbers", "price") == (
        [(1.0, 20), (2.0, 30)],
        False,
    )


@pytest.mark.parametrize(
    ("grown", "now", "own"),
    [
        (12, 0, [1.0, 1.0, 2.0]),
        (13, 0, [2.0]),
        (75, 50, [2.0]),
        (75, 51, []),
    ],
)
def test_a_batch_that_more_new_pages_joined_than_half_of_it_has_a_new_past(
    grown: int, now: int, own: list[float]
) -> None:
    def of(middle: float, pages: int, new: int) -> BatchStats:
        numbers = {"price": spread(middle, pages)}
        return BatchStats(batch="a", pages=pages, new_pages=new, numbers=numbers)

    others = BatchStats(batch="b", numbers={"price": spread(1.5, 100)})
    history = [of(1.0, 25, 25), of(1.0, 25, 0), others, of(2.0, 25 + grown, grown)]
    norms = Norms(history, "a", pages=PageCounts(new=now, known=99))
    medians, is_own = norms.spreads("numbers", "price")
    assert is_own is bool(own)
    assert not own or [middle for middle, _ in medians] == own


def test_a_batch_has_a_new_past_also_where_nobody_learns_from_the_refresh_it_grew_in():
    history = [
        BatchStats(batch="a", pages=25, rates={"missing:brand": (0, 25)}),
        BatchStats(batch="a", pages=100, new_pages=75, trust=Trust.NONE),
        BatchStats(batch="a", pages=100, rates={"missing:brand": (75, 100)}),
    ]
    rate, _ = Norms(history, "a").rate(Sign.MISSING, "brand", 100)
    assert rate == EventRate(75, 100)


def test_how_much_is_filled_and_changed_is_known_whoever_reads_it() -> None:
    """What a new version needs no proof for: the family has a past, whatever read it."""
    rates = {
        "missing:brand": (3, 30),
        "changed:brand": (1, 90),
        "silent:brand": (1, 90),
    }
    norms = Norms(past(1, batch="a", version=1, rates=rates), "a", version=2)
    assert norms.rate(Sign.MISSING, "brand", 30) == (EventRate(3, 30), True)
    assert norms.rate(Sign.CHANGED, "brand", 90)[0] == EventRate(1, 90)
    assert norms.rate(Sign.SILENT, "brand", 90)[0].seen == 0


def test_what_a_person_said_of_the_version_goes_before_what_ever_was():
    said = BatchStats(
        version=2, is_proof=True, is_answer=True, rates={"late:price": (30, 60)}
    )
    history = [*past(9, pages=60), said]
    assert Norms(history, version=2).rate(Sign.LATE, "price", 60)[0].share == 0.5
    for norms in (Norms(history, version=3), Norms(history[:-1], version=2)):
        assert norms.rate(Sign.LATE, "price", 60)[0].share == 0
