"""What is counted of how values are read."""

from crawloop_assets.crawler.context import Context
from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.crawler.traits import (
    AROUND,
    OTHERS,
    counted_traits,
    said_around,
    vote_traits,
)

VOTE = FieldVote(agreement=1.0, live_readers=1, readers=1, reader=".price")


def test_a_value_without_a_context_has_only_its_reader() -> None:
    assert list(vote_traits("name", VOTE)) == [("reader:name", ".price")]


def test_a_number_has_what_stands_around_it_too() -> None:
    context = Context(words="# / kg", places=2)
    vote = VOTE.model_copy(update={"context": context})
    assert dict(vote_traits("price", vote)) == {"reader:price": ".price"} | {
        f"{trait}:price": said_around(context, trait) for trait in AROUND
    }
    assert said_around(context, "words") == "words # / kg"
    assert said_around(context, "beside") == "beside"


def test_rare_categories_are_summed_up() -> None:
    seen = [("t", f"{at:02}") for at in range(14)] + [("t", "13"), ("u", "x")]
    counted = counted_traits(seen)
    assert counted["u"] == {"x": 1}
    assert next(iter(counted["t"])) == "13" and len(counted["t"]) == 13
    assert counted["t"][OTHERS] == 2 and sum(counted["t"].values()) == 15
