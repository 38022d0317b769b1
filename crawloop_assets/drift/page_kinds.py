"""The kinds of pages that are not the wanted page: what each looks like, and what it
says of itself.

One table for all of them. Structure goes before words: a form, an overlay or a tool of
a known vendor on a page with nothing else tells a kind in any language. Words count in
titles and headings, and in the first lines of a page that is about nothing else; none
counts on a page that describes a product or the like for machines, few on one that is
laid out as a record, and no structure on one that shows what is known of it.
"""

import re
from collections.abc import Callable
from itertools import filterfalse
from math import inf
from operator import attrgetter
from typing import NamedTuple
from urllib.parse import urlsplit

from crawloop_assets.drift.facts import SMALL, PageFacts
from crawloop_assets.drift.page_words import Said, Topic, all_said, said
from crawloop_assets.drift.seen_page import MUCH_PROSE, NEARLY_EMPTY, SeenPage
from crawloop_assets.drift.wall import Tool, Wall
from crawloop_assets.page import Page, Verdict

_LEAST_SHARE = 0.3
_LEAST_SHARE_OF_LARGE = 0.5
"""A phrase is so much of the sentence that says it, in a title or a heading."""

_Look = Callable[[SeenPage], bool]


class PageKind(NamedTuple):
    """One kind: its verdict, and what tells it.

    `alone` is structure that needs no words. A phrase is believed on a page of less
    than `head_below` characters whose structure `fits`, in the first `lead_chars` on
    one of less than `lead_below`; a weak phrase where something else `proves` it.
    `place` is where redirects lead to it: a path, or a host and a path. No phrase is
    believed of a page with `most_prose` characters of sentences, nor where a record is
    laid out, if they are not said `beside_record`, too.
    """

    verdict: Verdict
    topic: Topic
    reason: str
    alone: _Look
    fits: _Look
    proves: _Look
    head_below: float = SMALL + 1
    lead_below: float = 1_000
    lead_chars: int = 600
    place: re.Pattern[str] | None = None
    most_prose: float = inf
    beside_record: bool = False

    def may_say(self, wall: Wall) -> bool:
        """Whether its phrases count on a page of that structure."""
        is_other = wall.record > self.beside_record
        return wall.prose < self.most_prose and not any((wall.thing, is_other))


def _never(seen: SeenPage) -> bool:
    """No structure tells this kind."""
    return False


def _always(seen: SeenPage) -> bool:
    """Any structure will do."""
    return True


def _sells_nothing(seen: SeenPage) -> bool:
    """No price is on the page; on a small one, in its content."""
    return not seen.wall.priced


def _is_challenge(seen: SeenPage) -> bool:
    """A tool that tells men from machines, and nothing else."""
    is_about_other = any((seen.subjects, seen.wall.root_empty))
    return bool(seen.wall.widgets) and seen.is_bare and not is_about_other


def _asks_to_wait(seen: SeenPage) -> bool:
    """A small page that says when to come again."""
    is_answer = seen.page.status < 400
    return is_answer and "retry-after" in seen.page.headers and seen.is_bare


def _is_login(seen: SeenPage) -> bool:
    """Little more than a field for a password."""
    return seen.wall.password and seen.is_bare


def _may_log_in(seen: SeenPage) -> bool:
    """A form, or so little else that scripts may make one."""
    is_form = seen.wall.password or seen.facts.forms > 0
    return is_form or seen.is_shorter(NEARLY_EMPTY)


def _has_login(seen: SeenPage) -> bool:
    """Fields of a login in the content of a page that sells nothing."""
    has_field = seen.wall.password or seen.wall.account
    return has_field and _sells_nothing(seen)


def _is_consent(seen: SeenPage) -> bool:
    """A tool for consent above nothing, or any dialog above nothing that asks to agree."""
    asks = seen.lies_alone(Tool.OVERLAY) and seen.presses(Topic.AGREE)
    return asks or seen.lies_alone(Tool.CONSENT)


def _may_consent(seen: SeenPage) -> bool:
    """Something to press, or a tool for consent; not above an empty application."""
    if seen.wall.root_empty:
        return False
    is_asked = Tool.CONSENT in seen.wall.overlays or seen.presses(Topic.AGREE)
    return is_asked or seen.is_shorter(NEARLY_EMPTY)


def _asks_age(seen: SeenPage) -> bool:
    """A tool for the age above nothing, or little more than fields for a birthday."""
    return seen.lies_alone(Tool.AGE) or (seen.wall.birth and seen.is_bare)


def _may_ask_age(seen: SeenPage) -> bool:
    """Something to answer with."""
    return bool(seen.wall.buttons) or seen.is_shorter(NEARLY_EMPTY)


def _is_gone(seen: SeenPage) -> bool:
    """A page that tells search engines the status it should have."""
    return seen.wall.gone


def _has_missing_marks(seen: SeenPage) -> bool:
    """No page for search engines, or next to no page at all."""
    return seen.wall.noindex or seen.is_blank


def _is_blank(seen: SeenPage) -> bool:
    """Next to no page at all."""
    return seen.is_blank


def _path(names: str) -> re.Pattern[str]:
    """A place whose path has one of these names."""
    return re.compile(rf"/(?:{names})(?:[/.?]|$)", re.IGNORECASE)


_CONSENT_PLACE = re.compile(
    r"^consent\.|/(?:consent|cookie-?wall|privacy-?gate|age-?gate)(?:[/.?]|$)",
    re.IGNORECASE,
)

PAGE_KINDS = (
    PageKind(
        Verdict.CHALLENGE,
        Topic.HUMAN,
        "a nearly empty page with a challenge",
        alone=_is_challenge,
        fits=_sells_nothing,
        proves=_never,
        lead_below=SMALL + 1,
    ),
    PageKind(
        Verdict.BLOCKED,
        Topic.GEO,
        "",
        alone=_never,
        fits=_always,
        proves=_never,
    ),
    PageKind(
        Verdict.MAINTENANCE,
        Topic.MAINTENANCE,
        "a small page that says when to come again",
        alone=_asks_to_wait,
        fits=_sells_nothing,
        proves=_is_blank,
        lead_below=SMALL // 2,
        most_prose=MUCH_PROSE,
    ),
    PageKind(
        Verdict.LOGIN,
        Topic.LOGIN,
        "little more than a password field",
        alone=_is_login,
        fits=_may_log_in,
        proves=_has_login,
        place=_path(
            "log-?in|sign-?in|logon|auth|sso|account/login|users/sign_in|anmelden"
        ),
    ),
    PageKind(
        Verdict.CONSENT,
        Topic.CONSENT,
        "a tool for consent above an empty page",
        alone=_is_consent,
        fits=_may_consent,
        proves=_never,
        lead_below=SMALL,
        lead_chars=300,
        place=_CONSENT_PLACE,
        beside_record=True,
    ),
    PageKind(
        Verdict.CONSENT,
        Topic.AGE,
        "a small page that asks for the age",
        alone=_asks_age,
        fits=_may_ask_age,
        proves=_never,
        beside_record=True,
    ),
    PageKind(
        Verdict.SOFT_404,
        Topic.MISSING,
        "the page says that its status is 404",
        alone=_is_gone,
        fits=_always,
        proves=_has_missing_marks,
        head_below=inf,
        lead_chars=400,
        place=_path("404|not[-_]?found|error|page-?not-?found|gone"),
        beside_record=True,
    ),
)
"""In the order in which they are asked for."""


def page_kind(
    page: Page, facts: PageFacts, *, is_shown: bool = False
) -> tuple[Verdict, str] | None:
    """The kind of a page of which no record was read, and why; None of a page that may
    be the wanted one.

    `is_shown`: what is known of its address stands there, so that structure alone says
    nothing.
    """
    is_priced = bool(facts.currency)
    wall = facts.wall or Wall(headings=facts.headings[:1], priced=is_priced)
    seen = SeenPage(page, facts, wall, is_shown)
    for kind in PAGE_KINDS:
        reason = _reason(kind, seen)
        if reason:
            return kind.verdict, reason
    return None


def _reason(kind: PageKind, seen: SeenPage) -> str:
    """Why a page is of a kind, "" if it is not."""
    if _is_led_to(kind, seen.page):
        return f"redirected to {seen.page.final_url}"
    if seen.facts.wall is not None and kind.alone(seen):
        return kind.reason
    if not (kind.may_say(seen.wall) and kind.fits(seen)):
        return ""
    found = _says_in_head(kind, seen) or _says_in_lead(kind, seen)
    if found is None:
        return ""
    return f"a page that says {found.phrase!r}"


def _is_led_to(kind: PageKind, page: Page) -> bool:
    """Whether a redirect led to where this kind of page is."""
    if kind.place is None or page.final_url in ("", page.url):
        return False
    place = urlsplit(page.final_url)
    return any(map(kind.place.search, (place.hostname or "", place.path)))


def _says_in_head(kind: PageKind, seen: SeenPage) -> Said | None:
    """What the title or the most important heading says, if it is believed."""
    if not seen.is_shorter(kind.head_below):
        return None
    said_there = all_said(kind.topic, seen.heads)
    found = list(filterfalse(seen.explains, said_there))
    is_proved = len(set(map(attrgetter("phrase"), found))) > 1 or kind.proves(seen)
    least = _LEAST_SHARE if seen.facts.wall else _LEAST_SHARE_OF_LARGE
    weights = {one.weight(is_proved=is_proved): one for one in found}
    heaviest = max(weights, default=0.0)
    return weights[heaviest] if heaviest >= least else None


def _says_in_lead(kind: PageKind, seen: SeenPage) -> Said | None:
    """What the first lines say of a page that is about nothing else."""
    if seen.is_about_more or not seen.is_shorter(kind.lead_below):
        return None
    found = said(kind.topic, seen.facts.lead[: kind.lead_chars])
    is_said = found is not None and not (found.is_weak or seen.explains(found))
    return found if is_said else None
