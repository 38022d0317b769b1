from crawloop_assets.scout.sheet import SAID_BY, Origin, SheetPlace


def test_a_place_knows_how_full_and_how_varied_it_is() -> None:
    place = SheetPlace(
        ("price",), Origin.MARKED, (("5",), (), ("7", "8")), several=True
    )
    assert (place.filled, place.distinct) == (2 / 3, 2)
    assert list(place.texts()) == ["5", "7", "8"]


def test_every_origin_has_words_for_people() -> None:
    assert SAID_BY.keys() == set(Origin)
