"""Fields whose known values stand on their pages and are not read."""

from collections.abc import Mapping
from typing import Any

import pytest

from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.still_shown import still_shown
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from tests.drift import small

SCHEMA = RecordSchema(
    name="Tender",
    fields=(FieldSpec(name="title"), FieldSpec(name="until", kind=FieldKind.DATE)),
)


def page(
    at: int, *, shows: bool | None, until: str | None = None, **more: Any
) -> PageOutcome:
    """A page of which the last day is known, and that may show it."""
    day = f"2026-12-{at + 1:02}"
    known = {"title": f"Lamp number {at}", "until": day}
    values: Mapping[str, Any] = {"title": known["title"], "until": until}
    stands = {} if shows is None else {f"date#{day}": shows}
    return PageOutcome(
        url=f"http://town.test/{at}",
        values=(values,),
        previous=(known,),
        facts=small.facts(stands=stands),
        **more,
    )


@pytest.mark.parametrize(
    ("shows", "expected"),
    [
        ([True, True, False], ("until",)),
        ([True, True, False, False], ()),
        ([True, False, False], ()),
        ([True, True, None, None, None], ("until",)),
        ([True], ()),
    ],
)
def test_most_of_what_is_looked_up_has_to_stand_there(
    shows: list[bool | None], expected: tuple[str, ...]
) -> None:
    pages = [page(at, shows=one) for at, one in enumerate(shows)]
    assert still_shown(SCHEMA, pages) == expected


def test_what_is_read_is_not_unread_on_whatever_page() -> None:
    read = [page(at, shows=True, until=f"2026-12-{2 - at:02}") for at in range(2)]
    assert still_shown(SCHEMA, read) == ()
    # Another one is read, and the known ones stand beside them.
    other = [page(at, shows=True, until="2027-01-01") for at in range(2)]
    assert still_shown(SCHEMA, other) == ("until",)


def test_a_known_value_that_was_put_beside_the_rest_is_not_read() -> None:
    pages = [
        page(
            at,
            shows=True,
            until=f"2026-12-{at + 1:02}",
            completed=(frozenset({"until"}),),
        )
        for at in range(3)
    ]
    assert still_shown(SCHEMA, pages) == ("until",)


def test_a_page_that_nobody_looked_at_says_nothing() -> None:
    pages = [page(at, shows=True) for at in range(3)]
    blind = [one.model_copy(update={"facts": None}) for one in pages]
    assert still_shown(SCHEMA, blind) == ()
