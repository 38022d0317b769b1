"""Questions are asked once and decided once; lessons are kept until they are undone."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.store import (
    AuditKind,
    NewCrawler,
    NewLesson,
    NewQuestion,
    Question,
    QuestionCandidate,
    QuestionKind,
    QuestionState,
    RedEvidence,
    Store,
)

SINCE = datetime(2026, 11, 20, 5, tzinfo=UTC)
LAYOUT = tuple(range(100))
OTHER_LAYOUT = tuple(range(500, 600))
FAMILY = "shop/item"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "var", tmp_path / "crawloop.duckdb")


def new(*fields: str, layout: tuple[int, ...] = LAYOUT, **more: str) -> NewQuestion:
    return NewQuestion(
        family=more.get("family", FAMILY),
        kind=QuestionKind.GONE,
        fields=fields,
        sentence=f"{fields} is on no page",
        since=SINCE,
        wave="heal0",
        url="http://shop.test/1",
        page_sha256="ab",
        candidates=(QuestionCandidate(tried="v1", field=fields[0], known="3"),),
        evidence=RedEvidence(fields=tuple(sorted(fields)), layouts=(layout,)),
    )


def ask(store: Store, question: NewQuestion) -> Question:
    asked = store.questions.ask(question, "run-1")
    assert asked is not None
    return asked


def states(store: Store) -> list[QuestionState]:
    return [one.state for one in store.questions.all()]


def test_a_question_is_kept_as_it_was_asked(store: Store) -> None:
    asked = ask(store, new("stock"))
    assert store.questions.one(asked.id) == asked
    assert (
        asked.model_dump(include=set(NewQuestion.model_fields))
        == new("stock").model_dump()
    )
    assert asked.state is QuestionState.OPEN and asked.decided_at is None
    with pytest.raises(ConfigError, match="no question has the id 'x'"):
        store.questions.one("x")


def test_the_same_is_asked_once(store: Store) -> None:
    ask(store, new("stock", "maker"))
    assert store.questions.ask(new("stock")) is None
    assert store.questions.ask(new("stock", "maker")) is None
    assert len(store.audits(FAMILY, AuditKind.QUESTION_ASKED)) == 1
    ask(store, new("stock", family="shop/other"))


@pytest.mark.parametrize(
    "other", [new("price"), new("stock", layout=OTHER_LAYOUT)], ids=["field", "layout"]
)
def test_something_else_takes_its_place(store: Store, other: NewQuestion) -> None:
    ask(store, new("stock"))
    ask(store, other)
    assert states(store) == [QuestionState.WITHDRAWN, QuestionState.OPEN]
    (waiting,) = store.questions.waiting(FAMILY)
    assert waiting.fields == other.fields


def test_what_is_red_now_is_what_was_asked_about_or_not(store: Store) -> None:
    asked = ask(store, new("stock"))
    assert asked.covers(RedEvidence(fields=("stock",), layouts=(LAYOUT,)))
    assert asked.covers(RedEvidence())
    assert not asked.covers(RedEvidence(fields=("price", "stock")))
    assert not asked.covers(RedEvidence(layouts=(LAYOUT, OTHER_LAYOUT)))
    assert not asked.covers(RedEvidence(still_shown=("stock",)))
    shown = asked.evidence.model_copy(update={"still_shown": ("stock",)})
    assert asked.model_copy(update={"evidence": shown}).covers(shown)


def test_a_question_is_about_what_the_file_said_when_it_was_asked(
    store: Store,
) -> None:
    evidence = RedEvidence(fields=("stock",), layouts=(LAYOUT,), declared="1")
    asked = ask(store, new("stock").model_copy(update={"evidence": evidence}))
    assert asked.covers(evidence)
    unknown = evidence.model_copy(update={"declared": ""})
    assert asked.covers(unknown), "nobody knows whether it has changed"
    assert not asked.covers(evidence.model_copy(update={"declared": "2"}))


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        (QuestionState.ACCEPTED, AuditKind.QUESTION_ACCEPTED),
        (QuestionState.TAUGHT, AuditKind.QUESTION_TAUGHT),
    ],
)
def test_it_is_decided_once_by_somebody_who_is_named(
    store: Store, state: QuestionState, kind: AuditKind
) -> None:
    asked = ask(store, new("stock"))
    by = {"who": "ada", "why": "they say so"}
    store.questions.decide(asked, state, by, "run-2")
    found = store.questions.one(asked.id)
    assert (found.state, found.decided_by, found.why) == (state, "ada", "they say so")
    assert found.decided_at is not None and store.questions.waiting() == []
    (event,) = store.audits(FAMILY, kind)
    assert event.run_id == "run-2"
    assert event.detail == {"question": asked.id, "fields": ["stock"], **by}
    with pytest.raises(ConfigError, match="decided already"):
        store.questions.decide(asked, state, by)


def test_what_is_put_off_waits_until_its_day(store: Store) -> None:
    asked = ask(store, new("stock"))
    until = datetime.now(UTC) + timedelta(days=1)
    by = {"who": "ada", "why": "", "until": until}
    store.questions.decide(asked, QuestionState.IGNORED, by)
    (waiting,) = store.questions.waiting()
    assert waiting.until == until
    assert store.questions.ask(new("stock")) is None
    assert not waiting.stands(until + timedelta(seconds=1))


def test_what_was_put_off_until_yesterday_is_asked_again(store: Store) -> None:
    asked = ask(store, new("stock"))
    by = {"until": datetime.now(UTC) - timedelta(days=1)}
    store.questions.decide(asked, QuestionState.IGNORED, by)
    assert store.questions.waiting() == []
    ask(store, new("stock"))


def test_a_question_is_withdrawn_when_nobody_has_to_decide(store: Store) -> None:
    assert not store.questions.withdraw(FAMILY, "green")
    asked = ask(store, new("stock"))
    assert store.questions.withdraw(FAMILY, "green")
    assert store.questions.one(asked.id).why == "green"
    assert states(store) == [QuestionState.WITHDRAWN]


def test_an_acceptance_ends_when_a_field_returns(store: Store) -> None:
    asked = ask(store, new("stock", "maker"))
    store.questions.decide(asked, QuestionState.ACCEPTED, {"who": "ada"})
    assert [one.id for one in store.questions.accepted(FAMILY)] == [asked.id]
    store.questions.returned(FAMILY, {"price"})
    assert store.questions.accepted(FAMILY)
    store.questions.returned(FAMILY, {"stock"})
    assert store.questions.accepted(FAMILY) == []
    assert store.questions.one(asked.id).why == "stock is shown again"


def lesson(value: object = "51.77", **more: str) -> NewLesson:
    fields = {"field": "price", "url": "http://shop.test/1", "page_sha256": "ab"}
    return NewLesson(family=FAMILY, value=value, who="ada", **fields | more)


def test_a_lesson_is_kept_with_who_taught_it(store: Store) -> None:
    taught = store.questions.teach(lesson(["a", 3]), "run-1")
    assert store.questions.lessons(FAMILY) == [taught]
    assert taught.value == ["a", 3] and taught.version is None
    (event,) = store.audits(FAMILY, AuditKind.LESSON_TAUGHT)
    assert (event.detail["who"], event.detail["lesson"]) == ("ada", taught.id)
    store.questions.learned([taught], 4)
    store.questions.learned([taught], 5)
    (found,) = store.questions.lessons(FAMILY)
    assert found.version == 4


def test_a_later_lesson_of_the_same_value_takes_its_place(store: Store) -> None:
    store.questions.teach(lesson("1"))
    other = store.questions.teach(lesson("2", url="http://shop.test/2"))
    again = store.questions.teach(lesson("3"))
    assert store.questions.lessons(FAMILY) == [other, again]
    assert len(store.questions.lessons(FAMILY, undone=True)) == 3


def test_a_lesson_is_undone_once(store: Store) -> None:
    taught = store.questions.teach(lesson())
    store.questions.undo(FAMILY, taught.id, "bob")
    assert store.questions.lessons(FAMILY) == []
    (undone,) = store.questions.lessons(FAMILY, undone=True)
    assert undone.undone_by == "bob"
    assert len(store.audits(FAMILY, AuditKind.LESSON_UNDONE)) == 1
    with pytest.raises(ConfigError, match="undone already"):
        store.questions.undo(FAMILY, taught.id, "bob")


def test_a_family_that_is_removed_asks_and_learns_nothing(store: Store) -> None:
    ask(store, new("stock"))
    store.questions.teach(lesson())
    store.add_crawler(NewCrawler(family=FAMILY, body="one"))
    store.families.remove(FAMILY, "ada")
    assert states(store) == [QuestionState.WITHDRAWN]
    assert store.questions.lessons(FAMILY) == []


def test_the_last_answer_of_a_version_says_which_evidence_is_ahead(
    store: Store,
) -> None:
    for at, kind in enumerate(("stated", "shown", "")):
        asked = ask(store, new(f"field{at}"))
        by = {"who": "ada", "version": 1} | ({"ahead": kind} if kind else {})
        store.questions.decide(asked, QuestionState.TAUGHT, by)
    assert store.questions.ahead(FAMILY, 1)["ahead"] == "shown"
    assert store.questions.ahead(FAMILY, 2) == {}
    assert store.questions.ahead("shop/other", 1) == {}
    store.questions.decide(
        ask(store, new("stock")), QuestionState.ACCEPTED, {"who": "ada"}
    )
    ignored = ask(store, new("brand"))
    store.questions.decide(ignored, QuestionState.IGNORED, {"until": SINCE})
    assert len(store.questions.answered(FAMILY)) == 4
