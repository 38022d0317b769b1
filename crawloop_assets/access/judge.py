"""What an answer is, judged by its status, its headers and a few byte strings.

Nothing is parsed here.
"""

import re
from collections.abc import Mapping
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.access.exchange import HttpAnswer
from crawloop_assets.access.retry import is_transient
from crawloop_assets.page import Page, Verdict


class _Marks(NamedTuple):
    """What a page of somebody's challenge has in its first bytes, in small letters: all
    of the words, and the pattern. Words are found many times faster."""

    who: str
    words: tuple[bytes, ...]
    pattern: re.Pattern[bytes] = re.compile(b"")

    def are_in(self, head: bytes) -> bool:
        """True if the first bytes of a page have them all."""
        has_words = all(map(head.__contains__, self.words))
        return has_words and self.pattern.search(head) is not None


_MARKS = (
    _Marks("Cloudflare", (b"_cf_chl_opt",)),
    _Marks("Cloudflare", (b"<title>just a moment...</title>",)),
    _Marks("Cloudflare", (b"attention required! | cloudflare",)),
    _Marks("DataDome", (b"captcha-delivery.com", b"dd={")),
    _Marks(
        "HUMAN",
        (b"px-captcha",),
        re.compile(rb"\s(?:id|class|content)=[\"']?px-captcha[\"'\s>]"),
    ),
    _Marks("Imperva", (b"_incapsula_resource", b"incident_id=")),
    _Marks("Imperva", (b"incapsula incident id",)),
    _Marks("Akamai", (b"<title>access denied</title>", b"errors.edgesuite.net")),
    _Marks("Sucuri", (b"sucuri website firewall", b"access denied")),
    _Marks("Amazon", (b"/errors/validatecaptcha",)),
    _Marks("DDoS-Guard", (b"<title>ddos-guard</title>",)),
    _Marks(
        "captcha",
        (b"<title>",),
        re.compile(
            rb"<title>\s{0,9}captcha(?: (?:page|challenge|check|required|verification))?\s{0,9}</title>"
        ),
    ),
)
_JSON_MARKS = (
    _Marks(
        "DataDome",
        (b"captcha-delivery.com",),
        re.compile(
            rb"\"url\"\s{0,9}:\s{0,9}\"https:\\?/\\?/geo\.captcha-delivery\.com"
        ),
    ),
    _Marks("HUMAN", (b'"appid"', b'"blockscript"')),
)
"""Of an answer to a program that asked for JSON."""

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
# A vendor's mark is in the code of the pages that it guards, too, and an article may be
# headed by the question: no challenge has more to read than that.
_MAX_WORDS = 1_500  # bytes that are shown
_MAX_WORDS_HUMAN_CHECK = 400
_PRICE = re.compile(
    rb"(?:[$]|\xe2\x82\xac|\xc2\xa3|&euro;|&pound;|eur|usd|gbp)\s?\d"
    rb"|\d\s?(?:\xe2\x82\xac|\xc2\xa3|&euro;|&pound;|eur|usd|gbp)"
)
_ROOTS = rb"(?:root|app|__next|__nuxt|react-root|app-root|main-app)\b"
_ROOT_ID = re.compile(rb"id=[\"']?" + _ROOTS)
"""Said in small letters, of any element: most pages have none, and that is seen fast."""
_EMPTY_ROOT = re.compile(
    rb"<(div|main|section|body|app-root)\b[^<>]{0,200}\bid=[\"']?"
    + _ROOTS
    + rb"[^<>]{0,200}>\s*+</(?:div|main|section|body|app-root)>",
    re.IGNORECASE,
)
_UNSEEN = re.compile(
    rb"<(script|style|noscript|svg|head)\b.*?(?:</\1\s*+>|\Z)|<!--.*?(?:-->|\Z)",
    re.IGNORECASE | re.DOTALL,
)
"""What never ends hides all that follows, as in a browser."""

_TAG = re.compile(rb"<[^<>]*>")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
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
    if _is_json(head):
        is_small = len(answer.body) <= _MAX_HUMAN_CHECK_OK
        return _first_who(_JSON_MARKS, head) if is_small else ""
    if who := _first_who(_MARKS, head):
        return who if _shows_at_most(_MAX_WORDS, answer) else ""
    return "human check" if _is_human_check(answer, head) else ""


def _is_json(head: bytes) -> bool:
    """True for an answer to a program: what it says is about something else."""
    return head.removeprefix(_BYTE_ORDER_MARK).lstrip()[:1] in (b"{", b"[")


def _shows_at_most(most: int, answer: HttpAnswer) -> bool:
    """True for a page that has no more to read than that; for any under an error
    status, where no page of a site is."""
    return answer.status >= 400 or len(_shown(answer.body)) <= most


def _shown(body: bytes) -> bytes:
    """What a page gives to read, and single spaces between the words."""
    return b" ".join(_TAG.sub(b" ", _UNSEEN.sub(b"", body)).split())


def _is_human_check(answer: HttpAnswer, head: bytes) -> bool:
    """True for a small page whose first bytes ask to prove that one is human; under an
    error status it may be larger, for no page of a site is there."""
    is_error = answer.status >= 400
    most = _MAX_HUMAN_CHECK if is_error else _MAX_HUMAN_CHECK_OK
    if len(answer.body) > most or _HUMAN.search(head) is None:
        return False
    return is_error or _is_no_offer(_shown(answer.body.lower()))


def _is_no_offer(shown: bytes) -> bool:
    """True for a few words without a price."""
    return len(shown) <= _MAX_WORDS_HUMAN_CHECK and _PRICE.search(shown) is None


def _challenger_by_headers(headers: Mapping[str, str]) -> str:
    """Who put a challenge in the way, by what the headers say; "" if nobody."""
    for who, name, value in _HEADERS:
        if name in headers and value in headers[name]:
            return who
    return ""


def _first_who(marks: tuple[_Marks, ...], head: bytes) -> str:
    """Who put a challenge in the way, by the first bytes of a page; "" if nobody."""
    found = (one for one in marks if one.are_in(head))
    return next(map(attrgetter("who"), found), "")


def shell(answer: HttpAnswer) -> bool:
    """True for a page that holds nothing until its scripts have run: an empty root, and
    next to nothing around it."""
    if len(answer.body) > _MAX_CHALLENGE or not _ROOT_ID.search(answer.body.lower()):
        return False
    if not _EMPTY_ROOT.search(answer.body):
        return False
    return len(_UNSEEN.sub(b"", answer.body)) <= _MAX_SHELL
