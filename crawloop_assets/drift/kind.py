"""What kind of page came back: the wanted one, or a soft 404, login, consent wall,
challenge, shell, ...

None of these is drift: no crawler can be healed on them and no model is shown one. The
rules are conservative. Words prove nothing on a page from which the crawler read
complete records; only a redirect to the home page and a wrong language outrank records,
because there the records are somebody else's.
"""

import re
from urllib.parse import urlsplit

from crawloop_assets.drift import words
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
_JSON_ERROR = re.compile(r'"(?:errors?|message|detail|fault)"\s*:', re.IGNORECASE)


def page_verdict(
    page: Page, facts: PageFacts, family: Family, records_found: int = 0
) -> tuple[Verdict, str]:
    """The kind of a page and a plain reason ("" when ok).

    `records_found` is how many complete records a crawler of the family read from it.
    """
    for verdict, reason in (
        _redirected_home(page, family),
        _wrong_language(page, facts, family),
    ):
        if reason:
            return verdict, reason
    if records_found:
        return Verdict.OK, ""
    rules = (
        (_empty, _json_error)
        if facts.is_json
        else (_empty, _challenge, _maintenance, _login, _consent, _missing, _shell)
    )
    for rule in rules:
        verdict, reason = rule(page, facts)
        if reason:
            return verdict, reason
    if page.status >= 400:
        return _by_status(page.status)
    accept = family.request.accept
    if accept and not any(text in page.text for text in accept):
        return (
            Verdict.SOFT_404,
            f"none of the texts of a real page is on it ({', '.join(accept)})",
        )
    return Verdict.OK, ""


def _by_status(status: int) -> tuple[Verdict, str]:
    verdict = (
        Verdict.GONE
        if status in (404, 410)
        else Verdict.TRANSIENT
        if status >= 500
        else Verdict.BLOCKED
    )
    return verdict, f"status {status}"


_Found = tuple[Verdict, str]
_NO: _Found = (Verdict.OK, "")


def _redirected_home(page: Page, family: Family) -> _Found:
    asked, landed = urlsplit(page.url), urlsplit(page.base_url)
    if (asked.hostname, asked.path) == (landed.hostname, landed.path) or _ROOT.match(
        asked.path
    ):
        return _NO
    if not _ROOT.match(landed.path) or landed.query:
        return _NO
    if any(re.search(pattern, landed.path) for pattern in family.discover.include):
        return _NO
    return Verdict.HOME_REDIRECT, f"redirected to the home page {page.base_url}"


def _wrong_language(page: Page, facts: PageFacts, family: Family) -> _Found:
    wanted = (family.drift.language or "")[:2].lower()
    if not wanted:
        return _NO
    declared_otherwise = facts.language not in ("", wanted)
    if facts.spoken not in ("", wanted) and (declared_otherwise or not facts.language):
        return (
            Verdict.WRONG_LANGUAGE,
            f"the text is in {facts.spoken!r}, the family is in {wanted!r}",
        )
    if declared_otherwise and not facts.spoken and page.final_url not in ("", page.url):
        return (
            Verdict.WRONG_LANGUAGE,
            f"redirected to a page declared as {facts.language!r}, the family is in {wanted!r}",
        )
    return _NO


def _empty(page: Page, facts: PageFacts) -> _Found:
    return (Verdict.TRANSIENT, "the body is empty") if not page.body.strip() else _NO


def _json_error(page: Page, facts: PageFacts) -> _Found:
    if facts.text_chars > SMALL or not _JSON_ERROR.search(facts.lead):
        return _NO
    if words.JSON_AUTH.search(facts.lead):
        return Verdict.LOGIN, "the answer is an authorization error"
    for pattern, verdict in (
        (words.MAINTENANCE, Verdict.MAINTENANCE),
        (words.MISSING, Verdict.SOFT_404),
    ):
        match = pattern.search(facts.lead)
        if match:
            return verdict, f"the answer is an error: {match[0]!r}"
    return _NO


def _head(facts: PageFacts) -> str:
    return "\n".join((facts.title, *facts.headings[:3]))


def _challenge(page: Page, facts: PageFacts) -> _Found:
    if facts.text_chars > SMALL:
        return _NO
    match = words.CHALLENGE.search(_head(facts)) or words.CHALLENGE.search(
        facts.lead[:600]
    )
    if match:
        return Verdict.CHALLENGE, f"a small page that says {match[0]!r}"
    if facts.widgets and facts.text_chars < 600:
        return (
            Verdict.CHALLENGE,
            f"a nearly empty page with a challenge ({facts.widgets[0]})",
        )
    return _NO


def _maintenance(page: Page, facts: PageFacts) -> _Found:
    match = words.MAINTENANCE.search(_head(facts)) or (
        words.MAINTENANCE.search(facts.lead[:600])
        if facts.text_chars < SMALL // 2
        else None
    )
    if match and facts.text_chars <= SMALL:
        return Verdict.MAINTENANCE, f"a small page that says {match[0]!r}"
    return _NO


def _login(page: Page, facts: PageFacts) -> _Found:
    moved = page.final_url not in ("", page.url) and _LOGIN_PATH.search(
        urlsplit(page.final_url).path
    )
    if moved:
        return Verdict.LOGIN, f"redirected to {page.final_url}"
    match = words.LOGIN.search(_head(facts)) or (
        words.LOGIN.search(facts.lead[:600]) if facts.text_chars < 1_000 else None
    )
    if (
        facts.text_chars <= SMALL
        and match
        and (facts.password or facts.forms or facts.text_chars < 600)
    ):
        return Verdict.LOGIN, f"a small page that says {match[0]!r}"
    if facts.password and facts.text_chars < 600:
        return Verdict.LOGIN, "little more than a password field"
    return _NO


def _consent(page: Page, facts: PageFacts) -> _Found:
    landed = urlsplit(page.base_url)
    if page.final_url not in ("", page.url) and (
        _CONSENT_PLACE.search(landed.hostname or "")
        or _CONSENT_PLACE.search(landed.path)
    ):
        return Verdict.CONSENT, f"redirected to {page.final_url}"
    match = words.CONSENT.search(_head(facts)) or words.CONSENT.search(facts.lead[:300])
    if match and facts.text_chars < SMALL:
        return Verdict.CONSENT, f"a small page that says {match[0]!r}"
    return _NO


def _missing(page: Page, facts: PageFacts) -> _Found:
    moved = page.final_url not in ("", page.url) and _GONE_PATH.search(
        urlsplit(page.final_url).path
    )
    if moved:
        return Verdict.SOFT_404, f"redirected to {page.final_url}"
    match = words.MISSING.search(_head(facts)) or (
        words.MISSING.search(facts.lead[:400]) if facts.text_chars < 1_000 else None
    )
    return (Verdict.SOFT_404, f"title or heading says {match[0]!r}") if match else _NO


def _shell(page: Page, facts: PageFacts) -> _Found:
    wanted = words.SCRIPT_WANTED.search(facts.lead)
    if wanted and facts.text_chars < 1_500:
        return Verdict.NEEDS_RENDER, f"a small page that says {wanted[0]!r}"
    if facts.root_empty and facts.text_chars < 1_500:
        return Verdict.NEEDS_RENDER, "an application shell whose root element is empty"
    if facts.scripts and facts.word_count < 30:
        return (
            Verdict.NEEDS_RENDER,
            f"{facts.word_count} words and {facts.scripts} scripts",
        )
    return _NO
