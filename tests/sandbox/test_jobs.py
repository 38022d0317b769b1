"""Jobs and their pages: what goes apart comes together again."""

import gzip

import pytest
from pydantic import ValidationError

from crawloop_assets.page import Page
from crawloop_assets.sandbox.jobs import (
    CompileJob,
    ExtractJob,
    HealJob,
    LookJob,
    ProveJob,
    TrimJob,
)
from tests.sandbox.misbehave import Count, Echo

PAGES = tuple(Page(url=f"https://x.example/{n}", body=b"%d" % n) for n in range(3))


def test_a_job_is_the_same_again_from_its_fields_and_its_pages() -> None:
    job = ExtractJob(page=PAGES[0], program="{}", asked=("a",), ignore=("b",))
    fields = job.model_dump(exclude={"page"})
    assert job.documents() == PAGES[:1]
    assert ExtractJob.of(fields, job.documents()) == job
    many = Count(pages=PAGES)
    assert many.documents() == PAGES
    assert Count.of({}, many.documents()) == many


def test_work_on_many_pages_gets_the_long_deadline() -> None:
    assert all(kind.long for kind in (CompileJob, HealJob, ProveJob, Count))
    assert not any(kind.long for kind in (ExtractJob, LookJob, TrimJob, Echo))


@pytest.mark.parametrize(
    ("body", "roomy"),
    [
        (b"<?xml version='1.0'?><urlset>", True),
        (b"\xef\xbb\xbf\r\n\t <?xml version='1.0'?>", True),
        (gzip.compress(b"<urlset>", mtime=0), True),
        (b"<html>", False),
        (b"x<?xml", False),
        (b" " * 64 + b"<?xml", False),
        (b"", False),
    ],
)
def test_a_sitemap_may_be_larger_than_other_pages(body: bytes, roomy: bool) -> None:
    page = Page(url="https://x.example/sitemap.xml", body=body)
    assert LookJob(page=page).roomy is roomy
    assert not TrimJob(page=page).roomy


def test_a_job_takes_nothing_unknown() -> None:
    with pytest.raises(ValidationError):
        LookJob(page=PAGES[0], code="import os")
