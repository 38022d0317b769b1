"""What a person wrote of a field, as its value."""

from decimal import Decimal

import pytest
from pydantic import BaseModel

from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Family
from crawloop_assets.heal.written import written_value


class Rate(BaseModel):
    """What a night costs."""

    season: str
    price: Decimal


class Pitch(BaseModel):
    """A place for a tent."""

    name: str
    price: Decimal
    shade: list[str] = []
    cheapest: Rate | None = None
    rates: list[Rate] = []


PITCHES = Family.model_validate(
    {"family": "town/pitch", "schema": "tests.heal.test_written:Pitch", "discover": {}}
)


def written(name: str, text: str) -> object:
    return written_value(PITCHES, PITCHES.schema_spec().field(name), text)


def test_values_are_written_as_pages_show_them() -> None:
    assert written("price", "12.50 €") == "12.50"
    assert written("name", "two\nlines") == "two lines"
    assert written("shade", "oak\nelm") == ["oak", "elm"]


def test_records_in_a_record_are_objects_of_json_one_per_line() -> None:
    low, high = ({"season": one, "price": "7.5"} for one in ("low", "high"))
    lines = '{"season": "low", "price": 7.5}\n{"season": "high", "price": "7.5 €"}'
    assert written("rates", lines) == [low, high]
    assert written("rates", f"[{lines}]".replace("\n", ",")) == [low, high]
    assert written("cheapest", '{"season": "low", "price": 7.5}') == low


def test_what_is_no_value_says_how_to_write_one() -> None:
    with pytest.raises(ConfigError, match="is no value of price") as shown:
        written("price", "much")
    assert shown.value.hint == "write it as the page shows it"
    for text in ("low 7.5", '{"season": "low"}', "7", "[" * 100_000):
        with pytest.raises(ConfigError, match="is no value of rates") as refused:
            written("rates", text)
        assert '{"season": …, "price": …}' in refused.value.hint
    with pytest.raises(ConfigError, match="rates: it is no object of JSON"):
        written("rates", "low 7.5")
