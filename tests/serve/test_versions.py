from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.family import Family
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.serve.versions import (
    as_program,
    live_versions,
    lost_fields,
    missed_fields,
    partial_versions,
    serving_versions,
    unread_fields,
)
from crawloop_assets.store import (
    CrawlerKind,
    CrawlerStatus,
    CrawlerVersion,
    NewCrawler,
    Store,
)


class Shop(BaseModel):
    """What may be open."""

    title: str
    state: Literal["open", "closed", "moved"] | None = None


class Street(BaseModel):
    """What has no choices."""

    title: str


START = datetime(2026, 1, 1, tzinfo=UTC)


def version(
    number: int, status: CrawlerStatus, promoted_days: int | None
) -> CrawlerVersion:
    promoted = None
    if promoted_days is not None:
        promoted = START + timedelta(days=promoted_days)
    return CrawlerVersion(
        family="shop/item",
        body="",
        version=number,
        sha256=str(number),
        status=status,
        created_at=START,
        promoted_at=promoted,
    )


def test_the_active_version_goes_first_then_those_promoted_last() -> None:
    versions = [
        version(1, CrawlerStatus.RETIRED, 1),
        version(2, CrawlerStatus.RETIRED, 9),
        version(3, CrawlerStatus.ACTIVE, 5),
        version(4, CrawlerStatus.RETIRED, 1),
    ]
    assert [live.version for live in live_versions(versions)] == [3, 2, 4, 1]


def test_what_was_rejected_or_never_promoted_does_not_serve() -> None:
    versions = [
        version(1, CrawlerStatus.REJECTED, 1),
        version(2, CrawlerStatus.CANDIDATE, 2),
        version(3, CrawlerStatus.AWAITING_REVIEW, None),
        version(4, CrawlerStatus.RETIRED, None),
    ]
    assert live_versions(versions) == []


def test_what_a_version_does_not_read_is_gone_or_missed() -> None:
    scores = (
        FieldScore(field="weight", gone=True),
        FieldScore(field="stock", silent=3),
        FieldScore(field="title", right=3),
    )
    made = version(1, CrawlerStatus.ACTIVE, 1)
    assert unread_fields(made) == frozenset()
    sheet = ScoreSheet(fields=scores).model_dump(mode="json")
    made = replace(made, score_sheet=sheet)
    assert (lost_fields(made), missed_fields(made)) == ({"weight"}, {"stock"})
    assert unread_fields(made) == {"weight", "stock"}
    whole = version(2, CrawlerStatus.RETIRED, 1)
    assert partial_versions([made, whole]) == {made.version}


@given(
    st.permutations(
        [version(number, CrawlerStatus.RETIRED, number % 3) for number in range(1, 6)]
    )
)
def test_the_order_does_not_depend_on_how_versions_are_listed(
    versions: list[CrawlerVersion],
) -> None:
    assert [live.version for live in live_versions(versions)] == [5, 2, 4, 1, 3]


STATE = FieldSpec(name="state", kind=FieldKind.CHOICE, choices=("open", "closed"))
PROGRAM = Program(
    fields=(FieldProgram(spec=STATE, readers=(Reader(src=Source.CSS, at=".state"),)),)
)


@pytest.mark.parametrize(
    ("body", "kind", "model", "choices"),
    [
        (PROGRAM.to_json(), CrawlerKind.PROGRAM, "Shop", ("open", "closed", "moved")),
        (PROGRAM.to_json(), CrawlerKind.PROGRAM, "Street", STATE.choices),
        ("no program", CrawlerKind.PROGRAM, "Shop", None),
        ("def extract(page): ...", CrawlerKind.CODE, "Shop", None),
    ],
    ids=["more choices", "no choices", "broken", "code"],
)
def test_versions_read_the_choices_that_their_model_has_now(
    tmp_path: Path, body: str, kind: CrawlerKind, model: str, choices: object
) -> None:
    of = Family.model_validate(
        {
            "family": "street/shop",
            "schema": f"tests.serve.test_versions:{model}",
            "discover": {},
        }
    )
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    number = store.add_crawler(NewCrawler(family=of.family, body=body, kind=kind))
    store.promote(of.family, number, why="a test")
    (served,) = serving_versions(store, of)
    if choices is None:
        assert served.body == body
    else:
        assert as_program(served).fields[0].spec.choices == choices
    assert (served.version, served.sha256) == (number, store.active(of.family).sha256)
