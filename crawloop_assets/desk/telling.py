"""Telling people, once: whoever notices something takes it on itself in the store before
it sends, and nobody else does."""

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial
from operator import attrgetter
from urllib.parse import quote

from crawloop_assets.desk.notices import NewsDesk, NewsItem, utc_now
from crawloop_assets.desk.receivers import (
    NewsKind,
    NotifyFile,
    Receiver,
    load_receivers,
)
from crawloop_assets.errors import ConfigError, CrawloopError, StoreFailed
from crawloop_assets.family import Family
from crawloop_assets.foreign import harmless
from crawloop_assets.project import Project, private_folder
from crawloop_assets.report.shelf import wave_address
from crawloop_assets.report.wave import write_last_wave
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.store import Store
from crawloop_assets.store.messages import MessageTo

_LINKS = 2

Sender = Callable[[str, str, str], None]
"""Address, title, text; raises CrawloopError if it was not taken."""


@dataclass(frozen=True)
class Telling:
    """What was told, and what could not be, each in a line."""

    sent: tuple[str, ...] = ()
    trouble: tuple[str, ...] = ()


def tell(project: Project, store: Store, send: Sender | None = None) -> Telling:
    """Tell everybody what is new, once; what fails is tried again later, five times at
    most."""
    config = load_receivers(project)
    if not config.receivers:
        return Telling()
    now = utc_now()
    families, broken = project.read_families()
    desk = NewsDesk(store, families, broken, store.messages.begun(), now)
    known, sent, trouble = store.messages.sent(), [], []
    write = cache(partial(_write_report, store, families))
    for notice, name, receiver in _wanted(config, desk, now):
        about = MessageTo(notice.name, name, notice.kind.value, notice.family)
        if (notice.name, name) in known or not store.messages.take(about):
            continue
        if notice.wave:
            write(notice.family)
        failed = _sent(send or send_by_apprise, receiver, notice, config)
        store.messages.done(about, notice.title, failed)
        line = f"{name}: {notice.title}"
        if failed:
            trouble.append(f"{line}: {failed}")
        else:
            sent.append(line)
    return Telling(tuple(sent), tuple(trouble))


def _write_report(store: Store, families: Sequence[Family], name: str) -> None:
    """Let the page that a message links to be there when it is read. A message without a
    page is better than none."""
    known = [one for one in families if one.family == name]
    with suppress(CrawloopError), closing(WorkerPool(1)) as pool:
        for family in known:
            write_last_wave(store, pool, family)


def tell_trouble(
    project: Project, error: StoreFailed, send: Sender | None = None
) -> Telling:
    """Tell everybody who wants to know that the store cannot be used, once a day: the
    claims are files, since there is no store to have them."""
    config, sent = load_receivers(project), []
    now = utc_now()
    digest = hashlib.sha256(str(error).encode()).hexdigest()[:8]
    notice = NewsItem(f"store-{now:%Y%m%d}-{digest}", NewsKind.STORE, "", str(error))
    for name, receiver in config.receivers.items():
        is_quiet = config.quiet is not None and config.quiet.holds(notice.kind, now)
        wants = receiver.wants(notice.kind, "") and not is_quiet
        if wants and _first_to_say(project, f"{notice.name}-{name}"):
            failed = _sent(send or send_by_apprise, receiver, notice, config)
            sent.append(f"{name}: {failed or notice.title}")
    return Telling(tuple(sent))


def try_receivers(project: Project, send: Sender | None = None) -> Telling:
    """Send a word of greeting to everybody, whatever they want to know."""
    config = load_receivers(project)
    sent: list[str] = []
    trouble: list[str] = []
    notice = NewsItem("test", NewsKind.HEALED, "", "Crawloop can reach you.")
    for name, receiver in config.receivers.items():
        failed = _sent(send or send_by_apprise, receiver, notice, config)
        (trouble if failed else sent).append(f"{name}: {failed or 'was reached'}")
    return Telling(tuple(sent), tuple(trouble))


def _wanted(
    config: NotifyFile, desk: NewsDesk, now: datetime
) -> Iterator[tuple[NewsItem, str, Receiver]]:
    """What is to be told to whom, now."""
    for notice in desk.notices():
        if config.quiet is not None and config.quiet.holds(notice.kind, now):
            continue
        for name, receiver in config.receivers.items():
            if receiver.wants(notice.kind, notice.family):
                yield notice, name, receiver


def _sent(
    send: Sender, receiver: Receiver, notice: NewsItem, config: NotifyFile
) -> str:
    """Send it; what went wrong, "" for nothing. The address is in neither."""
    try:
        send(receiver.address(), harmless(notice.title), text_of(notice, config.ui))
    except CrawloopError as error:
        return str(error)
    return ""


def _first_to_say(project: Project, name: str) -> bool:
    """Whether nobody has said it yet."""
    try:
        folder = private_folder(project.var / "told")
    except OSError:
        return True
    try:
        os.close(os.open(folder / name, os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    except OSError:
        return True  # a disk that takes no file: to be told twice is better than never
    return True


def text_of(notice: NewsItem, ui: str) -> str:
    """What is sent: what happened, the most telling rows, what to type, where to
    click."""
    lines = [
        harmless(notice.says),
        *(f"- {harmless(row)}" for row in notice.shown_rows),
    ]
    commands = list(map(attrgetter("command"), notice.steps))
    if notice.family:
        commands.insert(0, f"crawloop inbox {notice.family}")
    lines += ["", *commands, *links_of(notice, ui)]
    return "\n".join(lines)


def links_of(notice: NewsItem, ui: str) -> list[str]:
    """Where to look in the UI, and the launchpads of the first verbs, filled in."""
    base = ui.rstrip("/")
    links = [f"{base}/assets/inbox"]
    if notice.kind is NewsKind.DRIFT:
        links.insert(0, f"{base}/assets/{notice.family}/records?view=checks")
    if notice.wave:
        links.insert(0, base + wave_address(notice.family, notice.wave))
    for step in list(filter(attrgetter("verb"), notice.steps))[:_LINKS]:
        links.append(launchpad_link(base, step.verb, dict(step.said)))
    return links


def launchpad_link(ui: str, verb: str, said: dict[str, object]) -> str:
    """The launchpad of a verb's job with everything said but who."""
    import yaml

    config = {"ops": {f"{verb}_op": {"config": {**said, "who": ""}}}}
    text = quote(yaml.safe_dump(config, sort_keys=False), safe="")
    return f"{ui}/locations/crawloop/jobs/{verb}/playground/setup?mode=default&config={text}"


def send_by_apprise(address: str, title: str, text: str) -> None:
    """Send by Apprise; ConfigError if it is not installed, or if the service did not
    take it. Its own log is not kept: it might name the address."""
    import logging

    try:
        import apprise
    except ImportError as error:
        raise ConfigError(
            "people are told by Apprise, which is not installed",
            hint="pip install 'crawloop-assets[notify]'",
        ) from error
    logging.getLogger("apprise").setLevel(logging.CRITICAL + 1)
    channel = apprise.Apprise(asset=apprise.AppriseAsset(async_mode=False))
    if not channel.add(address):
        raise ConfigError("its address is none that Apprise knows")
    if not channel.notify(
        body=text, title=title, body_format=apprise.NotifyFormat.TEXT
    ):
        raise ConfigError("the service did not take the message")
