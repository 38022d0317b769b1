"""The wire: whatever is sent arrives, and what cannot be told apart is garbage."""

import io
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.errors import CrawlerGarbage
from crawloop_assets.page import Page
from crawloop_assets.sandbox import ExtractJob, LookJob, frames
from crawloop_assets.sandbox.job import Job, PageJob
from tests.sandbox.misbehave import Count, Do

KINDS = {kind.__name__: kind for kind in (ExtractJob, LookJob, Count, Do)}
pages = st.builds(
    Page,
    url=st.text(st.characters(exclude_categories=["Cs"])),
    body=st.binary(max_size=40),
)
words = st.sampled_from(["", "a", "é", "a program"])
groups = st.one_of(
    st.lists(st.builds(ExtractJob, program=words, page=pages), min_size=1),
    st.lists(
        st.builds(
            LookJob,
            follow=st.lists(words).map(tuple),
            onward=st.none() | words,
            page=pages,
        ),
        min_size=1,
    ),
    st.lists(st.builds(Do, deed=words, argument=words, page=pages), min_size=1),
    st.lists(
        st.builds(Count, pages=st.lists(pages).map(tuple)), min_size=1, max_size=1
    ),
)
answers = st.lists(
    st.tuples(st.sampled_from(frames.Status), st.binary(max_size=20)), min_size=1
)


@given(groups)
def test_jobs_arrive_as_they_were_sent(jobs: Sequence[Job[object]]) -> None:
    wire = io.BytesIO(frames.pack(jobs))
    assert frames.unpack(wire.read, KINDS) == list(jobs)
    assert wire.read() == b""


def test_what_jobs_have_in_common_is_sent_once() -> None:
    page = Page(url="https://a.example/", body=b"")
    jobs: list[PageJob[object]] = [
        ExtractJob(program="a long program", page=page) for _ in range(9)
    ]
    assert frames.pack(jobs).count(b"a long program") == 1


@given(answers)
def test_answers_arrive_as_they_were_given(
    said: list[tuple[frames.Status, bytes]],
) -> None:
    wire = bytearray(frames.pack_answers(said))
    (size,) = frames.ANSWERS.unpack_from(wire)
    assert frames.unpack_answers(wire[frames.ANSWERS.size :], len(said)) == said
    assert len(wire) == frames.ANSWERS.size + size


@given(answers, st.integers(-3, 3).filter(bool), st.integers(-2, 2))
def test_answers_that_cannot_be_told_apart_are_garbage(
    said: list[tuple[frames.Status, bytes]], bytes_off: int, jobs_off: int
) -> None:
    whole = bytearray(frames.pack_answers(said))[frames.ANSWERS.size :]
    torn = whole[:bytes_off] if bytes_off < 0 else whole + bytes(bytes_off)
    with pytest.raises(CrawlerGarbage):
        frames.unpack_answers(torn, len(said))
    if jobs_off:
        with pytest.raises(CrawlerGarbage):
            frames.unpack_answers(whole, len(said) + jobs_off)


def test_an_unknown_status_is_garbage() -> None:
    with pytest.raises(CrawlerGarbage, match="told apart"):
        frames.unpack_answers(bytearray(frames.ANSWER.pack(77, 0)), 1)
