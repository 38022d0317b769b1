"""A page: one fetched document, immutable, named by the sha256 of its bytes.

Also the verdict on it.
"""

import hashlib
from codecs import BOM_UTF8
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property

from pydantic import BaseModel, ConfigDict, Field
from w3lib.encoding import html_to_unicode


class Verdict(StrEnum):
    """What happened to a page.

    Only `drift` leads to healing; only `ok` leads to published records.
    """

    OK = "ok"
    DRIFT = "drift"
    BLOCKED = "blocked"
    TRANSIENT = "transient"
    GONE = "gone"
    NOT_FOUND = "not_found"
    NOT_ALLOWED = "not_allowed"
    SOFT_404 = "soft_404"
    MAINTENANCE = "maintenance"
    LOGIN = "login"
    CONSENT = "consent"
    CHALLENGE = "challenge"
    NEEDS_RENDER = "needs_render"
    WRONG_LANGUAGE = "wrong_language"
    HOME_REDIRECT = "home_redirect"
    TOO_LARGE = "too_large"
    PAUSED = "paused"
    OVER_QUOTA = "over_quota"


LEFT_FOR_LATER = frozenset({Verdict.PAUSED, Verdict.OVER_QUOTA})
"""Verdicts of pages that were not asked for, and that nothing is wrong with."""


class Page(BaseModel):
    """One fetched document.

    `url` is what was asked for, `final_url` where redirects ended (equal to `url` when
    there were none), `body` the decoded (un-gzipped) bytes, `headers` lower-cased
    response headers, `fetched_at` an aware UTC time.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    body: bytes = Field(repr=False)
    final_url: str = ""
    status: int = 200
    headers: dict[str, str] = {}
    fetched_at: datetime = Field(default_factory=lambda: datetime.now(UTC))

    @cached_property
    def sha256(self) -> str:
        """Hex digest of the body; the page's name in the store."""
        return hashlib.sha256(self.body).hexdigest()

    @cached_property
    def text(self) -> str:
        """The body decoded by BOM, header, meta, then detection (the order browsers
        use)."""
        return self._decoded[1]

    @cached_property
    def _decoded(self) -> tuple[str, str]:
        """The encoding and the text.

        Where a page names an encoding that is none of texts ("hex", "idna"), UTF-8.
        """
        try:
            encoding, text = html_to_unicode(
                self.headers.get("content-type"), self.body, default_encoding="utf-8"
            )
        except (LookupError, UnicodeError):
            return "utf-8", self.body.decode("utf-8", "replace")
        return str(encoding), str(text)

    @property
    def utf8(self) -> bytes:
        """The text in UTF-8 without NUL, for a parser.

        Of most pages it is the body itself, which costs nothing.
        """
        encoding, text = self._decoded
        is_clean_utf8 = encoding == "utf-8" and "\ufffd" not in text
        has_marks = self.body.startswith(BOM_UTF8) or 0 in self.body
        if is_clean_utf8 and not has_marks:
            return self.body
        return text.replace("\x00", "").encode("utf-8", "replace")

    @property
    def base_url(self) -> str:
        """The url that relative links are resolved against."""
        return self.final_url or self.url
