import pytest

from crawloop_assets.crawler.program import Kin
from crawloop_assets.induce.detail.json_paths import json_kin, json_prior
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldSpec

COLOR = words_of(FieldSpec(name="shell_color"))
TITLE = words_of(FieldSpec(name="title"))
MAIN = ("ld:Product", "ld:Thing", "md:Product")


@pytest.mark.parametrize(
    ("path", "kin"),
    [
        ("ld:Product.name", Kin.JSONLD),
        ("md:Product.name", Kin.MICRO),
        ("rdfa:Product.name", Kin.MICRO),
        ("js:state.name", Kin.JSON),
        ("body.name", Kin.JSON),
    ],
)
def test_the_kin_of_a_path_is_that_of_its_root(path: str, kin: Kin) -> None:
    assert json_kin(path) is kin


def prior(path: str) -> float:
    return json_prior(path, COLOR, MAIN)[0]


def test_what_the_vocabulary_names_for_the_field_is_trusted_most() -> None:
    assert json_prior("ld:Product.name", TITLE, MAIN) == (pytest.approx(1.19), 1.0)
    assert json_prior("md:Product.name", TITLE, MAIN) == (pytest.approx(0.94), 1.0)
    assert json_prior("ld:Other.name", TITLE, MAIN) == (pytest.approx(0.89), 1.0)


def test_what_the_vocabulary_names_for_another_field_is_not_this_one() -> None:
    assert json_prior("ld:Product.datePublished", COLOR, MAIN) == (0.5, 0.0)
    assert json_prior("rdfa:Other.datePublished", COLOR, MAIN) == (
        pytest.approx(0.15),
        0.0,
    )
    assert json_prior("js:Product.datePublished", COLOR, MAIN)[0] > 0.2


def test_the_root_that_describes_the_record_best_is_trusted_most() -> None:
    roots = ("ld:Product", "ld:Thing", "ld:Other")
    trust = [prior(f"{root}.x.shellColor") for root in roots]
    assert trust == pytest.approx([0.9, 0.7, 0.6])


def test_keys_that_name_the_field_count_by_their_share_of_its_words() -> None:
    whole, half, none = (
        json_prior(f"js:s.{key}", COLOR, ())
        for key in ("shell_color_x", "shell", "other")
    )
    assert whole == (pytest.approx(0.78), pytest.approx(0.8))
    assert 0 < half[1] < whole[1]
    assert none == (pytest.approx(0.28), 0.0)
    assert none[0] < half[0] < whole[0]


def test_the_key_before_the_last_counts_for_a_little_less() -> None:
    at_end = json_prior("js:s.a.shell_color_x", COLOR, ())
    before = json_prior("js:s.shell_color_x.a", COLOR, ())
    assert before[1] == pytest.approx(0.9 * at_end[1])
    assert json_prior("js:s.shell_color_x.a.b", COLOR, ())[1] == 0.0


def test_deep_paths_and_keys_with_digits_are_trusted_less() -> None:
    assert prior("js:s.a.color") - prior("js:s.a.b.color") == pytest.approx(0.02)
    assert prior("ld:Thing.a.color") - prior("ld:Thing.a.b.color") == pytest.approx(0.2)
    assert prior("js:s.a.color") - prior("js:s.a1.color") == pytest.approx(0.25)
    assert prior("ld:Other.a.b.c.d.e") == 0.05


def test_places_in_a_list_do_not_count_as_keys() -> None:
    assert prior("js:s.a[*].color") == prior("js:s.a.color")


def test_a_key_that_says_that_it_was_so_before_names_nothing_in_it() -> None:
    now, before = (
        json_prior(f"js:s.{key}.color", COLOR, ()) for key in ("now", "previous")
    )
    assert now[1] > before[1] == 0.0
    assert now[0] > before[0]
