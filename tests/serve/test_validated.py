"""What becomes of records that do not fit the user's model."""

from functools import partial
from typing import Annotated, Any, ClassVar, Literal

import pytest
from pydantic import BaseModel, Field, model_validator

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.family import Family
from crawloop_assets.serve.validated import Validated, Validator


class Jar(BaseModel):
    """A jar of something."""

    title: str
    price: Annotated[float, Field(gt=0)]
    stock: Annotated[int, Field(ge=0)] | None = None
    tags: list[Annotated[str, Field(max_length=5)]] | None = None


class PricedJar(Jar):
    """A jar that has to be cheap."""

    @model_validator(mode="after")
    def _is_cheap(self) -> "PricedJar":
        if self.price > 100:
            raise ValueError("too dear")
        return self


def validated(model: type[BaseModel], **values: Any) -> Validated:
    schema = f"{model.__module__}:{model.__name__}"
    family = Family.model_validate({"family": "jar", "schema": schema, "discover": {}})
    read = Extraction(records=(ExtractedRecord(values=values, votes={}),))
    (found,) = Validator(family).of(read, "https://jars.example/1")
    return found


def names(found: Validated) -> list[str]:
    return [one.field for one in found.invalid]


def test_an_optional_value_that_does_not_fit_costs_itself_and_is_named() -> None:
    found = validated(
        Jar, title="Jam", price="2.50", stock=-1, tags=["a", "far too long"]
    )
    assert found.record == Jar(title="Jam", price=2.5)
    assert names(found) == ["stock", "tags.1"]


def test_a_record_that_fits_has_nothing_against_it() -> None:
    found = validated(Jar, title="Jam", price="2.50", stock=3)
    assert (found.record, found.invalid) == (Jar(title="Jam", price=2.5, stock=3), ())


class Plot(BaseModel):
    """A piece of land, of which a person is the owner."""

    number: str
    owner: str
    area: Annotated[int, Field(gt=0)]


PLOT = {"number": "A-1", "owner": "Ada Brandt", "area": 700}
LAND = "https://land.example/1"


def plots(**more: str) -> Family:
    schema = f"{Plot.__module__}:{Plot.__name__}"
    named = {"family": "plot", "schema": schema, "discover": {}, "key": ["number"]}
    return Family.model_validate(named | more)


@pytest.mark.parametrize(
    ("read", "known", "fields"),
    [
        ({"number": "A-1", "area": 700}, PLOT, {"owner"}),
        ({"number": "A-1"}, PLOT, {"owner", "area"}),
        (PLOT, PLOT, None),
        ({"area": 700}, PLOT, None),
        ({"number": "A-1", "area": 700}, None, None),
        ({"number": "A-1", "area": -7}, PLOT, None),
    ],
)
def test_a_record_is_completed_by_known_values_of_what_is_not_read_at_all(
    read: dict[str, Any], known: dict[str, Any] | None, fields: set[str] | None
) -> None:
    """Not where it lacks nothing, or its key, where nothing is known, or where another value does not fit."""
    page = Extraction(records=(ExtractedRecord(values=read, votes={}),))
    found = Validator(plots()).completed(page, LAND, [known])
    assert (list(map(set, found.completed)) if found else None) == (fields and [fields])
    assert found is None or found.values == ({**PLOT, **read},)


def test_rows_that_need_nothing_stay_as_they_are_beside_those_that_are_completed() -> (
    None
):
    """One that is new, and lacks what it must have, is left out."""
    rows = [PLOT, {"number": "A-2", "area": 90}, {"number": "A-3", "area": 40}]
    page = Extraction(
        records=tuple(
            ExtractedRecord(values=row, votes={}, row=at) for at, row in enumerate(rows)
        )
    )
    known = [None, PLOT | {"number": "A-2"}, None]
    found = Validator(plots(kind="listing")).completed(page, LAND, known)
    assert found is not None and found.extraction is not None
    assert found.completed == (frozenset(), {"owner"})
    assert found.values == (PLOT, {"number": "A-2", "area": 90, "owner": "Ada Brandt"})
    assert [one.row for one in found.extraction.records] == [0, 1]


class Train(BaseModel):
    """What leaves a station."""

    number: str
    status: Literal["on time", "late"]
    track: Literal["1", "2"] | None = None
    VOLATILE: ClassVar = {"status"}


def new_choice(said: str) -> FieldVote:
    return FieldVote(agreement=0.0, live_readers=0, readers=1, unlisted=said)


NEWS = frozenset({"status"})


@pytest.mark.parametrize(
    ("statuses", "left_out"),
    [(["late", "", "late"], [NEWS]), (["", ""], None), (["late", ""], [NEWS])],
)
def test_rows_with_a_choice_that_is_news_are_left_out_while_most_have_one_that_is_none(
    statuses: list[str], left_out: list[frozenset[str]] | None
) -> None:
    """An optional one that is news is nothing, and costs no row."""
    track = {"track": new_choice("7")}
    rows = [
        ExtractedRecord(
            values={"number": str(at)} | ({"status": status} if status else {}),
            votes=track | ({} if status else {"status": new_choice("diverted")}),
            row=at,
        )
        for at, status in enumerate(statuses)
    ]
    family = plots(kind="listing", schema=f"{Train.__module__}:Train")
    known = [{"number": str(at), "status": "late"} for at in range(len(rows))]
    found = Validator(family).completed(
        Extraction(records=tuple(rows)), LAND, list(known)
    )
    assert (found and [one.choices for one in found.left_out]) == left_out
    if found:
        assert {row["status"] for row in found.values} == {"late"}
        assert len(found.values) == statuses.count("late")


def test_a_row_that_says_no_status_is_left_out_with_those_that_say_what_is_news() -> (
    None
):
    """It is on its page, and what is known of it stays."""
    rows = [ExtractedRecord(values={"number": "0"}, votes={})]
    rows += [
        ExtractedRecord(values={"number": str(at), "status": "late"}, votes={}, row=at)
        for at in (1, 2, 3)
    ]
    family = plots(kind="listing", schema=f"{Train.__module__}:Train")
    known = [{"number": str(at), "status": "late"} for at in range(4)]
    completed = partial(Validator(family).completed, url=LAND, known=known)
    assert completed(Extraction(records=tuple(rows))) is None
    news = {"status": new_choice("diverted")}
    rows[3] = ExtractedRecord(values={"number": "3"}, votes=news, row=3)
    found = completed(Extraction(records=tuple(rows)))
    assert found is not None
    assert [(one.choices, one.known) for one in found.left_out] == [
        (frozenset(), known[0]),
        (NEWS, known[3]),
    ]


def test_a_row_is_left_out_for_nothing_but_a_required_choice_that_it_lacks() -> None:
    """Not for an optional one that is news, nor where the known one lasts."""
    of_status, of_track = ({name: new_choice("7")} for name in ("status", "track"))
    rows = [
        ExtractedRecord(values={"number": "1", "status": "late"}, votes={}),
        ExtractedRecord(values={"number": "2"}, votes=of_track, row=1),
        ExtractedRecord(values={"number": "3"}, votes=of_status, row=2),
        ExtractedRecord(values={"number": "4", "status": "late"}, votes={}, row=3),
    ]
    known = [{"number": str(at), "status": "late"} for at in range(1, 5)]
    page, lasting = Extraction(records=tuple(rows)), f"{Train.__module__}:LastingTrain"
    found = Validator(plots(kind="listing", schema=lasting)).completed(
        page, LAND, [known[0], None, known[2], known[3]]
    )
    assert found is not None
    assert found.left_out == ()
    assert [row["number"] for row in found.values] == ["1", "3", "4"]


class LastingTrain(Train):
    """What is late stays late."""

    VOLATILE: ClassVar[set[str]] = set()


class Addressed(Plot):
    """One that has an address."""

    url: str


def test_a_completed_row_without_a_link_of_its_own_is_at_the_url_of_its_list() -> None:
    """As one that lacks nothing is."""
    schema = f"{Addressed.__module__}:{Addressed.__name__}"
    family = plots(kind="listing", schema=schema)
    read = {"number": "A-1", "area": 700}
    page = Extraction(records=(ExtractedRecord(values=read, votes={}),))
    found = Validator(family).completed(page, LAND, [{**PLOT, "url": LAND}])
    assert found is not None
    assert found.values == ({**PLOT, "url": LAND},)
    assert found.completed == (frozenset({"owner"}),)


def test_a_required_value_that_does_not_fit_costs_the_record() -> None:
    found = validated(Jar, title="Jam", price="0", stock=-1)
    assert found.record is None
    assert names(found) == ["price", "stock"]


def test_what_the_model_says_of_the_record_as_a_whole_costs_it() -> None:
    found = validated(PricedJar, title="Jam", price="200")
    assert (found.record, names(found)) == (None, [""])
    # Also if it is seen only once the optional value is left out.
    both = validated(PricedJar, title="Jam", price="200", stock=-1)
    assert both.record is None and names(both)


class Linked(BaseModel):
    """Something in a list, or alone on its page."""

    title: str
    url: str | None = None


PAGE = "https://jars.example/all"


@pytest.mark.parametrize("kind", ["detail", "listing", "json"])
def test_a_row_without_a_link_is_not_at_the_url_of_its_list(kind: str) -> None:
    """Its neighbour has one: the url of the page is another thing."""
    said = {"schema": f"{__name__}:Linked", "family": "jar", "discover": {}}
    validator = Validator(Family.model_validate(said | {"kind": kind}))

    def urls(*rows: dict[str, Any]) -> list[str | None]:
        read = (ExtractedRecord(values=row, votes={}) for row in rows)
        made = validator.of(Extraction(records=tuple(read)), PAGE)
        return [one.record.url for one in made if isinstance(one.record, Linked)]

    jam, own = {"title": "Jam", "url": "https://jars.example/1"}, {"title": "Tea"}
    assert urls(own) == [PAGE], "nothing else is known of a page"
    neighbour = PAGE if kind == "detail" else None
    assert urls(jam, own) == [jam["url"], neighbour]
    silent = FieldVote(agreement=0, live_readers=0, readers=1)
    looked = ExtractedRecord(values=own, votes={"url": silent})
    (made,) = validator.of(Extraction(records=(looked,)), PAGE)
    assert isinstance(made.record, Linked) and made.record.url == neighbour


class LidJar(BaseModel):
    """A jar with what pages say by words."""

    title: str
    sealed: bool = False
    glass: bool | None = None


def test_what_the_model_has_by_itself_is_no_value_where_a_page_says_what_nobody_knows() -> (
    None
):
    family = Family.model_validate(
        {"family": "jar", "schema": f"{__name__}:LidJar", "discover": {}}
    )
    unknown = FieldVote(agreement=0.0, live_readers=0, readers=1, unknown="waxed")
    votes = {"sealed": unknown, "glass": unknown}
    read = ExtractedRecord(values={"title": "Jam"}, votes=votes)
    validator = Validator(family)
    heard = validator.heard(Extraction(records=(read,)))
    assert heard.records[0].unknown_fields == {"sealed"}
    (found,) = validator.of(heard, "https://jars.example/1")
    assert found.record == LidJar(title="Jam")
    assert validator.values(found) == {"title": "Jam"}
    (silent,) = validator.of(
        Extraction(records=(read.model_copy(update={"votes": {}}),)), ""
    )
    assert validator.values(silent) == {"title": "Jam", "sealed": False}
