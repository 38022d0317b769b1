"""New and old readers of a field in one ensemble."""

from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.detail.ensemble import MOST_READERS
from crawloop_assets.induce.healing.merging import (
    all_of,
    joined,
    joined_behind,
    of_other_kin,
    revalued,
)
from tests.induce.healing.fields import css

readers = st.lists(
    st.builds(
        Reader,
        src=st.just(Source.CSS),
        at=st.sampled_from([f".c{number}" for number in range(8)]),
        get=st.sampled_from(["text", "own"]),
        kin=st.sampled_from(list(Kin)),
        weight=st.floats(0.01, 10),
    ),
    max_size=7,
    unique_by=lambda reader: (reader.at, reader.get),
)


@given(readers, readers)
def test_joined_readers_are_the_first_ones_then_others_that_read_elsewhere(
    first: list[Reader], second: list[Reader]
) -> None:
    both = joined(first, second)
    assert len(both) <= MOST_READERS
    assert both[: len(first)] == tuple(first[:MOST_READERS])
    places = [(reader.at, reader.get) for reader in both]
    assert len(set(places)) == len(places)
    if len(both) < MOST_READERS:
        assert set(second) <= {*both} | {
            reader
            for reader in second
            if (reader.at, reader.get) in {(one.at, one.get) for one in first}
        }


def test_the_same_place_read_otherwise_is_another_one() -> None:
    (text,) = css(".a")
    own = text.model_copy(update={"get": "own"})
    assert joined([text], [own, text]) == (text, own)


def test_a_reader_learns_the_words_of_another_one_of_its_place() -> None:
    now, then, sold, moot = (
        Step(op=Op.MAP, args=pair)
        for pair in (
            ("Bid at", "live"),
            ("Bid", "live"),
            ("Sold", "sold"),
            ("sold", "live"),
        )
    )
    (bare,) = css(".a")
    cut = Step(op=Op.BEFORE, args=(",",))
    old, new, other = (
        bare.model_copy(update={"pipe": pipe})
        for pipe in ((then, sold), (now, sold, moot), (cut, now))
    )
    (first, *rest) = joined([old], [new, other])
    assert first.pipe == (then, sold, now)
    assert rest == [other], "of another part of the place it knows nothing"


@given(readers.filter(bool), readers)
def test_readers_behind_others_never_outvote_the_weakest_of_them(
    first: list[Reader], second: list[Reader]
) -> None:
    both = joined_behind(first, second)
    least = min(reader.weight for reader in first)
    for reader in both[len(first) :]:
        # A twentieth, rounded to four places as all weights are.
        assert 0 < reader.weight <= max(0.001, 0.05 * least + 0.000051)
    assert both[: len(first)] == tuple(first[:MOST_READERS])


def test_readers_behind_others_weigh_a_twentieth() -> None:
    first = (*css(".a", weight=4), *css(".b", weight=2))
    (behind,) = joined_behind(first, css(".c", weight=9))[2:]
    assert behind.weight == 0.1
    (light,) = joined_behind(css(".a", weight=0.001), css(".c"))[1:]
    assert light.weight == 0.001


def test_behind_nobody_readers_keep_their_weight() -> None:
    second = css(*(f".c{number}" for number in range(7)), weight=3)
    assert joined_behind((), second) == second


def test_of_each_other_kin_the_first_is_taken() -> None:
    living = css(".a", kin=Kin.ID)
    fresh = (
        *css(".b", kin=Kin.CLASS),
        *css(".c", kin=Kin.ID),
        *css(".d", kin=Kin.CLASS),
        *css(".e", kin=Kin.TAG),
    )
    assert [reader.at for reader in of_other_kin(fresh, living)] == [".b", ".e"]
    assert [reader.at for reader in of_other_kin(fresh, ())] == [".b", ".c", ".e"]
    assert of_other_kin((), living) == ()


@given(readers, readers)
def test_all_readers_are_there_once_in_their_order(
    first: list[Reader], second: list[Reader]
) -> None:
    both = list(all_of(first, second))
    assert both[: len(first)] == first
    assert set(both) == {*first, *second} and len(both) == len(set(both))


def test_an_old_reader_weighs_as_much_as_among_new_ones_and_no_less_than_before() -> (
    None
):
    old = (*css(".a", weight=0.01), *css(".b", ".c", weight=0.5))
    new = (*css(".a", weight=0.8), *css(".b", ".d", weight=0.3))
    weights = {one.at: one.weight for one in revalued(old, new)}
    assert weights == {".a": 0.8, ".b": 0.5, ".c": 0.5}
