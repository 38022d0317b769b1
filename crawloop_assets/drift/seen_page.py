"""A page of which no record was read, as the rules of page kinds look at it."""

import re
from http import HTTPStatus
from itertools import filterfalse
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.page_words import Said, Topic, all_said, sentences
from crawloop_assets.drift.wall import Tool, Wall
from crawloop_assets.page import Page

NEARLY_EMPTY = 600
"""Characters of visible text of a page that is little more than one element."""

MUCH_PROSE = 500
"""Characters of sentences: so much has nobody to say of a pause."""

_BARE = 200
_FEW_LINES = 3
"""So little text is beside an overlay on a page that is nothing else; so many lines
are a short record, whatever their length."""

_BLANK = 150
_FEW_BLANK_LINES = 4
"""So many lines are one too many for a heading, a sentence and a link."""

_MOST_OF_NAME = 0.6
"""A phrase that is so much of the name in an address is that name."""

_HEADINGS = 3
_STATUS_NAMES = {one.value: one.phrase.lower() for one in HTTPStatus if one >= 400}
_NO_NAME = "\0"
"""Stands in no phrase."""


class SeenPage(NamedTuple):
    """What the rules ask of a page.

    `is_shown`: what is known of its address stands there.
    """

    page: Page
    facts: PageFacts
    wall: Wall
    is_shown: bool = False

    @property
    def subjects(self) -> list[str]:
        """The most important headings but the name of the site."""
        return list(filterfalse(self._names_site, self.wall.headings))

    @property
    def heads(self) -> list[str]:
        """The title, and the heading that says what the page is about: of several that
        are not of the first level none does."""
        subjects = self.subjects
        if len(subjects) > 1 and not self.wall.main:
            return [self.facts.title]
        others = subjects[:1] or self._headings_above
        return [self.facts.title, *others]

    @property
    def _headings_above(self) -> tuple[str, ...]:
        """The first headings of a page whose content has none; those of an overlay say
        nothing of a record below it."""
        return () if self.is_overlaid else self.facts.headings[:_HEADINGS]

    @property
    def is_overlaid(self) -> bool:
        """Whether a record without a heading is below what lies above the page."""
        is_short_record = bool(self.wall.overlays) and self.wall.lines >= _FEW_LINES
        return self.is_shown or is_short_record

    def _names_site(self, heading: str) -> bool:
        """Whether a heading is the site's name."""
        letters = "".join(sentences(heading)).replace(" ", "")
        host = urlsplit(self.page.base_url).hostname or ""
        return bool(letters) and letters in re.sub(r"\W", "", host)

    def is_shorter(self, chars: float) -> bool:
        """Whether less text than that is on the page."""
        return self.facts.text_chars < chars

    @property
    def has_record(self) -> bool:
        """Whether something is there that is sold, known, or laid out as a record."""
        return any((self.facts.currency, self.is_shown, self.wall.record))

    @property
    def is_about_more(self) -> bool:
        """Whether a page is about something that its first lines may not say."""
        return any((self.is_overlaid, self.subjects, self.facts.currency))

    @property
    def is_bare(self) -> bool:
        """Whether little is on the page, and no record."""
        return self.is_shorter(NEARLY_EMPTY) and not self.has_record

    @property
    def is_blank(self) -> bool:
        """Whether next to nothing is on the page."""
        is_little = self.is_shorter(_BLANK) and self.wall.lines < _FEW_BLANK_LINES
        return is_little and not self.has_record

    def lies_alone(self, tool: Tool) -> bool:
        """Whether an overlay lies above nothing."""
        wall = self.wall
        others = (self.subjects, self.is_overlaid, wall.record, wall.root_empty)
        is_alone = wall.bare_chars < _BARE and not any(others)
        return is_alone and tool in wall.overlays

    def presses(self, topic: Topic) -> bool:
        """Whether a button says so."""
        return bool(all_said(topic, self.wall.buttons))

    def explains(self, found: Said) -> bool:
        """Whether the page is about what it says: its address is called so, or it has
        much to tell of the number of an error. What only repeats the status that came
        with it says no more than that."""
        is_explained = found.phrase[:1].isdigit() and self.wall.prose >= MUCH_PROSE
        is_status = found.phrase.endswith(_STATUS_NAMES.get(self.page.status, _NO_NAME))
        return any((is_explained, is_status, self._is_name(found.phrase)))

    def _is_name(self, phrase: str) -> bool:
        """Whether a phrase is most of the name of what was asked for."""
        path = unquote(urlsplit(self.page.url).path).rstrip("/")
        step = re.sub(r"[\W\d_]+", " ", path.rpartition("/")[-1])
        name = " ".join(sentences(step))
        least = _MOST_OF_NAME * len(name)
        return f" {phrase} " in f" {name} " and len(phrase) >= least
