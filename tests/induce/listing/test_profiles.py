import pytest

from crawloop_assets.induce.listing.profiles import Profile
from crawloop_assets.schema import FieldKind, FieldSpec

TEXT = FieldSpec(name="docket")
URL = FieldSpec(name="url", kind=FieldKind.URL)
DOCKETS = ["20-CV-17", "21-CV-5", "22-CV-301"]


def test_frequent_words_and_shapes_are_kept() -> None:
    profile = Profile.of(TEXT, ["Ames v. Birch 1", "Cole V Dunn 2", "3"])
    assert profile.words == {"v"}
    assert profile.shapes == {"a a. a 0", "a a a 0", "0"}
    many = Profile.of(TEXT, ["ab"] * 20 + ["1"])
    assert many.shapes == {"a"}
    assert many.words == {"ab"}


def test_values_of_the_same_form_are_alike() -> None:
    profile = Profile.of(TEXT, DOCKETS)
    assert profile.share(TEXT, DOCKETS) == 1.0
    assert profile.share(TEXT, ["30-CV-8", "Ames"]) == 0.25
    assert profile.share(TEXT, ["Ames", "Birch"]) == 0.0
    assert profile.share(TEXT, []) == 0.0


def test_shapes_without_digits_say_nothing_beside_words() -> None:
    profile = Profile.of(TEXT, ["Ames v. Birch", "Cole v. Dunn"])
    assert profile.share(TEXT, ["Hale v. Gray"]) == 1.0
    assert profile.share(TEXT, ["Hale x. Gray"]) == 0.0


def test_without_common_words_the_shape_counts() -> None:
    profile = Profile.of(TEXT, ["Ames Birch", "Cole Dunn"])
    assert profile.words == frozenset()
    assert profile.share(TEXT, ["Hale Gray"]) == 1.0


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("/x/y.PDF?a=b.html", 1.0),
        ("/x/y.pdf#part", 1.0),
        ("/x/y.html", 0.0),
        ("/x.pdf/y", 0.0),
    ],
)
def test_links_are_alike_if_they_end_alike(link: str, expected: float) -> None:
    profile = Profile.of(URL, ["https://court.example/1.pdf"])
    assert profile.share(URL, [link]) == expected
    assert Profile.of(URL, ["https://court.example/1"]).share(URL, ["/a/b"]) == 1.0
