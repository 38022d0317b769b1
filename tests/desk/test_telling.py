"""People are told once, by real services on this machine, whoever noticed it; nothing of a page rings a bell."""

import email
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email import policy
from typing import Any

import pytest
import yaml
from apprise.plugins.slack import NotifySlack

from crawloop_assets.desk.notices import NewsItem
from crawloop_assets.desk.receivers import NewsKind
from crawloop_assets.desk.telling import (
    launchpad_link,
    links_of,
    send_by_apprise,
    tell,
    tell_trouble,
    text_of,
    try_receivers,
)
from crawloop_assets.errors import CommitsLost, ConfigError
from crawloop_assets.report.shelf import Reports, wave_address
from crawloop_assets.store import AuditKind, ShadowRow, Store
from tests.desk.conftest import NAME, Office
from tests.desk.post import PostOffice, post_office

SECRET = "T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ"


@pytest.fixture
def post() -> Iterator[PostOffice]:
    with post_office() as office:
        yield office


@pytest.fixture
def told(
    office: Office, post: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> PostOffice:
    """Three receivers, and a wave that has begun."""
    monkeypatch.setattr(NotifySlack, "webhook_url", f"http://{post.http}/services")
    monkeypatch.setenv("TO_TEAM", f"slack://{SECRET}/#crawl")
    monkeypatch.setenv("TO_HOOK", f"json://{post.http}/hook")
    monkeypatch.setenv(
        "TO_MAIL",
        f"mailto://127.0.0.1:{post.smtp}?from=crawl@shop.test&to=ada@shop.test",
    )
    write(office, team={}, hook={}, mail={})
    office.store.messages.begun()
    begin(office, "heal9")
    return post


def write(office: Office, quiet: Any = None, **receivers: Any) -> None:
    """notify.yaml."""
    listed = {
        name: {"url_env": f"TO_{name.upper()}", **more}
        for name, more in receivers.items()
    }
    file = {"ui": "http://ui.test:3000/", "receivers": listed}
    if quiet:
        file["quiet"] = quiet
    (office.project.root / "notify.yaml").write_text(yaml.safe_dump(file))


def begin(office: Office, wave: str) -> None:
    """A heal wave begins over batches that three runs judged."""
    (red,) = office.store.past.red(NAME)
    run = office.store.quarantine(NAME)[0].run_id
    detail = {"wave": wave, "batches": dict.fromkeys((red.batch, "2", "3"), run)}
    office.store.audit(AuditKind.WAVE_STARTED, NAME, None, detail)


def test_a_wave_is_told_once_to_slack_a_webhook_and_by_mail(
    told: PostOffice, office: Office
) -> None:
    done = tell(office.project, office.store)
    assert len(done.sent) == 3 and done.trouble == ()
    by_path = dict(told.posts)
    assert sorted(by_path) == ["/hook", f"/services/{SECRET}"]
    slack = by_path[f"/services/{SECRET}"]
    assert "drift: town/good" in str(slack) and "3 batch(es) are red" in str(slack)
    message = by_path["/hook"]["message"]
    assert message.count(" is read as ") == 2, "the two most telling rows"
    assert f"crawloop inbox {NAME}" in message
    assert f"http://ui.test:3000/assets/{NAME}/records?view=checks" in message
    page = Reports(office.project.var).of_wave(NAME, "heal9")
    link = f"http://ui.test:3000{wave_address(NAME, 'heal9')}"
    assert link in message, "one click from the message to what happened"
    said = page.read_text()
    for part in ("What happened", "check", "kept", "last good rows", "what to do"):
        assert part in said
    assert "a heal is under way" in said
    (mail,) = told.mails
    parsed = email.message_from_string(mail, policy=policy.default)
    assert parsed["subject"] == "drift: town/good"
    body = parsed.get_body(("plain",))
    assert body is not None and "3 batch(es) are red" in body.get_content()


def test_however_many_processes_notice_it_each_is_told_once(
    told: PostOffice, office: Office
) -> None:
    stores = [
        Store(office.project.var, office.project.published, wait_s=30) for _ in range(4)
    ]
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda store: tell(office.project, store), stores))
    assert sum(len(one.sent) for one in done) == 3
    begin(office, "heal9")
    assert tell(office.project, office.store).sent == (), "the same wave again"
    begin(office, "heal10")
    assert len(tell(office.project, office.store).sent) == 3
    assert (len(told.posts), len(told.mails)) == (4, 2)


def test_a_service_that_fails_is_tried_again_and_its_address_is_said_nowhere(
    told: PostOffice,
    office: Office,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told.broken = True
    write(office, team={})
    done = tell(office.project, office.store)
    assert done.sent == () and done.trouble == (
        "team: drift: town/good: the service did not take the message",
    )
    assert tell(office.project, office.store).trouble == (), "not at once"
    told.broken = False
    then = datetime.now(UTC) + timedelta(minutes=3)
    monkeypatch.setattr("crawloop_assets.store.messages.now", lambda: then)
    assert tell(office.project, office.store).sent == ("team: drift: town/good",)
    assert SECRET[:9] not in caplog.text + str(done)
    office.store.publish()
    for file in (office.project.root).rglob("*.duckdb*"):
        assert SECRET.encode() not in file.read_bytes()


def test_a_receiver_is_told_what_it_asks_for(told: PostOffice, office: Office) -> None:
    write(
        office,
        hook={"kinds": ["healed"]},
        team={"families": ["shop/*"]},
        mail={"families": ["town/*"]},
    )
    assert tell(office.project, office.store).sent == ("mail: drift: town/good",)


def test_quiet_hours_put_off_what_can_wait(
    told: PostOffice, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet = {"from": "22:00", "until": "07:00", "zone": "Europe/Berlin"}
    write(office, quiet, hook={})
    night = datetime(2026, 11, 22, 22, 30, tzinfo=UTC)
    monkeypatch.setattr("crawloop_assets.desk.telling.utc_now", lambda: night)
    assert tell(office.project, office.store).sent == ()
    trouble = tell_trouble(office.project, CommitsLost("commit 7 is lost"))
    assert trouble.sent == ("hook: trouble with the store: the project",)
    assert tell_trouble(office.project, CommitsLost("commit 7 is lost")).sent == ()
    morning = night + timedelta(hours=9)
    monkeypatch.setattr("crawloop_assets.desk.telling.utc_now", lambda: morning)
    assert tell(office.project, office.store).sent == ("hook: drift: town/good",)


def test_what_is_missing_is_said_without_a_word_of_the_address(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert tell(office.project, office.store).sent == (), "there is no file"
    write(office, hook={}, team={})
    monkeypatch.setenv("TO_TEAM", "nobody://knows/this")
    done = try_receivers(office.project)
    assert done.trouble == (
        "hook: TO_HOOK is not set to an address. such as slack://…, workflows://…, mailtos://… or jsons://…",
        "team: its address is none that Apprise knows",
    )
    monkeypatch.setitem(__import__("sys").modules, "apprise", None)
    with pytest.raises(ConfigError, match=r"pip install 'crawloop-assets\[notify\]'"):
        send_by_apprise("json://x", "a", "b")


def test_a_page_cannot_ring_a_bell_or_make_a_link() -> None:
    row = ShadowRow(
        url="http://shop.test/1", field="title", after="<!channel> @here\n[x](y)"
    )
    notice = NewsItem("n", NewsKind.DRIFT, "shop/product", "red", (row,))
    text = text_of(notice, "http://ui.test")
    assert "<!channel>" not in text and "@here" not in text and "[x]" not in text
    assert "‹!channel› ＠here (x)(y)" in text


def test_links_lead_to_the_checks_and_to_launchpads_that_are_filled_in(
    told: PostOffice, office: Office
) -> None:
    notice = NewsItem("n", NewsKind.DRIFT, "shop/product", "red")
    assert links_of(notice, "http://ui.test/") == [
        "http://ui.test/assets/shop/product/records?view=checks",
        "http://ui.test/assets/inbox",
    ]
    about = NewsItem("n", NewsKind.HEALED, "shop/product", "green", wave="heal-1")
    assert links_of(about, "http://ui.test")[0] == (
        f"http://ui.test{wave_address('shop/product', 'heal-1')}"
    )
    link = launchpad_link("http://ui.test", "approve", {"family": "a", "version": 2})
    assert link.startswith(
        "http://ui.test/locations/crawloop/jobs/approve/playground/setup?mode=default&config=ops%3A"
    )
    assert "family%3A%20a" in link and "who%3A%20%27%27" in link


def test_trouble_is_told_though_nothing_can_be_written(
    told: PostOffice, office: Office
) -> None:
    write(office, hook={})
    (office.project.var / "told").write_text("a file is in the way")
    for _ in range(2):
        assert len(tell_trouble(office.project, CommitsLost("lost")).sent) == 1


def test_a_megabyte_of_a_page_is_a_short_message() -> None:
    row = ShadowRow(url="u", field="f", before="a" * 10**6, after="\x1b[2J" * 10**5)
    notice = NewsItem("n", NewsKind.DRIFT, "a", "b\n" * 10**6, (row,))
    text = text_of(notice, "http://ui.test")
    assert len(text) < 5000 and "\x1b" not in text


def test_a_family_whose_file_broke_after_a_wave_is_told_without_a_report(
    told: PostOffice, office: Office
) -> None:
    (office.project.families / "good.yaml").write_text(f"family: {NAME}\nno: 1\n")
    write(office, hook={"kinds": ["needs_person"]})
    (said,) = tell(office.project, office.store).sent
    assert said == f"hook: needs you: {NAME}"
