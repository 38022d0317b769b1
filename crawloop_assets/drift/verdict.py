"""What kind of page came back: the wanted one, or a soft 404, login, consent wall,
challenge, shell, ...

None of these is drift: no crawler can be healed on them and no model is shown one. The
rules are conservative. Words prove nothing on a page from which the crawler read
complete records; only a redirect to the home page and a wrong language outrank records,
because there the records are somebody else's.
"""

import re
from urllib.parse import urlsplit

from crawloop_assets.drift import phrases
from crawloop_assets.drift.facts import SMALL, PageFacts
from crawloop_assets.family import Family
from crawloop_assets.page import Page, Verdict

_ROOT = re.compile(
    r"^/?(?:[a-z]{2}(?:[-_][a-zA-Z]{2})?/?|index\.(?:html?|php|aspx?)|home/?)?$"
)

_GONE_PATH = re.compile(
    r"/(?:404|not[-_]?found|error|page-?not-?found|gone)(?:[/.?]|$)", re.IGNORECASE
)
_LOGIN_PATH = re.compile(
    r"/(?:log-?in|sign-?in|logon|auth|sso|account/login|users/sign_in)(?:[/.?]|$)",
    re.IGNORECASE,
)
_CONSENT_PLACE = re.compile(
    r"^consent\.|/(?:consent|cookie-?wall|privacy-?gate|age-?gate)(?:[/.?]|$)",
    re.IGNORECASE,
)
"""Searched in the host and in the path a redirect leads to."""

_JSON_ERROR = re.compile(r'"(?:errors?|message|detail|fault)"\s*:', re.IGNORECASE)

_BEGINNING = 600
"""Characters from the beginning of a page in which phrases are looked for."""

_CONSENT_LEAD = 300
_MISSING_LEAD = 400

_NEARLY_EMPTY = 600
"""Characters of visible text of a page that is little more than one element."""

_SHORT = 1_000
_SHELL_CHARS = 1_500
_FEW_WORDS = 30

_Ruling = tuple[Verdict, str] | None
"""A verdict and its reason; None from a rule that does not apply."""


def page_verdict(
    page: Page, facts: PageFacts, family: Family, records_found: int = 0
) -> tuple[Verdict, str]:
    """The kind of a page and a plain reason ("" when ok).

    `records_found` is how many complete records a crawler of the family read from it.
    """
    ruling = _redirected_home(page, family) or _wrong_language(page, facts, family)
    if ruling is None and not records_found:
        ruling = (
            _by_content(page, facts)
            or _by_status(page.status)
            or _without_accepted_text(page, family)
        )
    return ruling or (Verdict.OK, "")


def _by_content(page: Page, facts: PageFacts) -> _Ruling:
    """The first rule that applies to what is on the page."""
    if not page.body.strip():
        return Verdict.TRANSIENT, "the body is empty"
    if facts.is_json:
        return _json_error(facts)
    for rule in (_challenge, _maintenance, _login, _consent, _missing, _shell):
        ruling = rule(page, facts)
        if ruling is not None:
            return ruling
    return None


def _by_status(status: int) -> _Ruling:
    if status < 400:
        return None
    if status in (404, 410):
        verdict = Verdict.GONE
    elif status >= 500:
        verdict = Verdict.TRANSIENT
    else:
        verdict = Verdict.BLOCKED
    return verdict, f"status {status}"


def _without_accepted_text(page: Page, family: Family) -> _Ruling:
    accept = family.request.accept
    if not accept or any(text in page.text for text in accept):
        return None
    reason = f"none of the texts of a real page is on it ({', '.join(accept)})"
    return Verdict.SOFT_404, reason


def _redirected_home(page: Page, family: Family) -> _Ruling:
    asked, landed = urlsplit(page.url), urlsplit(page.base_url)
    if (asked.hostname, asked.path) == (landed.hostname, landed.path):
        return None
    if _ROOT.match(asked.path):
        return None
    if landed.query or not _ROOT.match(landed.path):
        return None
    if any(re.search(pattern, landed.path) for pattern in family.discover.include):
        return None
    return Verdict.HOME_REDIRECT, f"redirected to the home page {page.base_url}"


def _wrong_language(page: Page, facts: PageFacts, family: Family) -> _Ruling:
    """By the words of the page if they can be told, else by what it declares after a
    redirect."""
    wanted = (family.drift.language or "")[:2].lower()
    if not wanted:
        return None
    is_declared_otherwise = facts.language not in ("", wanted)
    if facts.language and not is_declared_otherwise:
        return None
    if facts.spoken not in ("", wanted):
        reason = f"the text is in {facts.spoken!r}, the family is in {wanted!r}"
        return Verdict.WRONG_LANGUAGE, reason
    if is_declared_otherwise and not facts.spoken and _is_redirected(page):
        return (
            Verdict.WRONG_LANGUAGE,
            f"redirected to a page declared as {facts.language!r}, the family is in {wanted!r}",
        )
    return None


def _is_redirected(page: Page) -> bool:
    return page.final_url not in ("", page.url)


def _is_redirected_to(page: Page, path: re.Pattern[str]) -> bool:
    if not _is_redirected(page):
        return False
    return path.search(urlsplit(page.final_url).path) is not None


def _json_error(facts: PageFacts) -> _Ruling:
    if facts.text_chars > SMALL or not _JSON_ERROR.search(facts.lead):
        return None
    if phrases.JSON_AUTH.search(facts.lead):
        return Verdict.LOGIN, "the answer is an authorization error"
    for pattern, verdict in (
        (phrases.MAINTENANCE, Verdict.MAINTENANCE),
        (phrases.MISSING, Verdict.SOFT_404),
    ):
        match = pattern.search(facts.lead)
        if match:
            return verdict, f"the answer is an error: {match[0]!r}"
    return None


def _phrase(pattern: re.Pattern[str], facts: PageFacts, lead_chars: int) -> str:
    """The first of the phrases in the title and the first headings, else in so much of
    the text; "" if there is none."""
    head = "\n".join((facts.title, *facts.headings[:3]))
    match = pattern.search(head) or pattern.search(facts.lead[:lead_chars])
    return match[0] if match else ""


def _challenge(page: Page, facts: PageFacts) -> _Ruling:
    if facts.text_chars > SMALL:
        return None
    phrase = _phrase(phrases.CHALLENGE, facts, _BEGINNING)
    if phrase:
        return Verdict.CHALLENGE, f"a small page that says {phrase!r}"
    if facts.widgets and facts.text_chars < _NEARLY_EMPTY:
        return (
            Verdict.CHALLENGE,
            f"a nearly empty page with a challenge ({facts.widgets[0]})",
        )
    return None


def _maintenance(page: Page, facts: PageFacts) -> _Ruling:
    if facts.text_chars > SMALL:
        return None
    lead_chars = _BEGINNING if facts.text_chars < SMALL // 2 else 0
    phrase = _phrase(phrases.MAINTENANCE, facts, lead_chars)
    if phrase:
        return Verdict.MAINTENANCE, f"a small page that says {phrase!r}"
    return None


def _login(page: Page, facts: PageFacts) -> _Ruling:
    if _is_redirected_to(page, _LOGIN_PATH):
        return Verdict.LOGIN, f"redirected to {page.final_url}"
    if facts.text_chars > SMALL:
        return None
    is_nearly_empty = facts.text_chars < _NEARLY_EMPTY
    lead_chars = _BEGINNING if facts.text_chars < _SHORT else 0
    phrase = _phrase(phrases.LOGIN, facts, lead_chars)
    if phrase and (facts.password or facts.forms or is_nearly_empty):
        return Verdict.LOGIN, f"a small page that says {phrase!r}"
    if facts.password and is_nearly_empty:
        return Verdict.LOGIN, "little more than a password field"
    return None


def _consent(page: Page, facts: PageFacts) -> _Ruling:
    landed = urlsplit(page.base_url)
    places = (landed.hostname or "", landed.path)
    if _is_redirected(page) and any(map(_CONSENT_PLACE.search, places)):
        return Verdict.CONSENT, f"redirected to {page.final_url}"
    if facts.text_chars >= SMALL:
        return None
    phrase = _phrase(phrases.CONSENT, facts, _CONSENT_LEAD)
    if phrase:
        return Verdict.CONSENT, f"a small page that says {phrase!r}"
    return None


def _missing(page: Page, facts: PageFacts) -> _Ruling:
    if _is_redirected_to(page, _GONE_PATH):
        return Verdict.SOFT_404, f"redirected to {page.final_url}"
    lead_chars = _MISSING_LEAD if facts.text_chars < _SHORT else 0
    phrase = _phrase(phrases.MISSING, facts, lead_chars)
    if phrase:
        return Verdict.SOFT_404, f"title or heading says {phrase!r}"
    return None


def _shell(page: Page, facts: PageFacts) -> _Ruling:
    """A page that scripts have to fill."""
    if facts.text_chars < _SHELL_CHARS:
        match = phrases.SCRIPT_WANTED.search(facts.lead)
        if match:
            return Verdict.NEEDS_RENDER, f"a small page that says {match[0]!r}"
        if facts.root_empty:
            reason = "an application shell whose root element is empty"
            return Verdict.NEEDS_RENDER, reason
    if facts.scripts and facts.word_count < _FEW_WORDS:
        reason = f"{facts.word_count} words and {facts.scripts} scripts"
        return Verdict.NEEDS_RENDER, reason
    return None
