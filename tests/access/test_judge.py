"""Verdicts from status, headers and bytes."""

import time

import pytest

from crawloop_assets.access.exchange import HttpAnswer
from crawloop_assets.access.judge import judge_answer, shell
from crawloop_assets.page import Verdict

PAGE = b"<html><body><h1>A lamp</h1>" + b"<p>words</p>" * 100 + b"</body></html>"


def verdict(
    status: int = 200, body: bytes = PAGE, accept: tuple[str, ...] = (), **headers: str
) -> Verdict:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return judge_answer(HttpAnswer("http://a.test/", status, named, body=body), accept)[
        0
    ]


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (200, Verdict.OK),
        (201, Verdict.OK),
        (206, Verdict.TRANSIENT),
        (304, Verdict.TRANSIENT),
        (400, Verdict.BLOCKED),
        (401, Verdict.BLOCKED),
        (403, Verdict.BLOCKED),
        (404, Verdict.GONE),
        (410, Verdict.GONE),
        (429, Verdict.TRANSIENT),
        (451, Verdict.BLOCKED),
        (500, Verdict.TRANSIENT),
        (503, Verdict.TRANSIENT),
    ],
)
def test_status(status: int, expected: Verdict) -> None:
    assert verdict(status) is expected


@pytest.mark.parametrize(
    "body",
    [
        b"<html><head><title>Just a moment...</title></head></html>",
        b"<html><script>window._cf_chl_opt = {};</script></html>",
        b"<html><title>Attention Required! | Cloudflare</title></html>",
        b"<html><script>var dd={'rt':'c'}</script><script src='https://ct.captcha-delivery.com/c.js'></script>",
        b"<html><div id='px-captcha'></div></html>",
        b"<html><p>Please verify you are a human</p></html>",
        b"<form action='/errors/validateCaptcha'></form>",
    ],
)
@pytest.mark.parametrize("status", [200, 403, 503])
def test_a_challenge_is_no_page_whatever_its_status(body: bytes, status: int) -> None:
    assert verdict(status, body) is Verdict.CHALLENGE


WORDS = b"<p>A lamp of brass for the desk, made by hand in a small workshop.</p>" * 30


@pytest.mark.parametrize(
    "body",
    [
        b"<title>Captcha: the board game | Toys</title><h1>Captcha: the board game</h1>",
        b"<script src='/_Incapsula_Resource?SWJIYLWA=71'></script><h1>Incident room</h1>",
        b"<style>#px-captcha, div[id='px-captcha'] {top: 0}</style><h1>A lamp</h1>",
        b'{"sku": "B7", "title": "Are you a robot?", "price": 9}',
        b'[{"name": "Unusual traffic", "by": "The Lamps"}]',
        b"<title>Are you a robot?</title><h1>Are you a robot?</h1><b>EUR 9.50</b>",
        b"<h1>Are you a robot?</h1><p>By B. Roe</p>" + WORDS[:700],
        b"<h1>What _cf_chl_opt is</h1>" + WORDS,
        b"<div id='px-captcha'></div><h1>A lamp</h1>" + WORDS,
    ],
)
def test_what_only_carries_the_mark_of_a_vendor_is_a_page(body: bytes) -> None:
    assert verdict(200, body) is Verdict.OK


@pytest.mark.parametrize(
    "body",
    [
        b"<title>Captcha</title><form></form>",
        b"<title> Captcha required </title>",
        b"<iframe src='/_Incapsula_Resource?a=1&incident_id=7-8'></iframe>",
        b"Request unsuccessful. Incapsula incident ID: 7-8",
        b'<meta name="description" content="px-captcha"><p>Press and hold</p>',
        b'{"url":"https://geo.captcha-delivery.com/captcha/?x=1"}',
        b'\xef\xbb\xbf {"URL" : "https:\\/\\/geo.captcha-delivery.com\\/interstitial"}',
        b'{"appId": "a1", "vid": "", "blockScript": "/a1/c.js"}',
    ],
)
def test_the_marks_of_a_vendor_with_nothing_beside_them_are_a_challenge(
    body: bytes,
) -> None:
    assert verdict(200, body) is Verdict.CHALLENGE


def test_under_an_error_a_mark_tells_whatever_is_beside_it() -> None:
    body = b"<div id='px-captcha'></div>" + WORDS
    assert verdict(200, body) is Verdict.OK
    assert verdict(403, body) is Verdict.CHALLENGE


@pytest.mark.parametrize("part", [b"<", b"<a ", b"<title", b"<title> ", b" id= "])
def test_marks_are_looked_for_in_linear_time(part: bytes) -> None:
    body = b"_cf_chl_opt" + part * (60_000 // len(part))
    began = time.process_time()
    verdict(200, body)
    assert time.process_time() - began < 0.5


def test_headers_tell_of_challenges_too() -> None:
    assert verdict(202, x_amzn_waf_action="challenge") is Verdict.CHALLENGE
    assert verdict(403, cf_mitigated="challenge") is Verdict.CHALLENGE
    assert verdict(200, cf_mitigated="none") is Verdict.OK


def test_an_article_about_challenges_is_a_page() -> None:
    assert verdict(body=PAGE * 5 + b"Comment (verify you are human)") is Verdict.OK
    assert (
        verdict(body=PAGE * 20 + b"Please verify you are human, they say") is Verdict.OK
    )
    assert verdict(body=b"x" * 300_000 + b"_cf_chl_opt") is Verdict.OK


def test_accept_names_what_a_real_page_has() -> None:
    assert verdict(accept=("A lamp", "A chair")) is Verdict.OK
    assert verdict(accept=("A chair",)) is Verdict.BLOCKED
    assert verdict(404, accept=("A chair",)) is Verdict.GONE
    german = "<html><body>Überschrift</body></html>".encode("latin-1")
    assert (
        verdict(
            body=german,
            accept=("Überschrift",),
            content_type="text/html; charset=latin1",
        )
        is Verdict.OK
    )


@pytest.mark.parametrize(
    ("body", "empty"),
    [
        (
            b'<html><body><div id="root"></div><script>'
            + b"x" * 50_000
            + b"</script></body></html>",
            True,
        ),
        (
            b"<html><head>"
            + b"<meta>" * 900
            + b"</head><div class=a id='__next'>\n</div></html>",
            True,
        ),
        (
            b"<html><app-root id=app-root></app-root><!-- "
            + b"x" * 9_000
            + b" --></html>",
            True,
        ),
        (b'<HTML><DIV ID="Root"></DIV></HTML>', True),
        (b'<html><div id="root"><h1>rendered by the server</h1></div></html>', False),
        (b'<html><div id="root"></div>' + PAGE * 4 + b"</html>", False),
        (b'<html><div id="rooted"></div></html>', False),
        (b"<div id=root " * 20_000, False),
        (PAGE, False),
    ],
)
def test_a_shell_shows_nothing_without_its_scripts(body: bytes, empty: bool) -> None:
    assert shell(HttpAnswer("http://a.test/", 200, {}, body=body)) is empty


@pytest.mark.parametrize("name", ["svg", "script", "!--"])
def test_what_never_ends_is_looked_at_once(name: str) -> None:
    # A page of 64 kB kept the process of all runs busy for four seconds.
    body = b"<div id=root></div>" + b"<%s " % name.encode() * 8_000
    began = time.process_time()
    assert shell(HttpAnswer("http://a.test/", 200, {}, body=body))
    assert time.process_time() - began < 0.5
