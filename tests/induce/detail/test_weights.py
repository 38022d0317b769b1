import pytest

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.induce.detail.trials import Tried
from crawloop_assets.induce.detail.weights import LEAST_WEIGHT, weight
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.induce.detail.documents import by_css, by_json, candidate

TITLE = FieldSpec(name="title")
PARTS = FieldSpec(name="parts", shape=Shape.LIST)
IMAGE = FieldSpec(name="image", kind=FieldKind.URL)
ABOUT = frozenset(("recipe",))
STATED = by_json("ld:Recipe.name")


def vote(
    reader: Reader,
    spec: FieldSpec = TITLE,
    prior: float = 1.0,
    named: float = 1.0,
    main: tuple[str, ...] | None = None,
    silent: int = 0,
) -> float:
    tried = Tried(candidate(reader, prior, named), 1, 0, silent)
    return weight(tried, spec, ABOUT, main)


def test_the_vote_is_the_square_of_the_trust_by_how_often_it_was_right() -> None:
    reader = by_css("p")
    assert vote(reader) == 1.0
    assert vote(reader, prior=0.5) == 0.25
    assert vote(reader, silent=1) == 0.5
    assert vote(reader, prior=0.01) == LEAST_WEIGHT
    assert vote(reader, prior=9.0) == 10.0


def test_what_the_record_states_of_itself_weighs_most() -> None:
    assert vote(STATED) == tuned("weights.typed_record")
    assert vote(STATED, main=("ld:Recipe",)) == tuned("weights.typed_record")
    assert vote(STATED, main=("ld:Person",)) == 1.0
    assert vote(STATED, named=0.9) == 1.0
    assert vote(by_json("js:state.name", Kin.JSON)) == 1.0


def test_what_speaks_of_the_page_weighs_least() -> None:
    assert vote(by_css("meta", Kin.META)) == pytest.approx(0.4)


@pytest.mark.parametrize("kin", [Kin.CLASS, Kin.ID, Kin.DATA])
def test_what_is_named_like_record_and_field_weighs_twice(kin: Kin) -> None:
    assert vote(by_css(".page .recipe-title", kin)) == 2.0


def test_names_elsewhere_do_not_count_for_the_record() -> None:
    assert vote(by_css(".recipe .title")) == 1.0
    assert vote(by_css(".recipe-title", Kin.PATH)) == 1.0
    assert vote(by_css(".recipe-title"), named=0.8) == 1.0
    xpath = Reader(src=Source.XPATH, at="//recipe", kin=Kin.CLASS)
    assert vote(xpath) == 1.0


def test_lists_of_the_record_decide_but_are_not_certain() -> None:
    assert vote(STATED, PARTS) == 2.0
    assert vote(by_css("meta", Kin.META), PARTS) == pytest.approx(0.4)


def test_pictures_weigh_the_same_wherever_they_are_named() -> None:
    assert vote(STATED, IMAGE) == 1.0
    assert vote(by_css("meta", Kin.META), IMAGE) == 1.0
