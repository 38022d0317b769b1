"""What different kinds of evidence say of one value, and what stands around it."""

from crawloop_assets.crawler.context import Context
from crawloop_assets.crawler.evidence import Kind
from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.crawler.traits import vote_traits
from crawloop_assets.drift.batch import judge_batch
from crawloop_assets.drift.changes import record_pairs
from crawloop_assets.drift.evidence_signs import count_evidence_signs
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from tests.drift.small import LIST_PRICE, PRICE, SKU, TITLE, family, outcome, schema

USUAL = {
    "words:price": {"words #": 100},
    "beside:price": {"beside #": 100},
    "places:price": {"places 1": 100},
}
PAST = [BatchStats(version=1, categories=USUAL)]


def vote(words: str = "#", beside: str = "#", places: int = 1, **given) -> FieldVote:
    context = Context(words=words, beside=beside, places=places)
    given = {"live_readers": 1, "readers": 2, **given}
    return FieldVote(agreement=0.9, reader=".price", context=context, **given)


def page(price: str, said: FieldVote, known: str | None = None, **given) -> PageOutcome:
    previous = [{"price": known}] if known else []
    return outcome({"price": price}, votes={"price": said}, previous=previous, **given)


def counted(
    *pages: PageOutcome, history=PAST, spec=PRICE
) -> dict[Sign, tuple[int, int]]:
    tallies = Tallies()
    fields = schema(spec)
    pairs = record_pairs(fields, family(), pages)
    norms = Norms(history, version=1)
    count_evidence_signs(fields, family(), pages, pairs, norms, tallies)
    return {tally.sign: (tally.bad, tally.seen) for tally in tallies}


def split(**given) -> FieldVote:
    return vote(live_readers=2, against={Kind.SHOWN: "12.50"}, **given)


def test_kinds_of_evidence_that_contradict_each_other():
    assert counted(page("11.25", split()))[Sign.CONTRADICTION] == (1, 1)
    assert counted(page("11.25", vote(live_readers=2)))[Sign.CONTRADICTION] == (0, 1)
    assert Sign.CONTRADICTION not in counted(page("11.25", vote()))


def test_the_known_value_of_a_steady_field_is_proved_and_of_a_price_is_not():
    said = FieldVote(
        agreement=0.9, live_readers=2, readers=2, against={Kind.SHOWN: "Pot"}
    )
    known = outcome(
        {"title": "Pan"}, votes={"title": said}, previous=[{"title": "Pan"}]
    )
    assert counted(known, spec=TITLE)[Sign.CONTRADICTION] == (0, 1)
    stale = page("11.25", split(), known="11.25")
    assert counted(stale)[Sign.CONTRADICTION] == (1, 1)


def test_a_reader_that_never_disagreed_and_does_now_holds_its_page():
    """Whatever its weight, where what the others say is not what is known; for a
    refresh."""
    quiet = [BatchStats(version=1, batch=f"{n}", rates={RIVAL: (0, 50)}) for n in "123"]
    said = FieldVote(agreement=0.9, live_readers=3, readers=3, rivals=("12.50",))
    fields = schema(SKU, PRICE)

    def held(price: str, history=quiet, **looks) -> bool:
        known = {"sku": "K", "price": "12.50"}
        page = outcome(known | {"price": price}, previous=[known], **looks)
        found = judge_batch(fields, family(), [page], history, batch="1")
        assert not found.drifted
        return bool(found.held)

    assert held("11.90", votes={"price": said})
    assert not held("11.90", votes={"price": said}, said_before=({"price": "11.90"},))
    assert not held("12.50", votes={"price": said})
    assert not held("11.90")
    often = [BatchStats(version=1, batch="1", rates={RIVAL: (9, 150)})]
    assert not held("11.90", often, votes={"price": said})


RIVAL = "rival:price"


def test_new_words_around_another_number():
    found = counted(page("3.10", vote(words="# / kg"), known="12.50"))
    assert found[Sign.WORDS] == (1, 1)
    assert (found[Sign.BESIDE], found[Sign.PLACES]) == ((0, 1), (0, 1))
    assert counted(page("3.10", vote(beside="from #")))[Sign.BESIDE] == (1, 1)
    assert counted(page("3.10", vote(places=2)))[Sign.PLACES] == (1, 1)


def test_the_sign_of_a_number_is_its_own_where_it_always_had_one():
    """A goal difference of "+7" that comes to "0", or to "-1"; a price has no sign."""

    def is_new(words: str, *usual: str) -> bool:
        past = USUAL | {"words:price": {f"words {one}": 100 for one in usual}}
        history = [BatchStats(version=1, categories=past)]
        return counted(page("6", vote(words), known="5"), history=history)[
            Sign.WORDS
        ] == (1, 1)

    assert not any(is_new(words, "+ #") for words in ("#", "- #", "− #"))
    assert is_new("+ #", "#"), "something is to be paid on top"
    assert is_new("from #", "+ #") and not is_new("# goals", "- # goals")


def test_of_many_words_around_a_number_none_is_usual():
    """As in "York Water Board · £ # · closes March": they are other fields of the line."""

    def new_words(kinds: int) -> bool:
        seen = {f"words board {at} · £ #": 60 for at in range(kinds)}
        past = [BatchStats(version=1, categories={"words:price": seen})]
        said = vote("council · £ #")
        return Sign.WORDS in counted(page("11.25", said, "12.50"), history=past)

    assert [new_words(kinds) for kinds in (1, 6, 7)] == [True, True, False]


def test_new_words_around_the_known_number_mean_nothing():
    assert counted(page("12.50", vote(words="# / kg"), known="12.5"))[Sign.WORDS] == (
        0,
        1,
    )


def test_words_that_the_site_has_added_everywhere_mean_nothing():
    same = [page("12.50", vote(words="# each"), known="12.50") for _ in range(3)]
    moved = page("13.50", vote(words="# each"), known="12.50")
    assert counted(*same, moved)[Sign.WORDS] == (0, 4)
    assert counted(same[0], moved)[Sign.WORDS] == (0, 2)


def test_a_number_that_stays_by_chance_where_several_others_did_not():
    """A key that is no longer written to has the known price here and there."""
    same = page("12.50", vote(words="# each"), known="12.50")
    moved = page("13.50", vote(words="# each"), known="12.50")
    assert counted(same, moved, moved)[Sign.WORDS] == (3, 3)
    usual = page("12.50", vote(), known="12.50")
    assert counted(usual, moved, moved)[Sign.WORDS] == (2, 3)


ON_SALE = "€ eur #"
SALES = {**USUAL, "beside:price": {"beside #": 90, f"beside {ON_SALE}": 10}}


def added(beside: str) -> list[PageOutcome]:
    """Pages on which a site has added words beside a price that stays."""
    return [page("12.50", vote(beside=beside), known="12.50") for _ in range(20)]


def test_what_the_site_has_added_beside_all_it_has_added_beside_other_words_too():
    past = [BatchStats(version=1, categories=SALES)]
    everywhere = added("# or € / month")
    sale = page("10.00", vote(beside="€ eur # or € / month"), known="12.50")
    assert counted(*everywhere, sale, history=past)[Sign.BESIDE] == (0, 21)
    assert counted(sale, history=past)[Sign.BESIDE] == (1, 1)
    few = everywhere[:19]
    assert counted(*few, sale, history=past)[Sign.BESIDE] == (0, 20)
    assert counted(*few[:18], sale, history=past)[Sign.BESIDE] == (1, 19)


def test_what_stands_beside_fewer_than_half_of_the_prices_is_not_everywhere():
    past = [BatchStats(version=1, categories=SALES)]
    some = added("# for members")[:9] + added("#")[:8] + added(ON_SALE)[:8]
    sale = page("10.00", vote(beside="€ eur # for members"), known="12.50")
    assert counted(*some, sale, history=past)[Sign.BESIDE] == (1, 26)


def test_an_element_that_grew_too_long_by_what_was_added_says_nothing():
    past = [BatchStats(version=1, categories=SALES)]
    long = page("10.00", vote(beside=""), known="12.50")
    assert counted(*added("# or € / month"), long, history=past)[Sign.BESIDE] == (0, 21)
    assert counted(*added("#"), long, history=past)[Sign.BESIDE] == (1, 21)


def test_a_number_among_what_was_added_is_no_price_on_sale():
    past = [BatchStats(version=1, categories=SALES)]
    for beside in ("€ eur € or # / month", "€ or # / month", "or € / month #"):
        misread = page("1.00", vote(beside=beside), known="12.50")
        found = counted(*added("# or € / month"), misread, history=past)
        assert found[Sign.BESIDE] == (1, 21)


def test_what_was_added_behind_one_fields_numbers_may_stand_before_another_ones():
    """The coupon behind a price is what a list price comes after."""
    beside = {f"beside:{name}": {"beside #": 100} for name in ("price", "list_price")}
    past = [BatchStats(version=1, categories={**USUAL, **beside})]
    dear = outcome(
        {"list_price": "20.00"},
        votes={"list_price": vote(beside="off with spring #")},
        previous=[{"list_price": "18.00"}],
    )
    coupons = added("# off with spring")
    tallies, fields, pages = Tallies(), schema(PRICE, LIST_PRICE), [*coupons, dear]
    pairs = record_pairs(fields, family(), pages)
    count_evidence_signs(
        fields, family(), pages, pairs, Norms(past, version=1), tallies
    )
    found = tallies.get(Sign.BESIDE, "list_price")
    assert found is not None and found.rate == (0, 1)


def test_what_stands_beside_prices_that_are_others_was_not_added_by_the_site():
    past = [BatchStats(version=1, categories=SALES)]
    others = [
        page("9.00", vote(beside="# for members"), known="12.50") for _ in range(30)
    ]
    sale = page("10.00", vote(beside="€ eur # for members"), known="12.50")
    assert counted(*others, sale, history=past)[Sign.BESIDE] == (31, 31)


def test_without_history_nearly_all_of_the_batch_say_what_is_usual():
    usual = [page("12.50", vote()) for _ in range(40)]
    odd = page("3.10", vote(words="# / kg"))
    assert counted(*usual, odd, history=[])[Sign.WORDS] == (1, 41)
    assert Sign.WORDS not in counted(*usual[:10], odd, history=[])
    both = counted(*usual[:20], *[odd] * 20, history=[])
    assert both[Sign.WORDS] == (0, 40)


def test_other_versions_have_other_words():
    assert counted(page("3.10", vote(words="# / kg"), version=2)) == {}


def test_what_history_keeps_of_a_context():
    (record,) = page("3.10", vote(words="# / kg", places=2)).read_records
    assert dict(vote_traits("price", record.votes["price"])) == {
        "reader:price": record.votes["price"].reader,
        "words:price": "words # / kg",
        "beside:price": "beside #",
        "places:price": "places 2",
        "hidden:price": "hidden False",
    }


def test_yesterdays_number_told_beside_what_always_moves_outvotes_nothing():
    moving = BatchStats(version=1, categories=USUAL, rates={"repriced:price": (19, 20)})
    said = [
        page(
            f"9{at}.50", vote(live_readers=3, rivals=(f"2{at}.50",)), known=f"2{at}.50"
        )
        for at in range(1, 6)
    ]
    assert counted(*said)[Sign.OUTVOTED] == (5, 5)
    assert counted(*said, history=[moving] * 2)[Sign.OUTVOTED] == (0, 5)


def outvoted(*kept: str, count: int = 6, rival: str = "30.00") -> tuple[int, int]:
    """(bad, seen) of pages of which a reader says a `rival` of the value that wins; on
    some of them that is what is `kept`."""
    said = vote(live_readers=3, rivals=(rival,))
    pages = [page(f"9{at}.50", said, known=f"2{at}.50") for at in range(1, count)]
    pages += [page(one, said, known=one) for one in kept]
    return counted(*pages)[Sign.OUTVOTED]


def test_a_reader_that_loses_and_is_nearer_to_what_was_known_may_be_right():
    assert outvoted() == (5, 5)
    assert outvoted(count=3) == (0, 2), "two pages may change by chance"
    assert outvoted("8.50") == (0, 6), "where they say what is known they are right"
    assert outvoted(rival="250.00") == (0, 5), "what wins is nearer"
    alone = [page("3.50", vote(), known="2.50")] * 5
    assert counted(*alone)[Sign.OUTVOTED] == (0, 5)
    late = [page("3.50", vote(rivals=("2.50",), late="2.50"), known="2.50")] * 5
    assert counted(*late)[Sign.OUTVOTED] == (0, 5)
