"""What each verb does: one function each, which says in a sentence what was done."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import filterfalse
from typing import Any

from crawloop_assets.access.brakes import EVERYTHING, Brakes
from crawloop_assets.desk.desk import Desk
from crawloop_assets.desk.verbs import Verb
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
from crawloop_assets.errors import ConfigError, StoreFailed
from crawloop_assets.foreign import code_block, in_markdown
from crawloop_assets.heal.asking import regenerate_or_ask
from crawloop_assets.heal.lessons import PersonSays
from crawloop_assets.heal.refusal import failure
from crawloop_assets.heal.regenerate import Regeneration, RegenerationOutcome
from crawloop_assets.heal.shadow import shadow_run
from crawloop_assets.induce.proof.scores import score_sheet_markdown
from crawloop_assets.roles import permit
from crawloop_assets.store import AuditKind, CrawlerVersion, HeldState, ShadowRun


@dataclass(frozen=True)
class Done:
    """What was done, in a sentence; details as Markdown, and the family and the version
    that serves it from now on, if that is another one."""

    sentence: str
    details: str = ""
    family: str = ""
    active: int | None = None


def approve(desk: Desk, word: ReviewWord) -> Done:
    """Let the version serve that waits."""
    decided = desk.decisions(word.family)
    number = decided.approve(word.version, word.who, word.why)
    return _serves(word.family, number)


def decline(desk: Desk, word: ReviewWord) -> Done:
    """Let it never serve."""
    decided = desk.decisions(word.family)
    number = decided.decline(word.version, word.who, word.why)
    return Done(f"{word.family}: v{number} is declined and is not proposed again")


def shadow(desk: Desk, word: ReviewWord) -> Done:
    """Count what a version reads otherwise than the active one."""
    family = desk.family(word.family)
    active = desk.store.active(family.family)
    chosen = _version(desk, word)
    if active is None or active.version == chosen.version:
        raise ConfigError(f"there is nothing that v{chosen.version} could be beside")
    with desk.pool() as pool:
        run = shadow_run(family, desk.store, pool, chosen, active)
    return Done(f"{family.family}: {run}", shadow_markdown(run))


def make_active(desk: Desk, word: PromotionWord) -> Done:
    """Make any version the active one."""
    name = desk.family(word.family).family
    return _serves(
        name,
        desk.store.reviews.promote(name, word.version, desk.by(word), force=word.force),
    )


def roll_back(desk: Desk, word: RollbackWord) -> Done:
    """Make a version active that was before."""
    name = desk.family(word.family).family
    return _serves(
        name,
        desk.store.reviews.roll_back(
            name, word.version, desk.by(word), force=word.force
        ),
    )


def pin(desk: Desk, word: PinWord) -> Done:
    """Hold a version."""
    name = desk.family(word.family).family
    number = desk.store.reviews.pin(name, word.version, desk.by(word))
    said = f"{name}: v{number} is pinned; no heal replaces it"
    return Done(said, family=name, active=number)


def unpin(desk: Desk, word: FamilyWord) -> Done:
    """Let a version go."""
    name = desk.family(word.family).family
    number = desk.store.reviews.unpin(name, desk.by(word))
    return Done(f"{name}: v{number} is no longer pinned")


def heal(desk: Desk, word: HealWord) -> Done:
    """Make a version now, or only try to."""
    desk.family(word.family)
    if not word.is_trial:
        detail = {"who": word.who, "why": word.why}
        desk.store.audit(AuditKind.HEAL_ASKED, word.family, desk.run_id, detail)
        return _healed(desk, word)
    with desk.rehearsal() as rehearsal:
        tried = _healed(rehearsal, word)
    return Done(f"dry run, nothing was kept: {tried.sentence}", tried.details)


def _healed(desk: Desk, word: HealWord) -> Done:
    """One regeneration of a family; where batches are red it may end in a question."""
    family = desk.family(word.family)
    is_red = bool(desk.store.past.red(family.family))
    wave = f"asked-{secrets.token_hex(4)}" if is_red else None
    run_id = desk.run_id or f"by {word.who}"
    with desk.pool() as pool:
        made = regenerate_or_ask(
            family,
            desk.store,
            pool,
            desk.fetcher(),
            run_id=run_id,
            wave=wave,
            model=desk.asks(family, pool, run_id, wave, word.model),
        )
    return _made(family.family, made)


def _made(name: str, made: Regeneration) -> Done:
    """What a regeneration made; CompileFailed if nothing that serves."""
    if made.outcome is RegenerationOutcome.REJECTED:
        raise failure(made)
    if made.version is None:
        return Done(f"{name}: {made.reason}")
    sheet = score_sheet_markdown(made.scores) if made.scores else ""
    details = f"{sheet}\n\n{code_block(made.diff, 'diff')}"
    said = f"{name}: v{made.version} {made.outcome.value}: {made.reason}"
    is_active = made.outcome is RegenerationOutcome.PROMOTED
    return Done(said, details, name, made.version if is_active else None)


def retry(desk: Desk, word: FamilyWord) -> Done:
    """Make everything due that could not be had."""
    name = desk.family(word.family).family
    batches = desk.store.past.unfinished.retry(name, desk.by(word))
    if not batches:
        return Done(f"{name}: nothing failed or was left out")
    pages = sum(batches.values())
    return Done(
        f"{name}: {pages} page(s) of {len(batches)} batch(es) are asked for again as soon as the daemon looks, "
        "within a minute"
    )


def release_pages(desk: Desk, word: PagesWord) -> Done:
    """Publish held pages after all; of those on which nothing was read there is nothing
    to publish, unless pages of the family may be empty."""
    family = desk.family(word.family)
    ids = _ids(desk, word)
    held = desk.store.quarantine(word.family, HeldState.HELD)
    nothing = {page.id for page in held if not any(page.values)}
    if family.drift.allow_empty:
        nothing.clear()
    full = list(filterfalse(nothing.__contains__, ids))
    empty = f"nothing was read of {len(ids) - len(full)} page(s)"
    if not full:
        raise ConfigError(
            f"{empty}, so there is nothing to publish",
            hint=f"show one value (`crawloop teach {word.family}`), or reject them",
        )
    counts = desk.store.release(family, full, word.who, word.why, desk.run_id)
    done = f"published {counts.records} record(s) of {len(full)} page(s)"
    return Done(f"{done}; {empty}, which stay held" if len(full) < len(ids) else done)


def reject_pages(desk: Desk, word: PagesWord) -> Done:
    """Close held pages."""
    name = desk.family(word.family).family
    ids = _ids(desk, word)
    desk.store.discard(name, ids, word.who, word.why, desk.run_id)
    return Done(f"rejected {len(ids)} page(s)")


def accept(desk: Desk, word: FamilyWord) -> Done:
    """Take the answer that the open question offers."""
    question = desk.decisions(word.family).accept(word.who, word.why)
    return Done(f"{word.family}: {question.in_words}")


def teach(desk: Desk, word: TaughtWord) -> Done:
    """Make a version of what a person says."""
    said = PersonSays(
        word.field,
        word.who,
        word.value,
        word.at,
        word.url,
        word.row,
        word.why,
        none=word.none,
        key=word.key,
    )
    with desk.pool() as pool:
        return _made(word.family, desk.decisions(word.family).teach(said, pool))


def undo(desk: Desk, word: LessonWord) -> Done:
    """Take a lesson back."""
    done = desk.decisions(word.family).undo(word.lesson, word.who, word.why)
    return Done(f"{word.family}: {done}")


def ignore(desk: Desk, word: UntilWord) -> Done:
    """Put the open question off."""
    try:
        day = datetime.fromisoformat(word.until).replace(tzinfo=UTC)
    except ValueError as error:
        raise ConfigError(
            f"{word.until!r} is no day", hint="write it as 2026-12-01"
        ) from error
    decisions = desk.decisions(word.family)
    if day <= datetime.now(UTC):
        raise ConfigError(
            f"{word.until} is over: nothing would be put off",
            hint="name a day to come",
        )
    decisions.ignore(day, word.who, word.why)
    return Done(
        f"{word.family}: nothing is tried and nobody is asked until {word.until}"
    )


def pause(desk: Desk, word: SiteWord) -> Done:
    """Stop asking for a site."""
    brakes, name = _brakes(desk, word)
    paused = brakes.pause(name, word.who, word.why)
    noted = _audit_site(desk, AuditKind.SITE_PAUSED, word)
    return Done("\n".join([f"{_site(name)}: {paused}", *noted]))


def resume(desk: Desk, word: SiteWord) -> Done:
    """Ask for a site again."""
    brakes, name = _brakes(desk, word)
    if not brakes.resume(name):
        raise ConfigError(f"{_site(name)} is not paused")
    said = [f"{_site(name)}: resumed; what was left is asked for within minutes"]
    said += _audit_site(desk, AuditKind.SITE_RESUMED, word)
    said += [f"still {_site(pause.host)}: {pause}" for pause in brakes.pauses()]
    return Done("\n".join(said))


ACTS: Mapping[str, Callable[[Desk, Any], Done]] = {
    "approve": approve,
    "decline": decline,
    "shadow": shadow,
    "promote": make_active,
    "rollback": roll_back,
    "pin": pin,
    "unpin": unpin,
    "heal": heal,
    "retry": retry,
    "release": release_pages,
    "reject": reject_pages,
    "accept": accept,
    "teach": teach,
    "undo": undo,
    "ignore": ignore,
    "pause": pause,
    "resume": resume,
}
"""The implementation of each verb."""


def perform(verb: Verb, desk: Desk, word: PersonsWord) -> Done:
    """Do what a verb says, and publish what came of it if it counts; ConfigError unless somebody
    stands for it who may do that."""
    if not word.who.strip():
        raise ConfigError(
            f"nobody stands for this {verb.name}", hint="say in `who` who decides"
        )
    about = getattr(word, "family", "")
    permit(desk.project, desk.store, word.who, verb.name, about)
    done = ACTS[verb.name](desk, word)
    if not (verb.is_brake or word.is_trial):
        desk.store.publish()
    return done


# -- what several of them need ----------------------------------------------------------


def _serves(name: str, number: int) -> Done:
    """A version serves from now on."""
    return Done(f"{name}: v{number} is active", family=name, active=number)


def _version(desk: Desk, word: ReviewWord) -> CrawlerVersion:
    """The version that is meant: the one named, else the latest that waits."""
    versions = {one.version: one for one in desk.store.crawlers(word.family)}
    if word.version in versions:
        return versions[word.version]
    if word.version is not None:
        have = ", ".join(map(str, versions)) or "none"
        raise ConfigError(
            f"{word.family} has no crawler version {word.version}",
            hint=f"versions: {have}",
        )
    waiting = desk.store.reviews.waiting(word.family)
    if not waiting:
        raise ConfigError(
            f"no version of {word.family} waits for review", hint="name a version"
        )
    return waiting[-1]


def _ids(desk: Desk, word: PagesWord) -> Sequence[str]:
    """The held pages that are meant; ConfigError if none is."""
    if word.ids:
        return word.ids
    held = desk.store.quarantine(word.family, HeldState.HELD)
    ids = [
        page.id
        for page in held
        if word.check and word.check in {reason.check for reason in page.reasons}
    ]
    if not ids:
        raise ConfigError(
            f"no page of {word.family} is meant",
            hint="name ids, or with --check what holds them; see `crawloop inbox`",
        )
    return ids


def _brakes(desk: Desk, word: SiteWord) -> tuple[Brakes, str]:
    """The brakes of the project and what is meant; ConfigError for a host that is in no
    entry, and unless there is either a host or all."""
    if bool(word.host) is word.all:
        raise ConfigError("name one host, or --all")
    brakes = Brakes(desk.project.var / "brakes")
    hosts = sorted({one.host for one in desk.project.load_domains().domains})
    if word.host and word.host not in hosts and not brakes.pause_of(word.host):
        raise ConfigError(
            f"{word.host} is not in domains.yaml", hint=f"there are {', '.join(hosts)}"
        )
    return brakes, word.host or EVERYTHING


def _audit_site(desk: Desk, kind: AuditKind, word: SiteWord) -> list[str]:
    """Write down who stopped or let go of what; what keeps it from being written. It
    holds all the same."""
    detail = {"host": word.host or EVERYTHING, "who": word.who, "why": word.why}
    try:
        desk.store.audit(kind, None, desk.run_id, detail)
        desk.store.publish()
    except StoreFailed as error:
        return [f"this is not in the audit: {error}"]
    return []


def _site(name: str) -> str:
    """A host, or that it is all of them."""
    return "everything" if name == EVERYTHING else name


def shadow_markdown(run: ShadowRun) -> str:
    """A shadow run as a table, for people."""
    lines = [str(run), "", "| page | field | before | after |", "|---|---|---|---|"]
    for row in run.rows:
        cells = map(_cell, (row.url, row.field, row.before, row.after))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(text: str) -> str:
    """A text as it stands in a cell of a table."""
    return in_markdown(text) or "nothing"
