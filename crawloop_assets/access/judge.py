"""What an answer is, told by its status, its headers and a few byte strings.

Nothing is parsed here.
"""

import re

from crawloop_assets.access.exchange import HttpAnswer
from crawloop_assets.access.retry import is_transient
from crawloop_assets.page import Page, Verdict

# (who, what must be in the first bytes of a page that is not the page). All of a row's strings must be there.
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
_HEAD = 16 * 1024
# A challenge is a small page; an article about challenges is not.
_MOST = 64 * 1024
_HUMAN = re.compile(
    rb"verify (that )?you are (a )?human|are you a robot|unusual traffic|enable javascript and cookies to continue"
)
# A small page with a form may say the same beside its captcha; one that is nothing but the check is smaller still.
_HUMAN_MOST, _HUMAN_MOST_OK = 12 * 1024, 3 * 1024
_EMPTY_ROOT = re.compile(
    rb"<(div|main|section|body|app-root)\b[^>]{0,200}\bid=[\"']?(root|app|__next|__nuxt|react-root|app-root|main-app)\b"
    rb"[^>]{0,200}>\s*</(?:div|main|section|body|app-root)>",
    re.IGNORECASE,
)
_UNSEEN = re.compile(
    rb"<(script|style|noscript|svg|head)\b.*?</\1\s*>|<!--.*?-->",
    re.IGNORECASE | re.DOTALL,
)
_SHELL_MOST = 3 * 1024


def judge_answer(
    answer: HttpAnswer, accept: tuple[str, ...] = ()
) -> tuple[Verdict, str]:
    """The verdict on a final answer (no redirect), and its reason.

    `accept` are texts one of which a real page has.
    """
    status = answer.status
    if answer.too_large:
        return Verdict.TOO_LARGE, "bounds: body is larger than allowed"
    if who := challenge(answer):
        return Verdict.CHALLENGE, f"challenge: {who} (status {status})"
    if status in (404, 410):
        return Verdict.GONE, f"status {status}"
    if is_transient(status) or status == 206 or 300 <= status < 400:
        return Verdict.TRANSIENT, f"status {status}"
    if status >= 400:
        return Verdict.BLOCKED, f"status {status}"
    if accept:
        text = Page(url=answer.url, body=answer.body, headers=answer.headers).text
        if not any(word in text for word in accept):
            return Verdict.BLOCKED, "accept: none of the texts a real page has"
    return Verdict.OK, f"status {status}"


def challenge(answer: HttpAnswer) -> str:
    """Who put a challenge in place of the page, "" if nobody did."""
    for who, name, value in _HEADERS:
        if name in answer.headers and value in answer.headers[name]:
            return who
    if len(answer.body) > _MOST:
        return ""
    head = answer.body[:_HEAD].lower()
    for who, (first, *rest) in _MARKERS:
        if first in head and all(word in head for word in rest):
            return who
    most = _HUMAN_MOST if answer.status >= 400 else _HUMAN_MOST_OK
    return "human check" if len(answer.body) <= most and _HUMAN.search(head) else ""


def shell(answer: HttpAnswer) -> bool:
    """True for a page that holds nothing until its scripts have run: an empty root, and
    next to nothing around it."""
    if len(answer.body) > _MOST or not _EMPTY_ROOT.search(answer.body):
        return False
    return len(_UNSEEN.sub(b"", answer.body)) <= _SHELL_MOST
