import pytest

from crawloop_assets.induce.listing.column_fit import assign_columns, column_fit
from crawloop_assets.induce.listing.groups import CellPlace, Column, Group
from crawloop_assets.induce.listing.profiles import Profile
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from tests.induce.listing.documents import DAYS, NAMES, SCHEMA

BASE = "https://court.example/list"
NAME, FILED, URL = SCHEMA.fields


def column(
    *texts: str, words: str = "", path: str = ". > b:1", get: str = "text"
) -> Column:
    return Column(CellPlace(path, get), texts, frozenset(words.split()))


def fit(
    spec: FieldSpec, of: Column, known: list[str] | None = None, at: int = 1
) -> float:
    profile = Profile.of(spec, known) if known else None
    return column_fit(spec, of, profile, BASE, at)


def test_dates_fit_by_their_kind_and_better_by_their_name() -> None:
    assert fit(FILED, column(*DAYS)) == pytest.approx(0.6)
    assert fit(FILED, column(*DAYS, words="filed")) == pytest.approx(1.0)
    assert fit(FILED, column(*DAYS[:2], "", "")) == pytest.approx(0.3)
    long = [f"{day} {'x' * 60}" for day in DAYS]
    assert fit(FILED, column(*long)) == pytest.approx(0.48)
    assert fit(FILED, column(*NAMES)) == 0.0
    assert fit(FILED, column(*DAYS[:2], *NAMES[:2])) == 0.0


def test_links_fit_urls_only() -> None:
    links = ("/doc/1.pdf", "/doc/2.pdf")
    assert fit(URL, column(*links, get="@href")) == pytest.approx(0.5)
    assert fit(URL, column(*links, get="@href", words="url")) >= 0.5
    assert fit(URL, column(*links)) == 0.0
    assert fit(NAME, column(*NAMES, get="@href", words="name")) == 0.0
    assert fit(URL, column("/a", "/a", get="@href")) == pytest.approx(0.25)


def test_texts_fit_by_the_words_around_them() -> None:
    assert fit(NAME, column(*NAMES)) == 0.0
    assert fit(NAME, column(*NAMES, words="name")) == pytest.approx(0.85)
    assert fit(NAME, column("Ames", "Ames", words="name")) == pytest.approx(0.75)


@pytest.mark.parametrize("path", [". > a:1", ". > h3:1", ". > p:1 > a:1"])
def test_the_first_field_may_be_the_link_or_heading_of_the_rows(path: str) -> None:
    assert fit(NAME, column(*NAMES, path=path), at=0) == pytest.approx(0.35)
    assert fit(NAME, column(*NAMES, path=path), at=1) == 0.0
    assert fit(NAME, column("Ames", "Ames", path=path), at=0) == 0.0
    assert fit(NAME, column(*NAMES, path=". > b:1"), at=0) == 0.0


def test_the_whole_text_of_a_row_is_a_field_only_if_earlier_values_say_so() -> None:
    row = column(*NAMES, path=".", words="name")
    assert fit(NAME, row) == 0.0
    assert fit(NAME, row, list(NAMES)) > 0.5


def test_earlier_values_count_half() -> None:
    assert fit(NAME, column(*NAMES), list(NAMES)) == pytest.approx(0.65)
    assert fit(NAME, column(*NAMES, words="name"), list(NAMES)) == pytest.approx(0.85)
    assert fit(NAME, column(*DAYS), list(NAMES)) == pytest.approx(0.15)
    assert fit(FILED, column(*DAYS), list(DAYS)) == pytest.approx(0.8)


def test_each_field_gets_the_column_that_fits_best_and_none_twice() -> None:
    schema = RecordSchema(
        name="Case",
        fields=(
            FieldSpec(name="filed", kind=FieldKind.DATE),
            FieldSpec(name="decided", kind=FieldKind.DATE),
            FieldSpec(name="heard", kind=FieldKind.DATE),
            FieldSpec(name="judges", shape=Shape.LIST),
        ),
    )
    first = column(*DAYS, words="decided judge")
    second = column(*reversed(DAYS))
    group = Group((1, 2, 3, 4), (1, 2, 3, 4), (first, second))
    chosen = assign_columns(schema, group, {}, BASE)
    assert {name: fitting.column for name, fitting in chosen.items()} == {
        "decided": first,
        "filed": second,
    }
    assert chosen["decided"].fit == 1.0
    assert chosen["filed"].fit == 0.6


def test_columns_that_fit_badly_are_not_taken() -> None:
    group = Group((1,), (1,), (column(*NAMES),))
    assert assign_columns(SCHEMA, group, {}, BASE) == {}


def test_a_field_of_which_nothing_is_known_takes_no_column_of_a_known_one() -> None:
    spec = FieldSpec(name="style")
    schema = RecordSchema(name="Case", fields=(spec, *SCHEMA.fields))
    name = column(*NAMES, words="style")
    group = Group((1, 2, 3, 4), (1, 2, 3, 4), (name, column(*DAYS, path=". > i:1")))
    known = {"name": Profile.of(NAME, list(NAMES))}
    assert fit(spec, name) > fit(NAME, name, list(NAMES))
    chosen = assign_columns(schema, group, known, BASE)
    assert chosen.keys() == {"name", "filed"}
    assert chosen["name"].column == name
    assert assign_columns(schema, group, {}, BASE)["style"].column == name
