"""Laws that hold whatever a crawler returns."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.drift.batch import judge_batch
from crawloop_assets.drift.check import NOT_OF_READERS, CheckName, Invalid, Severity
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.page import judge_page
from crawloop_assets.drift.values import value_shape
from crawloop_assets.page import Verdict
from tests.drift.shop import FAMILY, SCHEMA

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.text(max_size=30),
    st.sampled_from(["NaN", "1e999", "-0", ""]),
)
values = st.dictionaries(
    st.sampled_from([spec.name for spec in SCHEMA.fields] + ["unknown"]),
    st.one_of(scalars, st.lists(scalars, max_size=4)),
)
votes = st.builds(
    FieldVote,
    agreement=st.floats(0, 1),
    live_readers=st.integers(0, 5),
    readers=st.integers(0, 5),
    reader=st.text(max_size=5),
    rivals=st.lists(scalars, max_size=2).map(tuple),
)
records = st.builds(
    ExtractedRecord,
    values=values,
    votes=st.dictionaries(
        st.sampled_from([spec.name for spec in SCHEMA.fields]), votes, max_size=4
    ),
    row=st.integers(0, 5),
)
extractions = st.builds(
    Extraction,
    records=st.lists(records, max_size=4).map(tuple),
    next_url=st.none() | st.text(max_size=20),
)
facts = st.builds(
    PageFacts,
    title=st.text(max_size=20),
    spoken=st.sampled_from(["", "en", "de"]),
    template=st.lists(st.integers(0, 2**32 - 1), max_size=5, unique=True).map(
        lambda steps: tuple(sorted(steps))
    ),
    groups=st.lists(st.tuples(st.integers(0, 9), st.integers(3, 9)), max_size=3).map(
        tuple
    ),
)
invalid = st.lists(
    st.builds(
        Invalid,
        row=st.integers(0, 5),
        field=st.sampled_from(["title", "price.x", ""]),
        message=st.just("bad"),
    ),
    max_size=2,
)


@st.composite
def outcomes(draw):
    extraction = draw(st.none() | extractions)
    previous = tuple(draw(st.lists(values, max_size=3)))
    found = (
        tuple(judge_page(SCHEMA, FAMILY, extraction, draw(invalid), previous))
        if extraction
        else ()
    )
    return PageOutcome(
        url=f"https://shop.example/{draw(st.integers(0, 10**6))}",
        verdict=draw(st.sampled_from(list(Verdict))),
        version=draw(st.none() | st.integers(1, 3)),
        extraction=extraction,
        values=tuple(record.values for record in extraction.records)
        if extraction
        else (),
        findings=found,
        facts=draw(st.none() | facts),
        previous=previous,
    )


@settings(max_examples=80, deadline=None)
@given(
    st.lists(outcomes(), max_size=6, unique_by=lambda one: one.url), st.integers(0, 3)
)
def test_no_row_of_a_failing_page_gets_through(pages, past):
    history = [
        judge_batch(SCHEMA, FAMILY, pages, (), batch="1").stats.model_copy(
            update={"drifted": False}
        )
    ] * past
    judgement = judge_batch(SCHEMA, FAMILY, pages, history, batch="1")
    about_pages = [name for name in CheckName if name not in NOT_OF_READERS]
    assert [check.name for check in judgement.checks] == about_pages
    for page in pages:
        failing = any(finding.severity is Severity.ERROR for finding in page.findings)
        if page.verdict in (Verdict.OK, Verdict.DRIFT) and failing:
            chronic = all(
                f.check is CheckName.VOTES
                for f in page.findings
                if f.severity is Severity.ERROR
            )
            language = any(
                f.check is CheckName.PAGES for f in judgement.held.get(page.url, ())
            )
            assert page.url in judgement.held or chronic or language
    read = [page for page in pages if page.verdict in (Verdict.OK, Verdict.DRIFT)]
    mostly_held = (
        len([page for page in read if page.url in judgement.held]) * 2 >= len(read) > 0
    )
    assert judgement.drifted >= any(check.is_drift for check in judgement.checks)
    assert judgement.drifted <= (
        mostly_held or any(check.is_drift for check in judgement.checks)
    )
    assert judgement.hold_all is None or judgement.drifted
    for check in judgement.checks:
        assert check.sentence and len(check.examples) <= 5
        assert check.passed or check.blocking or check.severity is Severity.WARN


@settings(max_examples=60, deadline=None)
@given(extractions, st.lists(values, max_size=3))
def test_a_page_without_its_required_fields_is_held(extraction, previous):
    found = judge_page(SCHEMA, FAMILY, extraction, (), previous)
    lacking = any(
        record.values.get(spec.name) in (None, "", [])
        for record in extraction.records
        for spec in SCHEMA.fields
        if spec.required
    )
    if lacking or len(extraction.records) != 1:
        assert any(finding.severity is Severity.ERROR for finding in found)


@settings(max_examples=40, deadline=None)
@given(st.lists(outcomes(), max_size=5, unique_by=lambda one: one.url))
def test_judging_is_repeatable_and_survives_json(pages):
    one, two = judge_batch(SCHEMA, FAMILY, pages), judge_batch(SCHEMA, FAMILY, pages)
    assert one == two
    assert type(one.stats).model_validate_json(one.stats.model_dump_json()) == one.stats


@given(st.text(alphabet="abZ12_-. \t\n\xa0é字\u0301", max_size=16))
def test_a_shape_has_one_letter_for_a_word_and_two_for_several(text: str) -> None:
    words = re.sub(r"[^\W\d_]+", "a", text)
    assert (
        value_shape(text)
        == re.sub(r"a(?:\s+a)+", "a a", re.sub(r"\d+", "9", words))[:24]
    )
