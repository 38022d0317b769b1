"""A page that changed, judged by the checks and by a plain rule."""

import pytest

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.eval.drifting import (
    DriftCase,
    PageReading,
    alarm_of,
    outcome_today,
    quiet_history,
    raised_by_plain_rule,
    refusals,
    watched_case,
)
from crawloop_assets.eval.gold import Gold
from crawloop_assets.eval.lost import PAGES
from crawloop_assets.eval.plan import Case
from crawloop_assets.eval.schemas import Product
from crawloop_assets.eval.score import Observation, Score
from crawloop_assets.eval.tasks import Task
from crawloop_assets.eval.watch import QUIET_DAYS, Notice
from crawloop_assets.page import Page
from crawloop_assets.schema import schema_of

SCHEMA = schema_of(Product)
CORE = frozenset({"price", "brand"})
GOLD: Gold = {"price": ("12.50", "12.49"), "brand": ("Acme",)}
NOTHING = Program(fields=())


def vote(agreement: float) -> FieldVote:
    return FieldVote(agreement=agreement, live_readers=2, readers=3)


def reading(votes: dict[str, FieldVote] | None = None, **values: str) -> Extraction:
    record = ExtractedRecord(values=dict(values), votes=votes or {})
    return Extraction(records=(record,))


def drift(*, unchanged: bool = False, learned: Gold = GOLD) -> DriftCase:
    case = Case(Task.DRIFT, ("old",), ("new",), unchanged=unchanged)
    return watched_case(case, SCHEMA, FamilyKind.DETAIL, CORE, NOTHING, [learned])


def seen(field: str, outcome: Score) -> Observation:
    return Observation(Task.DRIFT, "new", field, outcome)


def page(price: str = "12.50") -> Page:
    html = (
        "<html><body><h1>Kettle</h1><p>One of many kettles on sale here.</p>"
        f"<b>{price}</b><i>Acme</i></body></html>"
    )
    headers = {"content-type": "text/html; charset=utf-8"}
    return Page(url="https://shop.example/1", body=html.encode(), headers=headers)


def test_only_core_fields_that_were_learned_are_required() -> None:
    watch = drift(learned={"price": ("1",), "sku": ("A",)}).watch
    required = {spec.name for spec in watch.schema.fields if spec.required}
    assert required == {"price"}


@pytest.mark.parametrize(
    ("outcomes", "broken", "silent", "right"),
    [
        ((Score.RIGHT, Score.RIGHT), False, False, True),
        ((Score.RIGHT, Score.WRONG), True, True, False),
        ((Score.NONE, Score.WRONG), True, False, False),
    ],
)
def test_a_page_is_broken_when_a_core_field_is(
    outcomes: tuple[Score, Score], broken: bool, silent: bool, right: bool
) -> None:
    observations = [
        seen("price", outcomes[0]),
        seen("brand", outcomes[1]),
        seen("sku", Score.WRONG),
    ]
    found = reading(price="12.50", brand="Acme")
    notice = Notice(True, None, ("why",))
    alarm = alarm_of(drift(), PageReading("new", found, observations, [GOLD]), notice)
    assert (alarm.broken, alarm.silent, alarm.right) == (broken, silent, right)
    assert (alarm.page, alarm.raised, alarm.why) == ("new", True, ("why",))
    assert not alarm.unchanged and not alarm.plain


def test_a_core_field_that_was_not_read_makes_a_page_not_right() -> None:
    found = PageReading("new", reading(price="12.50"), [], [GOLD])
    alarm = alarm_of(drift(unchanged=True), found, Notice(False, None, ()))
    assert (alarm.broken, alarm.right, alarm.plain) == (False, False, True)
    assert alarm.unchanged and alarm.kept is None and alarm.fresh == ()


def test_what_is_fresh_of_a_page_that_is_served_in_part_is_scored() -> None:
    """What keeps its known value is not, nor is what was not read."""
    scores = {"price": Score.RIGHT, "brand": Score.WRONG}
    scores |= {"sku": Score.WRONG, "mpn": Score.NONE}
    observations = [seen(name, score) for name, score in scores.items()]
    found = PageReading("new", reading(price="12.50"), observations, [GOLD])
    notice = Notice(False, frozenset(("brand",)), ())
    alarm = alarm_of(drift(), found, notice)
    assert alarm.kept == {"brand"} and alarm.fresh == (True, False)
    assert alarm.broken and alarm.raised, "what is wrong of its core is not published"
    other = alarm_of(drift(), found, Notice(False, frozenset(("sku",)), ()))
    assert other.broken and not other.raised


@pytest.mark.parametrize(
    ("extraction", "raised"),
    [
        (Extraction(), True),
        (reading(price="1", brand="A"), False),
        (reading(price="1"), True),
        (reading({"price": vote(0.4), "brand": vote(1)}, price="1", brand="A"), True),
        (reading({"price": vote(0.5), "brand": vote(1)}, price="1", brand="A"), False),
        (
            reading(
                {"price": vote(0.4), "a": vote(1), "b": vote(1), "c": vote(1)},
                price="1",
                brand="A",
            ),
            False,
        ),
    ],
)
def test_the_plain_rule(extraction: Extraction, raised: bool) -> None:
    assert raised_by_plain_rule(extraction, CORE) is raised


def test_after_a_redesign_the_last_known_record_is_the_gold_one() -> None:
    found = reading(price="99.00", brand="Acme")
    changed = outcome_today(drift(), page(), found, [GOLD])
    assert changed.previous == ({"price": "12.50", "brand": "Acme"},)
    quiet = outcome_today(drift(unchanged=True), page(), found, [GOLD])
    assert quiet.previous == ({"price": "99.00", "brand": "Acme"},)


def test_a_history_is_ten_quiet_days() -> None:
    found = reading(price="12.50", brand="Acme")
    history = quiet_history(drift(), [(page(), found)])
    assert len(history) == QUIET_DAYS
    assert not any(day.drifted for day in history)


def test_pages_that_took_the_place_of_the_wanted_one_are_refused() -> None:
    case = drift()
    found = reading(price="12.50", brand="Acme")
    history = quiet_history(case, [(page(), found)])
    refused = refusals(case, page(), [{"price": "12.50", "brand": "Acme"}], history)
    assert [refusal.page for refusal in refused] == list(PAGES)
    assert all(refusal.refused and refusal.why == "" for refusal in refused)
