"""One fetched document: its name, its text, its bytes."""

import hashlib
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from crawloop_assets.page import Page, Verdict

URL = "https://x.example/a"


def page(body: bytes, kind: str = "text/html; charset=utf-8") -> Page:
    return Page(url=URL, body=body, headers={"content-type": kind})


def test_a_page_is_named_by_its_bytes_and_cannot_be_changed() -> None:
    assert page(b"a").sha256 == hashlib.sha256(b"a").hexdigest()
    with pytest.raises(ValidationError):
        page(b"a").url = "other"  # type: ignore[misc]
    with pytest.raises(ValidationError):
        Page(url=URL, body=b"", other=1)  # type: ignore[call-arg]


def test_a_page_says_when_and_where_it_was_fetched() -> None:
    assert page(b"").base_url == URL
    moved = Page(url=URL, final_url="https://y.example/", body=b"")
    assert moved.base_url == "https://y.example/"
    assert moved.status == 200
    assert abs(datetime.now(UTC) - moved.fetched_at).total_seconds() < 60
    assert "secret" not in repr(page(b"secret"))


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        ("é".encode(), "text/html", "é"),
        ("é".encode("latin-1"), "text/html; charset=latin-1", "é"),
        (b"\xef\xbb\xbf\xc3\xa9", "text/html; charset=latin-1", "é"),
        (b"<meta charset=latin-1>\xe9", "text/html", "<meta charset=latin-1>é"),
        (b"a\xff", "text/html; charset=utf-8", "a\ufffd"),
    ],
)
def test_text_is_decoded_as_browsers_do(body: bytes, kind: str, text: str) -> None:
    assert page(body, kind).text == text


def test_most_pages_are_parsed_as_they_came() -> None:
    plain = page("<p>é</p>".encode())
    assert plain.utf8 is plain.body
    replaced = "a\ufffd".encode()
    assert page(b"a\xff").utf8 == replaced
    assert page(b"\xef\xbb\xbfa").utf8 == b"a"
    assert page(b"a\0b").utf8 == b"ab"
    assert page(b"\xe9", "text/html; charset=latin-1").utf8 == "é".encode()


@given(st.binary(max_size=80), st.sampled_from(["utf-8", "latin-1", "utf-16"]))
def test_what_is_parsed_is_the_text_without_nul(body: bytes, charset: str) -> None:
    one = page(body, f"text/html; charset={charset}")
    assert one.utf8 == one.text.replace("\0", "").encode("utf-8", "replace")


def test_verdicts_are_stored_by_these_names() -> None:
    assert len(Verdict) == 18
    assert Verdict("soft_404") is Verdict.SOFT_404
    assert {verdict.value for verdict in Verdict} == {
        verdict.name.lower() for verdict in Verdict
    }


@pytest.mark.parametrize(
    "charset",
    ["hex", "idna", "rot13", "undefined", "zlib", "punycode", "unicode_escape", "x" * 1000, "\ud800", ""],
)  # fmt: skip
@pytest.mark.parametrize("body", [b"<p>a</p>", b"\\ud800 \xff\xfe"])
def test_no_name_of_an_encoding_costs_the_page(charset: str, body: bytes) -> None:
    in_header = page(body, f"text/html; charset={charset}")
    in_meta = page(f"<meta charset='{charset}'>".encode("utf-8", "replace") + body)
    for one in (in_header, in_meta):
        assert one.utf8.decode() is not None


def test_an_encoding_that_is_none_of_texts_is_not_believed() -> None:
    assert page("é".encode(), "text/html; charset=hex").text == "é"
