"""What kind of page came back: the wanted one, or a soft 404, login, consent wall,
challenge, shell, ...

None of these is drift: no crawler can be healed on them and no model is shown one. The
rules are conservative. Nothing is said of a page that shows what is known of it, and
words prove nothing on a page from which the crawler read complete records; only a
redirect to the home page, another page in the place of the one asked for and a wrong
language outrank those, because there the records are somebody else's. What the kinds look like is in `page_kinds`.
"""

import re
from math import inf
from urllib.parse import urlsplit

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.drift.facts import SMALL, PageFacts
from crawloop_assets.drift.page_kinds import page_kind
from crawloop_assets.drift.page_words import Topic, said
from crawloop_assets.drift.replaced import replaced
from crawloop_assets.drift.resemblance import Resemblance
from crawloop_assets.family import Family, Rung
from crawloop_assets.page import Page, Verdict
from crawloop_assets.pattern.judge import searched
from crawloop_assets.written import URL_POWER

_ROOT = re.compile(
    r"^/?(?:[a-z]{2}(?:[-_][a-zA-Z]{2})?/?|index\.(?:html?|php|aspx?)|home/?)?$"
)

_JSON_ERRORS = {
    Topic.AUTH: Verdict.LOGIN,
    Topic.LOGIN: Verdict.LOGIN,
    Topic.HUMAN: Verdict.CHALLENGE,
    Topic.GEO: Verdict.BLOCKED,
    Topic.MISSING: Verdict.SOFT_404,
}
"""By what the answer says; any other error passes, as a pause does."""

_RENDER = frozenset((Rung.BROWSER, Rung.STEALTH))
_FILLED = frozenset((Resemblance.SHOWN, Resemblance.STATED))
"""What is known stands on the page: where no browser is to fill it, it is what there is to be read."""
_SHELL_CHARS = 1_500
_FEW_WORDS = 30

_Ruling = tuple[Verdict, str] | None
"""A verdict and its reason; None from a rule that does not apply."""


def page_verdict(
    page: Page,
    facts: PageFacts,
    family: Family,
    records_found: int = 0,
    resemblance: Resemblance = Resemblance.UNKNOWN,
) -> tuple[Verdict, str]:
    """The kind of a page and a plain reason ("" when ok).

    `records_found` is how many complete records a crawler of the family read from it,
    `resemblance` whether the page shows what is known of it.
    """
    ruling = None
    if resemblance is not Resemblance.KNOWN:
        ruling = _without_what_is_known(page, facts, family, records_found, resemblance)
    ruling = ruling or _wrong_language(page, facts, family)
    return ruling or (Verdict.OK, "")


def _without_what_is_known(
    page: Page,
    facts: PageFacts,
    family: Family,
    records_found: int,
    resemblance: Resemblance,
) -> _Ruling:
    """What kind a page is that does not show what is known of it.

    Records like none that is known are no proof against a page that says what it is.
    """
    ruling = None
    if not records_found or resemblance is Resemblance.OTHER:
        is_shown = resemblance is Resemblance.SHOWN
        ruling = _by_content(page, facts, is_shown=is_shown)
    ruling = ruling or _redirected_home(page, family) or replaced(page, facts)
    if ruling is None and not records_found:
        ruling = _wrong_language(page, facts, family)
        ruling = ruling or _by_absence(page, facts, family, resemblance)
    if ruling is None and resemblance is Resemblance.ABSENT:
        ruling = _shows_nothing_known(family)
    return ruling


def _no_json(facts: PageFacts, family: Family, resemblance: Resemblance) -> _Ruling:
    """A page of an API that shows nothing known, or a small one that may, is its error in
    whatever words: no record is gone, no list empty, and there is nothing to heal from."""
    most = {Resemblance.ABSENT: inf, Resemblance.UNKNOWN: SMALL}.get(resemblance, -1)
    is_of_pages = family.kind is not FamilyKind.JSON
    if any((facts.is_json, is_of_pages, facts.text_chars > most)):
        return None
    return Verdict.MAINTENANCE, "the answer is a page, and no JSON"


def _shows_nothing_known(family: Family) -> _Ruling:
    """A page of which nothing is read, and that shows nothing of what is known of its
    address, is another page, whatever it says; not where a list may be empty."""
    if family.drift.allow_empty:
        return None
    return Verdict.SOFT_404, "nothing that is known of this address stands on the page"


def _by_content(page: Page, facts: PageFacts, *, is_shown: bool) -> _Ruling:
    """What a page says it is, by its structure or its words."""
    if not page.body.strip():
        return Verdict.TRANSIENT, "the body is empty"
    if facts.is_json:
        return _json_error(facts)
    return page_kind(page, facts, is_shown=is_shown)


def _by_absence(
    page: Page, facts: PageFacts, family: Family, resemblance: Resemblance
) -> _Ruling:
    """What a page without records is that says nothing of itself. One that is filled, be it
    in its JSON, needs no scripts."""
    is_filled = resemblance in _FILLED and _RENDER.isdisjoint(family.access.ladder)
    ruling = _no_json(facts, family, resemblance)
    if not (facts.is_json or is_filled):
        ruling = ruling or _shell(facts)
    ruling = ruling or _by_status(page.status)
    return ruling or _without_accepted_text(page, family)


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
    if any(map(page.text.__contains__, accept)):
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
    return any(
        searched(pattern, URL_POWER).search(path) for pattern in family.discover.include
    )


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


def _json_error(facts: PageFacts) -> _Ruling:
    """A small JSON answer that is nothing but an error, by its words."""
    if not facts.is_error:
        return None
    for topic, verdict in _JSON_ERRORS.items():
        found = said(topic, facts.lead)
        if found:
            return verdict, f"the answer is an error: {found.phrase!r}"
    return Verdict.MAINTENANCE, "the answer is nothing but an error"


def _shell(facts: PageFacts) -> _Ruling:
    """A page that scripts have to fill."""
    reason = _reason_for_scripts(facts)
    if not reason:
        return None
    return Verdict.NEEDS_RENDER, reason


def _reason_for_scripts(facts: PageFacts) -> str:
    """Why scripts seem to have to fill a page, "" if they need not."""
    if facts.text_chars < _SHELL_CHARS:
        found = said(Topic.SCRIPTS, facts.lead)
        if found:
            return f"a small page that says {found.phrase!r}"
        if facts.wall and facts.wall.root_empty:
            return "an application shell whose root element is empty"
    if facts.scripts and facts.word_count < _FEW_WORDS:
        return f"{facts.word_count} words and {facts.scripts} scripts"
    return ""
