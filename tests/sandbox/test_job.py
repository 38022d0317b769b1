"""A piece of work for a worker: its pages travel apart from its other fields."""

from typing import ClassVar

import pytest
from pydantic import BaseModel, ValidationError

from crawloop_assets.page import Page
from crawloop_assets.sandbox.job import JobAnswer, PageJob, PagesJob

PAGE, OTHER = (Page(url=f"http://shop.test/{n}", body=b"%d" % n) for n in range(2))


class Counted(JobAnswer):
    """How many."""

    count: int = 0


class CountJob(PageJob[Counted]):
    """Work on one page."""

    answer: ClassVar[type[BaseModel]] = Counted

    word: str = ""


class CountAllJob(PagesJob[Counted]):
    """Work on several."""

    answer: ClassVar[type[BaseModel]] = Counted


def test_work_on_a_page_is_the_same_beyond_the_wire() -> None:
    job = CountJob(page=PAGE, word="kettle")
    assert job.documents() == (PAGE,)
    assert CountJob.of({"word": "kettle"}, (PAGE,)) == job
    assert not job.long and job.slow_key() is None


def test_work_on_many_pages_keeps_their_order_and_has_longer() -> None:
    job = CountAllJob(pages=(PAGE, OTHER))
    assert CountAllJob.of({}, job.documents()) == job
    assert job.long


def test_an_answer_holds_nothing_that_was_not_asked_for() -> None:
    with pytest.raises(ValidationError):
        Counted.model_validate({"count": 1, "more": 2})
