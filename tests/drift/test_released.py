"""What a person released teaches once it is a habit."""

from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats
from crawloop_assets.drift.released import with_released
from crawloop_assets.drift.sign import Sign

LEAPS = f"{Sign.JUMP}:rain"


def read(refresh: str, leaps: float, *released: str, **given: object) -> BatchStats:
    """A reading of forty rows."""
    return BatchStats(
        refresh=refresh,
        rates={LEAPS: (leaps, 40), f"{Sign.SWEPT}:": (leaps, 40)},
        released=frozenset(released),
        drifted=bool(released),
        **given,
    )


def share(*history: BatchStats) -> float:
    rate, _ = Norms(history).rate(Sign.JUMP, "rain", 40)
    return rate.share


def held(refresh: str, *fields: str) -> list[BatchStats]:
    """A refresh whose pages a person released, and its reading once all is known."""
    return [read(refresh, 12, *fields), read(refresh, 0)]


def test_what_was_released_counts_as_it_was_held():
    twice = [*held("r1", "rain"), *held("r2", "rain")]
    assert share(*twice) == 0.3
    assert share(*twice, read("r3", 12)) == 0.3


def test_once_is_an_event_in_a_young_family_too():
    assert share(*held("r1", "rain")) == 0.0
    assert share(*held("r1", "rain"), read("r2", 0)) == 0.0


def test_once_in_a_while_is_an_event():
    quiet = [read(f"r{number}", 0) for number in range(4)]
    doubled = [read("event", 40, "rain"), read("event", 0)]
    assert share(*quiet, *doubled) == 0.0
    again = [read("again", 40, "rain"), read("again", 0)]
    assert share(*quiet, *doubled, *again) > 0.1
    later = [read(f"later{number}", 0) for number in range(7)]
    assert share(*quiet, *doubled, *again, *later) == 0.0


def test_only_what_was_released_is_taught():
    assert share(*held("r1", "wind"), *held("r2", "wind")) == 0.0
    strides = {"rain": 1.0, "wind": 2.0}
    left, *_ = with_released(
        [read("r1", 12, "rain", strides=strides), *held("r2", "rain")]
    )
    assert set(left.rates) == {LEAPS, f"{Sign.SWEPT}:"}
    assert left.strides == {"rain": 1.0} and not left.drifted
    assert with_released(released({f"{Sign.ABOVE}:rain wind": (1, 4)}))[0].rates == {}


def released(rates: dict[str, tuple[float, float]]) -> list[BatchStats]:
    """Two refreshes with those rates whose pages a person released."""
    fields = frozenset(["rain"])
    return [
        BatchStats(refresh=one, rates=rates, released=fields) for one in ("r1", "r2")
    ]


def test_what_has_a_witness_is_not_taught():
    names = [
        f"{sign}:rain" for sign in (Sign.STILL, Sign.WORDS, Sign.STRAY, Sign.FACTOR)
    ]
    rates = dict.fromkeys(names, (9.0, 40.0))
    taught, _ = with_released(released(rates))
    assert list(taught.rates) == [f"{Sign.FACTOR}:rain"]


def test_a_history_without_releases_is_as_it_was():
    history = [read("r1", 3), read("r2", 4)]
    assert with_released(history) is history
