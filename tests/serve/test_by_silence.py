"""Flags that a crawler reads from the want of words are no news of a record that had them."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.serve.by_silence import Marks, version_marks, without_silent
from crawloop_assets.store import CrawlerKind, CrawlerStatus, CrawlerVersion

CODE = FieldSpec(name="code")
GARDEN = FieldSpec(name="garden", kind=FieldKind.BOOLEAN)


def version(*steps: Step, kind: CrawlerKind = CrawlerKind.PROGRAM) -> CrawlerVersion:
    place = Reader(src=Source.CSS, at="main", get="text", pipe=steps)
    program = Program(fields=(FieldProgram(spec=GARDEN, readers=(place,)),))
    return CrawlerVersion(
        family="flats",
        version=1,
        sha256="0",
        kind=kind,
        body=program.to_json(),
        status=CrawlerStatus.ACTIVE,
        created_at=datetime.now(UTC),
        promoted_at=None,
    )


def marked(flag: int = 1) -> CrawlerVersion:
    return version(Step(op=Op.HAS, args=("with a garden", flag)))


def rows(*flags: bool) -> list[dict[str, Any]]:
    return [{"code": f"F{at}", "garden": flag} for at, flag in enumerate(flags)]


def heard(
    by: CrawlerVersion, before: list[dict[str, Any]], now: list[dict[str, Any]]
) -> list[object]:
    records = [ExtractedRecord(values=values, row=at) for at, values in enumerate(now)]
    read = Extraction(records=tuple(records))
    left = without_silent(version_marks(by), read, before, (CODE,)).records
    assert [one.values["code"] for one in left] == [one["code"] for one in now]
    for one in left:
        assert ("garden" in one.values) or one.votes["garden"].live_readers == 0
    return [one.values.get("garden") for one in left]


def test_words_that_are_wanting_are_lost_and_no_other_flag() -> None:
    before, now = rows(True, True, False, False), rows(True, False, True, False)
    assert heard(marked(), before, now) == [True, None, True, False]
    assert heard(marked(0), before, now) == [True, False, None, False]
    assert heard(marked(), before[1:2], now[1:2]) == [None]


def test_of_a_record_of_which_no_flag_is_known_the_want_of_words_says_one() -> None:
    now = rows(True, False)
    assert heard(marked(), [], now) == [True, False]
    assert heard(marked(), [{"code": "F1"}, {"code": "F9"}], now) == [True, False]


@pytest.mark.parametrize(
    "by",
    [
        version(Step(op=Op.MAP, args=("with a garden", "true"))),
        version(Step(op=Op.HAS, args=("a garden", 1)), kind=CrawlerKind.CODE),
    ],
)
def test_what_a_place_says_by_itself_is_heard(by: CrawlerVersion) -> None:
    assert heard(by, rows(True), rows(False)) == [False]


def test_a_version_has_the_forms_of_the_words_that_it_reads_by() -> None:
    sold = Step(op=Op.MAP, args=("Sold out!", "true"))
    assert version_marks(version(sold)) == Marks({}, {"garden": {"soldout"}})
    assert version_marks(marked()).flags == {"garden": True}
    assert version_marks(marked()).forms(["garden", "code"]) == {"withagarden"}
    assert version_marks(marked()).forms(["code"]) == frozenset()
    assert (
        version_marks(version(sold, kind=CrawlerKind.CODE)).forms(["garden"])
        == frozenset()
    )


@pytest.mark.parametrize(
    "body", ["no program", '{"has": "map"', '{"program": 99, "by": "map"}']
)
def test_what_is_no_program_has_no_marks(body: str) -> None:
    assert version_marks(replace(marked(), body=body)) == Marks()
