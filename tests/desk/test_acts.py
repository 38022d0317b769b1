"""What each verb does, on a real store with a version that waits for review."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Barrier

import pytest

from crawloop_assets.desk.acts import ACTS, perform, shadow_markdown
from crawloop_assets.desk.desk import Desk
from crawloop_assets.desk.verbs import VERBS, verb_named
from crawloop_assets.desk.words import FamilyWord
from crawloop_assets.errors import CompileFailed, ConfigError
from crawloop_assets.page import Verdict
from crawloop_assets.store import (
    AuditKind,
    FetchedPage,
    QuarantinedPage,
    QuestionState,
    Store,
)
from tests.desk.conftest import NAME, Office
from tests.heal.stuck import PAGES, unlabelled, wave
from tests.heal.town import good, new
from tests.store.conftest import NOON, commit


def status(office: Office) -> list[str]:
    return [version.status.value for version in office.store.crawlers(NAME)]


def test_each_verb_has_one_implementation() -> None:
    assert [verb.name for verb in VERBS] == list(ACTS)


def test_nobody_is_no_person(office: Office) -> None:
    with pytest.raises(ConfigError, match="nobody stands for this approve"):
        office.do("approve", who=" ")
    assert status(office) == ["active", "awaiting_review"]


def test_what_is_approved_serves_and_turns_the_family_green(office: Office) -> None:
    done = office.do("approve")
    assert (done.sentence, done.active) == (f"{NAME}: v2 is active", 2)
    assert status(office) == ["retired", "active"]
    (question,) = office.store.questions.all(NAME)
    assert (question.state, question.decided_by) == (QuestionState.ACCEPTED, "ada")
    office.town.read(
        office.family, [new(office.family, at, good(at)) for at in range(PAGES)]
    )
    assert office.red() == []
    (event,) = office.store.audits(NAME, AuditKind.CRAWLER_APPROVED)
    assert (event.run_id, event.detail["who"]) == ("run-desk", "ada")


def test_what_is_declined_is_never_proposed_again(office: Office) -> None:
    office.do("decline", version=2)
    assert status(office) == ["active", "rejected"]
    (question,) = office.store.questions.all(NAME)
    assert question.state is QuestionState.DECLINED
    made = wave(office.town, "heal1", office.family)
    assert made.outcome.value == "rejected" and "v2, which was declined" in made.reason
    assert status(office) == ["active", "rejected"]
    assert office.store.reviews.waiting(NAME) == []
    with pytest.raises(CompileFailed, match="declined"):
        office.do("heal")


def test_a_shadow_run_counts_what_differs_and_writes_no_record(office: Office) -> None:
    before = office.town.published(office.family)
    done = office.do("shadow")
    assert f"v2 beside v1 on {PAGES} stored pages" in done.sentence
    run = office.store.reviews.shadow(NAME, 2)
    assert run is not None and (run.pages, run.same, run.rows) == (PAGES, PAGES, ())
    assert run.firmer >= PAGES and run.weaker == 0, "what v1 merely guesses v2 knows"
    assert shadow_markdown(run) == done.details
    assert office.town.published(office.family) == before
    with pytest.raises(ConfigError, match="nothing that v1 could be beside"):
        office.do("shadow", version=1)
    with pytest.raises(ConfigError, match="no crawler version 7"):
        office.do("shadow", version=7)


def test_a_dry_run_keeps_nothing(office: Office) -> None:
    office.do("decline")
    events = len(office.store.audits(NAME))
    with pytest.raises(CompileFailed, match="declined"):
        office.do("heal", dry_run=True)
    assert len(office.store.audits(NAME)) == events
    assert len(office.store.crawlers(NAME)) == 2


def test_a_pinned_version_is_not_replaced_by_heals(office: Office) -> None:
    office.do("approve")
    office.do("pin", version=1)
    (office.project.families / "good.yaml").write_text(
        (office.project.families / "good.yaml").read_text().split("heal:")[0]
    )
    tried = office.do("heal", dry_run=True).sentence
    assert "v2 awaiting_review" in tried and "pinned to v1 by ada" in tried
    assert status(office) == ["active", "retired"], "it was only tried"
    assert office.do("heal").active is None
    assert status(office) == ["active", "awaiting_review"]
    (found,) = office.store.families.overviews([office.family])
    assert found.pinned == 1
    assert office.do("unpin").sentence.endswith("v1 is no longer pinned")


def test_rolled_back_promoted_and_pinned_by_name(office: Office) -> None:
    office.do("approve")
    assert office.do("rollback").active == 1
    with pytest.raises(ConfigError, match="no earlier version"):
        office.do("rollback")
    assert office.do("promote", version=2).active == 2
    assert office.do("pin").sentence == f"{NAME}: v2 is pinned; no heal replaces it"
    kinds = [event.kind.value for event in office.store.audits(NAME)][-3:]
    assert kinds == ["crawler_rolled_back", "crawler_promoted", "crawler_pinned"]


def test_a_retry_makes_due_what_could_not_be_had(office: Office) -> None:
    assert office.do("retry").sentence == f"{NAME}: nothing failed or was left out"
    url = office.store.frontier(NAME)[0].url
    blocked = FetchedPage(url=url, verdict=Verdict.BLOCKED, fetched_at=NOON)
    office.store.commit_batch(commit("r9", of=office.family, fetched=[blocked]))
    assert "1 page(s) of 1 batch(es)" in office.do("retry").sentence
    asked = office.store.url(NAME, url)
    assert asked is not None and asked.next_due is not None
    assert asked.next_due <= datetime.now(UTC)
    (event,) = office.store.audits(NAME, AuditKind.RETRY_ASKED)
    assert (event.detail["who"], event.detail["batches"]) == ("ada", ["000001"])


def test_held_pages_are_meant_by_id_or_by_what_holds_them(office: Office) -> None:
    first, *others = office.store.quarantine(NAME)
    with pytest.raises(ConfigError, match="name ids, or with --check"):
        office.do("reject")
    with pytest.raises(ConfigError, match="no page of town/good is meant"):
        office.do("reject", check="language")
    assert office.do("reject", ids=(first.id,)).sentence == "rejected 1 page(s)"
    check = others[0].reasons[0].check
    alike = [one for one in others if check in {why.check for why in one.reasons}]
    said = office.do("reject", check=check).sentence
    assert said == f"rejected {len(alike)} page(s)"


def half_read(office: Office) -> tuple[QuarantinedPage, QuarantinedPage]:
    """A held page of which nothing was read, and one of which something was."""
    office.town.read(office.family, [unlabelled(at) for at in range(PAGES - 1)])
    held = {one.url: one for one in office.store.quarantine(NAME)}
    empty, full = held[unlabelled(0).url], held[unlabelled(PAGES - 1).url]
    assert not any(empty.values) and any(full.values)
    return empty, full


def test_of_a_page_on_which_nothing_was_read_there_is_nothing_to_publish(
    office: Office,
) -> None:
    empty, full = half_read(office)
    why = f"nothing was read of 1 page.*nothing to publish.*crawloop teach {NAME}"
    with pytest.raises(ConfigError, match=why):
        office.do("release", ids=(empty.id,))
    assert office.do("release", ids=(empty.id, full.id)).sentence == (
        "published 1 record(s) of 1 page(s); nothing was read of 1 page(s), which stay held"
    )
    held = {one.id for one in office.store.quarantine(NAME)}
    assert empty.id in held and full.id not in held


def test_a_page_that_may_be_empty_is_released_as_such(office: Office) -> None:
    empty, _ = half_read(office)
    file = office.project.family_files()[0]
    file.write_text(f"{file.read_text()}drift: {{allow_empty: true}}\n")
    said = office.do("release", ids=(empty.id,)).sentence
    assert said == "published 0 record(s) of 1 page(s)"


def test_a_site_is_paused_and_it_is_written_down_by_whom(office: Office) -> None:
    for name in ("pause", "resume"):
        verb = verb_named(name)
        said = perform(verb, office.desk, verb.word(who="ada", host="town.test"))  # type: ignore[call-arg]
        assert said.sentence.startswith(f"town.test: {name}d")
    events = office.store.audits(limit=2)
    assert [event.kind for event in events] == [
        AuditKind.SITE_PAUSED,
        AuditKind.SITE_RESUMED,
    ]
    assert {event.detail["who"] for event in events} == {"ada"}


def test_of_two_people_who_decide_at_once_one_is_told_that_it_is_decided(
    office: Office,
) -> None:
    var, published = office.project.var, office.project.published
    both = Barrier(2)

    def decide(verb: str) -> str:
        desk = Desk(office.project, Store(var, published, wait_s=30))
        word = verb_named(verb).word(who=verb, family=NAME)  # type: ignore[call-arg]
        both.wait()
        try:
            return perform(verb_named(verb), desk, word).sentence
        except ConfigError as error:
            return f"no: {error}"

    with ThreadPoolExecutor(2) as pool:
        said = list(pool.map(decide, ("approve", "decline")))
    (refused,) = [one for one in said if one.startswith("no: ")]
    assert "waits for review" in refused
    kinds = {AuditKind.CRAWLER_APPROVED, AuditKind.CRAWLER_DECLINED}
    events = [one for one in office.store.audits(NAME) if one.kind in kinds]
    assert len(events) == 1 and office.store.questions.waiting(NAME) == []


NEEDED = {
    "promote": {"version": 1},
    "teach": {"field": "price", "value": "1"},
    "undo": {"lesson": "x"},
    "ignore": {"until": "2027-01-31"},
}


def test_nothing_is_done_or_noted_of_a_family_that_there_is_not(office: Office) -> None:
    before = len(office.store.audits(limit=1000))
    for verb in VERBS:
        if issubclass(verb.word, FamilyWord):
            with pytest.raises(ConfigError, match="no family 'town/none'"):
                office.do(verb.name, family="town/none", **NEEDED.get(verb.name, {}))
    assert len(office.store.audits(limit=1000)) == before


def test_a_question_is_not_put_off_until_a_day_that_is_over(office: Office) -> None:
    today = datetime.now(UTC).date().isoformat()
    for day in ("2020-01-01", today):
        with pytest.raises(ConfigError, match=f"{day} is over.* name a day to come"):
            office.do("ignore", until=day)
    (question,) = office.store.questions.waiting(NAME)
    assert question.state is QuestionState.OPEN


def test_a_person_says_of_a_record_that_it_has_no_value(office: Office) -> None:
    with pytest.raises(ConfigError, match="not both"):
        office.do("teach", field="maker", value="Ada", none=True)


def test_a_version_that_there_is_not_is_refused_whatever_its_number(
    office: Office,
) -> None:
    for verb in ("approve", "decline", "shadow", "promote", "rollback", "pin"):
        for number in (0, -1, 99):
            with pytest.raises(ConfigError, match="version"):
                office.do(verb, version=number)
    assert office.store.reviews.pins() == {}


def test_a_site_is_paused_though_the_store_is_damaged(office: Office) -> None:
    (file,) = office.project.var.glob("store-*.duckdb")
    file.write_bytes(b"no database")
    desk = Desk(office.project, Store(office.project.var, office.project.published))
    verb = verb_named("pause")
    said = perform(verb, desk, verb.word(who="ada", host="town.test"))  # type: ignore[call-arg]
    assert said.sentence.startswith("town.test: paused")
    assert "this is not in the audit" in said.sentence
