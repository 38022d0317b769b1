"""What there is to tell."""

from datetime import UTC, datetime, timedelta

from crawloop_assets.desk.notices import NewsDesk, NewsItem, utc_now
from crawloop_assets.desk.receivers import NewsKind
from crawloop_assets.family import FamilyContract
from crawloop_assets.store import AccessOutcome, AuditKind, LlmCall
from tests.desk.conftest import NAME, Office
from tests.heal.stuck import PAGES, unlabelled, wave
from tests.heal.town import GOODS, good, new

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


def noticed(
    office: Office, since: datetime = LONG_AGO, later: timedelta = timedelta(0)
) -> dict[NewsKind, NewsItem]:
    desk = NewsDesk(office.store, [office.family], (), since, utc_now() + later)
    return {one.kind: one for one in desk.notices()}


def test_a_version_that_waits_needs_a_person(office: Office) -> None:
    found = noticed(office)
    assert set(found) == {NewsKind.NEEDS_PERSON}
    notice = found[NewsKind.NEEDS_PERSON]
    assert (
        notice.title == "needs you: town/good" and "v2 waits for review" in notice.says
    )
    assert notice.steps[0].command == f"crawloop approve {NAME} 2"
    assert noticed(office, utc_now()) == {}, "what was before is no news"


def test_a_question_is_told_and_not_the_heal_that_it_ends(office: Office) -> None:
    office.do("decline")
    office.town.read(GOODS, [unlabelled(at) for at in range(PAGES)])
    begun = utc_now()
    wave(office.town, "heal5", office.family)
    found = noticed(office, begun, timedelta(minutes=5))
    assert NewsKind.REFUSED not in found
    assert NewsKind.NEEDS_PERSON in found, office.store.audits(limit=9)
    assert "no version reads `price`" in found[NewsKind.NEEDS_PERSON].says


def test_a_heal_that_made_nothing_is_told_when_nothing_is_asked(
    office: Office,
) -> None:
    detail = {"wave": "heal7", "reason": "no evidence", "scores": {}}
    office.do("decline")
    office.store.audit(AuditKind.HEAL_FAILED, NAME, "r", detail)
    assert NewsKind.REFUSED not in noticed(office), "it may still ask"
    notice = noticed(office, later=timedelta(minutes=3))[NewsKind.REFUSED]
    assert notice.name == "refused:heal7" and "no evidence" in notice.says


def test_other_columns_are_told_with_what_became_of_them(office: Office) -> None:
    assert NewsKind.SCHEMA not in noticed(office), "a table that is new is no news"
    detail = {"table": "good", "columns": {"brand": "VARCHAR"}}
    office.store.audit(AuditKind.SCHEMA_CHANGED, NAME, None, detail)
    notice = noticed(office)[NewsKind.SCHEMA]
    assert "good are others; added or wider: brand; removed: none" in notice.says
    assert notice.steps[0].command == f"crawloop contract {NAME}"


def test_a_broken_contract_is_told_with_what_does_not_hold(office: Office) -> None:
    promised = FamilyContract(fresh_within=timedelta(microseconds=1))
    hasty = office.family.model_copy(update={"contract": promised})
    office.store.contracts.judge(office.family)
    assert NewsKind.CONTRACT not in noticed(office)
    office.store.contracts.judge(hasty)
    notice = noticed(office)[NewsKind.CONTRACT]
    assert f"0.0% of {PAGES} rows were found on their page within" in notice.says
    assert notice.steps[0].command == f"crawloop contract {NAME}"


def test_healed_is_told_when_everything_is_green(office: Office) -> None:
    detail = {"wave": "heal8", "outcome": "promoted", "version": 2, "previous": 1}
    office.store.audit(AuditKind.HEAL_FINISHED, NAME, "r", detail)
    assert NewsKind.HEALED not in noticed(office), "it is still red"
    office.do("approve")
    office.town.read(office.family, [new(GOODS, at, good(at)) for at in range(PAGES)])
    notice = noticed(office)[NewsKind.HEALED]
    assert notice.name == "healed:heal8" and "v2 reads the pages" in notice.says


def test_rows_that_stay_stale_a_used_budget_and_a_site_that_blocks(
    office: Office,
) -> None:
    office.town.read(GOODS, [unlabelled(at) for at in range(PAGES)])
    assert NewsKind.STALE not in noticed(office)
    stale = noticed(office, later=timedelta(days=2))[NewsKind.STALE]
    assert stale.says.startswith(f"{PAGES} of {PAGES} rows are stale, the oldest since")
    office.store.record_calls(LlmCall(family=NAME, purpose="serve", model="m", usd=0.6))
    file = office.project.families / "good.yaml"
    file.write_text(file.read_text().replace("review}", "review, budget_usd: 0.5}"))
    assert "$0.50" in noticed(office)[NewsKind.BUDGET].says
    outcomes = [
        AccessOutcome(domain="town.test:80", rung="plain", outcome=said, reason="403")
        for said in ("blocked", "ok", "blocked", "blocked")
    ]
    office.store.record_access(*outcomes[:2])
    assert NewsKind.BLOCKED not in noticed(office)
    office.store.record_access(*outcomes[2:])
    blocked = noticed(office)[NewsKind.BLOCKED]
    assert (
        blocked.says.startswith("town.test:80 blocks since") and "403" in blocked.says
    )
    assert blocked.steps[1].command == "crawloop pause town.test"
    office.store.record_access(outcomes[1])
    assert NewsKind.BLOCKED not in noticed(office)
