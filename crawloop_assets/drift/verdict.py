"""What kind of page came back: the wanted one, or a soft 404, login, consent wall,
challenge, shell, ...

None of these is drift: no crawler can be healed on them and no model is shown one. The
rules are conservative. Words prove nothing on a page from which the crawler read
complete records; only a redirect to the home page and a wrong language outrank records,
because there the records are somebody else's.
"""

import re
from math import inf
from typing import NamedTuple
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

_JSON_ERRORS = (
    (phrases.JSON_AUTH, Verdict.LOGIN, "the answer is an authorization error"),
    (phrases.MAINTENANCE, Verdict.MAINTENANCE, "the answer is an error: {!r}"),
    (phrases.MISSING, Verdict.SOFT_404, "the answer is an error: {!r}"),
)

_NEARLY_EMPTY = 600
"""Characters of visible text of a page that is little more than one element."""

_HEADINGS = 3
"""So many headings are read with the title."""

_SHELL_CHARS = 1_500
_FEW_WORDS = 30

_Ruling = tuple[Verdict, str] | None
"""A verdict and its reason; None from a rule that does not apply."""


class _Phrases(NamedTuple):
    """Phrases by which a page is recognised.

    They are looked for in the title and the first headings of a page of less than
    `page_below` characters of text, and in the first `lead_chars` of its text if it has
    less than `lead_below`.
    """

    pattern: re.Pattern[str]
    lead_chars: int
    lead_below: int
    page_below: float = inf

    def found_on(self, facts: PageFacts) -> str:
        """The first of the phrases, "" if there is none."""
        if facts.text_chars >= self.page_below:
            return ""
        head = "\n".join((facts.title, *facts.headings[:_HEADINGS]))
        match = self.pattern.search(head)
        if match is None and facts.text_chars < self.lead_below:
            match = self.pattern.search(facts.lead[: self.lead_chars])
        if match is None:
            return ""
        return match[0]


_CHALLENGE = _Phrases(phrases.CHALLENGE, 600, SMALL + 1, SMALL + 1)
_MAINTENANCE = _Phrases(phrases.MAINTENANCE, 600, SMALL // 2, SMALL + 1)
_LOGIN = _Phrases(phrases.LOGIN, 600, 1_000, SMALL + 1)
_CONSENT = _Phrases(phrases.CONSENT, 300, SMALL, SMALL)
_MISSING = _Phrases(phrases.MISSING, 400, 1_000)


def page_verdict(
    page: Page, facts: PageFacts, family: Family, records_found: int = 0
) -> tuple[Verdict, str]:
    """The kind of a page and a plain reason ("" when ok).

    `records_found` is how many complete records a crawler of the family read from it.
    """
    ruling = _redirected_home(page, family) or _wrong_language(page, facts, family)
    if ruling is None and not records_found:
        ruling = _without_records(page, facts, family)
    return ruling or (Verdict.OK, "")


def _without_records(page: Page, facts: PageFacts, family: Family) -> _Ruling:
    """What kind a page is of which no record could be read."""
    ruling = _by_content(page, facts) or _by_status(page.status)
    if ruling is not None:
        return ruling
    return _without_accepted_text(page, family)


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
    """What an error status of HTTP says where the page itself says nothing."""
    reason = f"status {status}"
    if status < 400:
        return None
    if status in (404, 410):
        return Verdict.GONE, reason
    if status >= 500:
        return Verdict.TRANSIENT, reason
    return Verdict.BLOCKED, reason


def _without_accepted_text(page: Page, family: Family) -> _Ruling:
    """A page without any of the texts of which the family file says a real page has
    one."""
    accept = family.request.accept
    if not accept:
        return None
    if any(text in page.text for text in accept):
        return None
    reason = f"none of the texts of a real page is on it ({', '.join(accept)})"
    return Verdict.SOFT_404, reason


def _redirected_home(page: Page, family: Family) -> _Ruling:
    """A page other than the home page that was asked for, and the home page came."""
    asked, landed = urlsplit(page.url), urlsplit(page.base_url)
    if (asked.hostname, asked.path) == (landed.hostname, landed.path):
        return None
    if _ROOT.match(asked.path):
        return None
    if landed.query:
        return None
    if not _ROOT.match(landed.path):
        return None
    if _is_included(landed.path, family):
        return None
    return Verdict.HOME_REDIRECT, f"redirected to the home page {page.base_url}"


def _is_included(path: str, family: Family) -> bool:
    """Whether a path is one of those in which the family's pages are discovered."""
    return any(re.search(pattern, path) for pattern in family.discover.include)


def _wrong_language(page: Page, facts: PageFacts, family: Family) -> _Ruling:
    """By the words of the page if they can be told, else by what it declares after a
    redirect.

    A page that declares the wanted language may quote a text in another one.
    """
    if not family.drift.language:
        return None
    wanted = family.drift.language[:2].lower()
    if wanted in (facts.language, facts.spoken):
        return None
    if facts.spoken:
        other = f"the text is in {facts.spoken!r}"
    elif facts.language and _is_redirected(page):
        other = f"redirected to a page declared as {facts.language!r}"
    else:
        return None
    return Verdict.WRONG_LANGUAGE, f"{other}, the family is in {wanted!r}"


def _is_redirected(page: Page) -> bool:
    """Whether another url than the one asked for has answered."""
    return page.final_url not in ("", page.url)


def _is_redirected_to(page: Page, path: re.Pattern[str]) -> bool:
    """Whether a redirect led to a path like this."""
    if not _is_redirected(page):
        return False
    return path.search(urlsplit(page.final_url).path) is not None


def _json_error(facts: PageFacts) -> _Ruling:
    """A small JSON answer with an error in it, by its words."""
    if facts.text_chars > SMALL:
        return None
    if not _JSON_ERROR.search(facts.lead):
        return None
    for pattern, verdict, reason in _JSON_ERRORS:
        match = pattern.search(facts.lead)
        if match:
            return verdict, reason.format(match[0])
    return None


def _challenge(page: Page, facts: PageFacts) -> _Ruling:
    """A page that asks whether a human is there, or refuses those it takes for none."""
    phrase = _CHALLENGE.found_on(facts)
    if phrase:
        return Verdict.CHALLENGE, f"a small page that says {phrase!r}"
    if facts.widgets and facts.text_chars < _NEARLY_EMPTY:
        reason = f"a nearly empty page with a challenge ({facts.widgets[0]})"
        return Verdict.CHALLENGE, reason
    return None


def _maintenance(page: Page, facts: PageFacts) -> _Ruling:
    """A site that is down and says so."""
    phrase = _MAINTENANCE.found_on(facts)
    if not phrase:
        return None
    return Verdict.MAINTENANCE, f"a small page that says {phrase!r}"


def _login(page: Page, facts: PageFacts) -> _Ruling:
    """A redirect to a login, or a small page with words for one and a form, or little
    more than a password field."""
    if _is_redirected_to(page, _LOGIN_PATH):
        return Verdict.LOGIN, f"redirected to {page.final_url}"
    phrase = _LOGIN.found_on(facts)
    if phrase and _may_be_form(facts):
        return Verdict.LOGIN, f"a small page that says {phrase!r}"
    if facts.password and facts.text_chars < _NEARLY_EMPTY:
        return Verdict.LOGIN, "little more than a password field"
    return None


def _may_be_form(facts: PageFacts) -> bool:
    """Whether a page has a form, or so little else that scripts may make one."""
    if facts.password:
        return True
    return facts.forms > 0 or facts.text_chars < _NEARLY_EMPTY


def _consent(page: Page, facts: PageFacts) -> _Ruling:
    """A wall of consent or age, not a banner above a page."""
    if _is_redirected(page) and _is_consent_place(page.base_url):
        return Verdict.CONSENT, f"redirected to {page.final_url}"
    phrase = _CONSENT.found_on(facts)
    if not phrase:
        return None
    return Verdict.CONSENT, f"a small page that says {phrase!r}"


def _is_consent_place(url: str) -> bool:
    """Whether a host or a path is one that asks for consent."""
    place = urlsplit(url)
    if _CONSENT_PLACE.search(place.hostname or ""):
        return True
    return _CONSENT_PLACE.search(place.path) is not None


def _missing(page: Page, facts: PageFacts) -> _Ruling:
    """A page that says there is no such page, with a status that does not."""
    if _is_redirected_to(page, _GONE_PATH):
        return Verdict.SOFT_404, f"redirected to {page.final_url}"
    phrase = _MISSING.found_on(facts)
    if not phrase:
        return None
    return Verdict.SOFT_404, f"title or heading says {phrase!r}"


def _shell(page: Page, facts: PageFacts) -> _Ruling:
    """A page that scripts have to fill."""
    reason = _reason_for_scripts(facts)
    if not reason:
        return None
    return Verdict.NEEDS_RENDER, reason


def _reason_for_scripts(facts: PageFacts) -> str:
    """Why scripts seem to have to fill a page, "" if they need not."""
    if facts.text_chars < _SHELL_CHARS:
        match = phrases.SCRIPT_WANTED.search(facts.lead)
        if match:
            return f"a small page that says {match[0]!r}"
        if facts.root_empty:
            return "an application shell whose root element is empty"
    if facts.scripts and facts.word_count < _FEW_WORDS:
        return f"{facts.word_count} words and {facts.scripts} scripts"
    return ""
