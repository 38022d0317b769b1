"""What became of one url."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from crawloop_assets.family import Rung
from crawloop_assets.page import Page, Verdict


@dataclass(frozen=True)
class Fetched:
    """What became of one url.

    `page` is set for `ok` unless `not_modified`. `rule` names what refused a
    `not_allowed` url. `redirects` are the urls redirected to, in order;
    `permanent_redirect` says that all of them were for good (301, 308). `retry_after_s`
    is when to come back, None if nobody said. `rung` gave the answer (`backoff`: plain,
    but not at the first try). `attempts` are requests sent, `bytes` those received on
    the wire, `waited_s` the seconds spent waiting for turns. `asked` are the urls that the
    page's scripts asked for in a browser.
    """

    url: str
    verdict: Verdict
    reason: str
    page: Page | None = None
    rule: str = ""
    status: int | None = None
    not_modified: bool = False
    redirects: tuple[str, ...] = ()
    permanent_redirect: bool = False
    retry_after_s: float | None = None
    rung: Rung = Rung.PLAIN
    elapsed_s: float = 0.0
    waited_s: float = 0.0
    attempts: int = 0
    bytes: int = 0
    asked: tuple[str, ...] = ()
    fetched_at: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def final_url(self) -> str:
        """Where the redirects ended."""
        return self.redirects[-1] if self.redirects else self.url

    @property
    def refusal(self) -> str:
        """Why there is no page: the rule that forbids it, else the reason."""
        return self.rule or self.reason
