"""One tree of errors. The branch says what to do next; the leaf says what happened.

CrawloopError
├─ Stop                 a person has to act; trying again changes nothing
│  ├─ ConfigError       a family file, domains.yaml or an argument is wrong (file, line, field)
│  ├─ NotAllowed        the url is off the allowlist, refused by robots or points inside
│  ├─ PageTooLarge      the page has more bytes than a worker parses
│  ├─ CompileFailed     no crawler could be proved; carries the score sheet
│  ├─ SchemaConflict    the stored table and the declared schema disagree
│  ├─ SandboxUnavailable  no worker process can be started here
│  ├─ StoreFailed       the store's disk is full, unwritable or its file damaged
│  │  ├─ CommitsLost    the store can be read and lacks what was committed to it
│  │  └─ PageLost       one stored page is missing or damaged
│  └─ OverBudget        the model budget or its circuit breaker is exhausted
├─ Retry                the same call may work later
│  ├─ Paused            a person has paused the site
│  ├─ OverQuota         the site's quota of the day is used up
│  ├─ Transient         network error, 5xx, 429 (carries retry_after, seconds)
│  ├─ StoreBusy         another process holds the store
│  ├─ ProcessEnded      a process that a command had started ended by itself
│  ├─ ModelUnavailable  no key, or the model endpoint failed
│  └─ NoModelAnswer     the model has no answer to this one question
│     └─ AnswerCut      what it had to say is longer than an answer may be
├─ Climb                the next rung of the access ladder may work
│  └─ Blocked           challenge, login wall, 401, 403, 429 beyond patience
└─ Heal                 this crawler version is wrong for this page; try the others, then heal
   └─ CrawlerFault      the worker's verdict on a crawler
      ├─ CrawlerRaised       it raised
      ├─ CrawlerTimeout      it missed its deadline
      ├─ CrawlerOutOfMemory  it hit the memory cap
      ├─ CrawlerCrashed      its worker died
      ├─ CrawlerGarbage      its answer is not a list of records
      └─ CodeRefused         it is code that may not be run, here or at all
"""

from collections.abc import Mapping
from pathlib import Path


class CrawloopError(Exception):
    """Base of every error this package raises on purpose."""


class Stop(CrawloopError):
    """A person has to act."""


class Retry(CrawloopError):
    """The same call may work later."""


class Climb(CrawloopError):
    """The next rung of the access ladder may work."""


class Heal(CrawloopError):
    """A crawler version is wrong for a page."""


class ConfigError(Stop):
    """Something an operator wrote is wrong. Names the place and what to do."""

    def __init__(
        self,
        problem: str,
        *,
        file: Path | str | None = None,
        line: int | None = None,
        field: str = "",
        hint: str = "",
    ):
        """`file`, `line` and `field` say where, as far as that is known; `hint` what to
        do."""
        self.problem = problem
        self.file = file
        self.line = line
        self.field = field
        self.hint = hint
        super().__init__(self._text())

    def _text(self) -> str:
        """`file:line [field]: problem. hint`, as far as it is known."""
        place = ":".join(
            str(part) for part in (self.file, self.line) if part is not None
        )
        bracketed = f"[{self.field}]" if self.field else ""
        head = " ".join(filter(None, (place, bracketed)))
        text = f"{head}: {self.problem}" if head else self.problem
        return f"{text}. {self.hint}" if self.hint else text


class UrlError(CrawloopError):
    """Mixed into errors about one url."""

    def __init__(self, url: str, reason: str):
        """The message is the url and the reason."""
        self.url, self.reason = url, reason
        super().__init__(f"{url}: {reason}")


class NotAllowed(UrlError, Stop):
    """The url may not be fetched; `reason` is the rule that says so."""


class PageTooLarge(UrlError, Stop):
    """The page has more bytes than a worker parses; it was not parsed at all."""


class Transient(UrlError, Retry):
    """The fetch failed in a way that passes. `retry_after` is in seconds, None if the server named none."""

    def __init__(self, url: str, reason: str, retry_after: float | None = None):
        """`retry_after` is in seconds, None if the server named none."""
        super().__init__(url, reason)
        self.retry_after = retry_after


class Paused(UrlError, Retry):
    """A person has paused the site: nothing is asked for until it is resumed."""


class OverQuota(UrlError, Retry):
    """What may be asked of the site in a day is used up."""


class Blocked(UrlError, Climb):
    """The site refuses this way of asking."""


class CompileFailed(Stop):
    """No program could be proved. `scores` maps field name to the reason it failed."""

    def __init__(self, problem: str, scores: Mapping[str, str] | None = None):
        """The message names each field of `scores` with its reason."""
        self.scores = dict(scores or {})
        detail = "; ".join(f"{name}: {why}" for name, why in self.scores.items())
        super().__init__(f"{problem} ({detail})" if detail else problem)


class SchemaConflict(Stop):
    """The declared schema does not fit the stored table; a changed type needs a new schema name."""


class SandboxUnavailable(Stop):
    """No worker process can be started here; the message is what it printed."""


class StoreFailed(Stop):
    """The store cannot be read or written: disk full, no permission, damaged. Nothing is half-written."""


class CommitsLost(StoreFailed):
    """The store can be read, but lacks what was committed to it: nothing is published."""


class PageLost(StoreFailed):
    """One stored page is missing, or is not what its name says; others are not concerned."""


class OverBudget(Stop):
    """A model call would exceed the family's budget, or the breaker is open."""


class StoreBusy(Retry):
    """Another process holds the store longer than we wait; the message names its pid where known."""


class ProcessEnded(Retry):
    """A process that a command had started ended by itself, or was killed."""


class ModelUnavailable(Retry):
    """No model is configured or its endpoint failed."""


class NoModelAnswer(Retry):
    """The model has no answer to this one question; others may have one."""


class AnswerCut(NoModelAnswer):
    """What the model had to say is longer than an answer may be; less may be asked for."""


class CrawlerFault(Heal):
    """A crawler version failed on a page in its worker; the page and the other versions are unharmed."""


class CrawlerRaised(CrawlerFault):
    """The crawler raised; the message is its last line."""


class CrawlerTimeout(CrawlerFault):
    """The crawler missed its deadline and its worker was killed."""


class CrawlerOutOfMemory(CrawlerFault):
    """The crawler hit the memory cap."""


class CrawlerCrashed(CrawlerFault):
    """The worker process died."""


class CrawlerGarbage(CrawlerFault):
    """The answer is not what a crawler may return."""


class CodeRefused(CrawlerFault):
    """The code of a crawler says what such code may not say, or nothing here can hold it; it was not run."""
