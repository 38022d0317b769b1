"""A page that leaves out its body has one."""

import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.page import Page


def inside_body(body: str) -> list[str]:
    """The tags of the body, in order."""
    document = Document(Page(url="https://acme.example/1", body=body.encode()))
    (number,) = document.by_tag["body"]
    return document.tags[number + 1 : document.end[number]]


@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("<title>T</title><main><h1>A</h1></main>", ["main", "h1"]),
        (
            "<!doctype html><html lang=en><meta charset=utf-8><title>T</title><header><p>a</p></header><main>b</main>",
            ["header", "p", "main"],
        ),
        ("<title>T</title><header>a</header><div>b</div>", ["header", "div"]),
        (
            "<head><title>T</title><my-tag>a</my-tag></head><body><p>b</p>",
            ["my-tag", "p"],
        ),
        ("<head><title>T</title></head><body><main>b</main></body>", ["main"]),
    ],
)
def test_what_is_no_part_of_a_head_is_in_the_body(
    written: str, tags: list[str]
) -> None:
    assert inside_body(written) == tags


def test_what_is_for_machines_stays_in_the_head() -> None:
    page = "<title>T</title><main>a</main><script>1</script><link rel=x>"
    document = Document(Page(url="https://acme.example/1", body=page.encode()))
    (head,) = document.by_tag["head"]
    kept = document.tags[head + 1 : document.end[head]]
    assert kept == ["title", "script", "link"]
    assert "a" in document.whole.text
