"""The evidence for a field: how its best reader did, and a reason where there is none."""

from crawloop_assets.crawler.program import FieldProgram
from crawloop_assets.induce.detail.field_scores import (
    field_score,
    held_out_share,
    nested_score,
    no_reader,
    without_readers,
)
from crawloop_assets.induce.detail.trials import KnownValue, Tried
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.detail.documents import by_css, candidate, index

NAME = FieldSpec(name="name", kind=FieldKind.TEXT, required=True)
PAGES = [
    KnownValue(index(f"<h1 class='name'>{name}</h1><p>More.</p>"), name)
    for name in ("Umber Hall", "Fjord House", "Willow Court")
]


def test_the_best_reader_speaks_for_a_field() -> None:
    reader = by_css("h1")
    field = FieldProgram(spec=NAME, readers=(reader,))
    tried = [Tried(candidate(reader), right=2, wrong=1, silent=0)]
    score = field_score(field, tried, 0.5)
    assert (score.right, score.wrong, score.held_out) == (2, 1, 0.5)
    assert score.kins == ("class",) and score.required


def test_a_field_without_readers_says_so() -> None:
    score = field_score(FieldProgram(spec=NAME), [], None)
    assert score.reason == no_reader(()) == "no reader gives the known values"
    assert no_reader((by_css("h1"),)) == ""


def test_a_field_that_shares_its_place_has_no_readers_and_says_with_what() -> None:
    field = FieldProgram(spec=NAME, readers=(by_css("h1"),))
    score = field_score(field, [], None)
    assert without_readers(score, {"title": ["title", "kind"]}) == score
    bare = without_readers(score, {"name": ["title", "name"]})
    assert (bare.readers, bare.kins, bare.required) == (0, (), True)
    assert bare.reason.startswith("title and name would be read in one place")


def test_known_pages_are_held_out_in_turn() -> None:
    assert held_out_share(PAGES, NAME, []) == 1.0
    assert held_out_share(PAGES[:1], NAME, []) is None


def test_of_objects_all_known_values_count() -> None:
    field = FieldProgram(spec=NAME, readers=(by_css("h1"),))
    score = nested_score(field, PAGES)
    assert score.right + score.wrong == len(PAGES)
