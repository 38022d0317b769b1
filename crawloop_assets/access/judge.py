"""What an answer is, judged by its status, its headers and a few byte strings.

Nothing is parsed here.
"""

import re
from collections.abc import Mapping

from crawloop_assets.access.exchange import HttpAnswer
from crawloop_assets.access.retry import is_transient
from crawloop_assets.page import Page, Verdict

# (who, what must be in the first bytes of a page that is not the page): all of a row's
# strings must be there.
_MARKERS: tuple[tuple[str, tuple[bytes, ...]], ...] = (
    ("Cloudflare", (b"_cf_chl_opt",)),
    ("Cloudflare", (b"<title>just a moment...</title>",)),
    ("Cloudflare", (b"attention required! | cloudflare",)),
    ("DataDome", (b"captcha-delivery.com", b"dd={")),
    ("HUMAN", (b"px-captcha",)),
    ("Imperva", (b"_incapsula_resource", b"incident")),
    ("Akamai", (b"<title>access denied</title>", b"errors.edgesuite.net")),
    ("Sucuri", (b"sucuri website firewall", b"access denied")),
    ("Amazon", (b"/errors/validatecaptcha",)),
    ("DDoS-Guard", (b"<title>ddos-guard</title>",)),
    ("captcha", (b"<title>captcha",)),
)
_HEADERS = (
    ("Cloudflare", "cf-mitigated", "challenge"),
    ("AWS WAF", "x-amzn-waf-action", ""),
)
_HEAD = 16 * 1024  # bytes
# A challenge is a small page; an article about challenges is not.
_MAX_CHALLENGE = 64 * 1024  # bytes
_HUMAN = re.compile(
    rb"verify (that )?you are (a )?human|are you a robot|unusual traffic|enable javascript and cookies to continue"
)
# A small page with a form may say the same beside its captcha; one that is nothing but
# the check is smaller still.
_MAX_HUMAN_CHECK = 12 * 1024  # bytes
_MAX_HUMAN_CHECK_OK = 3 * 1024
_EMPTY_ROOT = re.compile(
    rb"<(div|main|section|body|app-root)\b[^<>]{0,200}\bid=[\"']?(root|app|__next|__nuxt|react-root|app-root|main-app)\b"
    rb"[^<>]{0,200}>\s*+</(?:div|main|section|body|app-root)>",
    re.IGNORECASE,
)
_UNSEEN = re.compile(
    rb"<(script|style|noscript|svg|head)\b.*?(?:</\1\s*+>|\Z)|<!--.*?(?:-->|\Z)",
    re.IGNORECASE | re.DOTALL,
)
"""What never ends hides all that follows, as in a browser."""
_MAX_SHELL = 3 * 1024  # bytes that are shown


def judge_answer(
    answer: HttpAnswer, accept: tuple[str, ...] = ()
) -> tuple[Verdict, str]:
    """The verdict on a final answer (no redirect), and its reason.

    `accept` are texts one of which a real page has.
    """
    status = f"status {answer.status}"
    if answer.too_large:
        return Verdict.TOO_LARGE, "bounds: body is larger than allowed"
    if who := challenge(answer):
        return Verdict.CHALLENGE, f"challenge: {who} ({status})"
    verdict = _by_status(answer.status)
    if verdict is Verdict.OK and accept and not _has_any(answer, accept):
        return Verdict.BLOCKED, "accept: none of the texts a real page has"
    return verdict, status


def _by_status(status: int) -> Verdict:
    """What a status says of a page that is no challenge."""
    if status in (404, 410):
        return Verdict.GONE
    if _may_pass(status):
        return Verdict.TRANSIENT
    if status >= 400:
        return Verdict.BLOCKED
    return Verdict.OK


def _may_pass(status: int) -> bool:
    """True for what another try may mend: trouble of the server, a part of a page
    nobody asked for, a redirect that leads nowhere."""
    return is_transient(status) or status == 206 or 300 <= status < 400


def _has_any(answer: HttpAnswer, texts: tuple[str, ...]) -> bool:
    """True if the page, decoded, has one of these texts in it."""
    page = Page(url=answer.url, body=answer.body, headers=answer.headers).text
    return any(map(page.__contains__, texts))


def challenge(answer: HttpAnswer) -> str:
    """Who put a challenge in place of the page, "" if nobody did."""
    if who := _challenger_by_headers(answer.headers):
        return who
    if len(answer.body) > _MAX_CHALLENGE:
        return ""
    head = answer.body[:_HEAD].lower()
    if who := _challenger_by_markers(head):
        return who
    return "human check" if _is_human_check(answer, head) else ""


def _is_human_check(answer: HttpAnswer, head: bytes) -> bool:
    """True for a small page whose first bytes ask to prove that one is human; under an
    error status it may be larger, for no page of a site is there."""
    most = _MAX_HUMAN_CHECK if answer.status >= 400 else _MAX_HUMAN_CHECK_OK
    return len(answer.body) <= most and _HUMAN.search(head) is not None


def _challenger_by_headers(headers: Mapping[str, str]) -> str:
    """Who put a challenge in the way, by what the headers say; "" if nobody."""
    for who, name, value in _HEADERS:
        if name in headers and value in headers[name]:
            return who
    return ""


def _challenger_by_markers(head: bytes) -> str:
    """Who put a challenge in the way, if all their marks are in the page's first bytes;
    "" if nobody."""
    for who, markers in _MARKERS:
        if all(map(head.__contains__, markers)):
            return who
    return ""


def shell(answer: HttpAnswer) -> bool:
    """True for a page that holds nothing until its scripts have run: an empty root, and
    next to nothing around it."""
    if len(answer.body) > _MAX_CHALLENGE or not _EMPTY_ROOT.search(answer.body):
        return False
    return len(_UNSEEN.sub(b"", answer.body)) <= _MAX_SHELL
