"""Everything a person can do, in one table: the commands of the terminal and the jobs of
the Dagster UI are made of it, so that both do the same and are audited alike."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from shlex import quote
from typing import Any

from crawloop_assets.desk.words import (
    FamilyWord,
    HealWord,
    LessonWord,
    PagesWord,
    PersonsWord,
    PinWord,
    PromotionWord,
    ReviewWord,
    RollbackWord,
    SiteWord,
    TaughtWord,
    UntilWord,
)


def _option_text(flag: str, value: Any) -> str:
    """An option as it is typed; a value that looks like one is tied to its name."""
    if value is True:
        return flag
    text = quote(str(value))
    return f"{flag}={text}" if text.startswith("-") else f"{flag} {text}"


def _words_of(value: Any) -> list[str]:
    """What is typed for an argument: a word for each of its values, none for nothing."""
    values = value if isinstance(value, list | tuple) else [value]
    return [str(one) for one in values if one not in (None, "")]


@dataclass(frozen=True)
class Verb:
    """One thing a person can do: its name, what it does in plain words, and what is
    said with it; `acts.ACTS` has its one implementation. A brake works whatever state
    the store is in."""

    name: str
    says: str
    word: type[PersonsWord]
    is_brake: bool = False

    def positional(self) -> list[str]:
        """The arguments of its command, in order."""
        return [one.name for one in fields(self.word) if one.metadata["positional"]]

    @property
    def usage(self) -> str:
        """Its command line with the names of what is said."""
        return self.command({name: name.upper() for name in self.positional()})

    def command(self, said: Mapping[str, Any]) -> str:
        """The command line that says it."""
        first: list[str] = []
        for name in self.positional():
            first += map(quote, _words_of(said.get(name)))
        options = [
            _option_text(f"--{name.replace('_', '-')}", value)
            for name, value in said.items()
            if name not in self.positional()
        ]
        parts = [*first, *options]
        if any(one.startswith("-") for one in first):
            parts = [*options, "--", *first]  # it is what is meant, and no option
        return " ".join([f"crawloop {self.name}", *parts])


VERBS: tuple[Verb, ...] = (
    Verb(
        "approve",
        "Let a version serve that waits for review; the red batches are read again from stored pages.",
        ReviewWord,
    ),
    Verb(
        "decline",
        "Say that a version that waits for review shall never serve; the same program is not proposed again.",
        ReviewWord,
    ),
    Verb(
        "shadow",
        "Read the stored pages with a version beside the active one and count what differs; nothing is published.",
        ReviewWord,
    ),
    Verb(
        "promote",
        "Make any version the active one, also one that never served.",
        PromotionWord,
    ),
    Verb(
        "rollback",
        "Make a version active again that served before; each call goes one further back.",
        RollbackWord,
    ),
    Verb(
        "pin",
        "Let no heal replace a version: what heals make waits for review meanwhile.",
        PinWord,
    ),
    Verb("unpin", "Let heals replace the version again.", FamilyWord),
    Verb(
        "heal",
        "Make a new version from the stored pages now, without waiting for the cool-down.",
        HealWord,
    ),
    Verb(
        "retry",
        "Ask again, within minutes, for every page that could not be had: blocked, failed or left out.",
        FamilyWord,
    ),
    Verb("release", "Publish records in quarantine on a person's word.", PagesWord),
    Verb("reject", "Decide that records in quarantine are wrong.", PagesWord),
    Verb(
        "accept",
        "Accept what the open question asks: its fields are gone until the site shows them again, what they say "
        "is news and is published, or the version that waits for review may serve.",
        FamilyWord,
    ),
    Verb(
        "teach",
        "Say one value of a stored page, point at it, or say that there is none: a version is made of it at once, "
        "proved and promoted.",
        TaughtWord,
    ),
    Verb(
        "undo", "Take a lesson back, and the version that was made of it.", LessonWord
    ),
    Verb(
        "ignore",
        "Put the open question off: no wave and no question until a day.",
        UntilWord,
    ),
    Verb(
        "pause",
        "Ask for nothing of a site any more, also in runs that are under way: they end the pages they are at and "
        "leave the rest for later.",
        SiteWord,
        is_brake=True,
    ),
    Verb(
        "resume",
        "Ask for a site again; for all of them it ends every pause.",
        SiteWord,
        is_brake=True,
    ),
)


def verb_named(name: str) -> Verb:
    """The verb of a name."""
    (found,) = [verb for verb in VERBS if verb.name == name]
    return found
