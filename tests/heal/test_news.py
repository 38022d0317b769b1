"""Another value on all pages, against which something speaks: one question, and its answer."""

from pathlib import Path

import pytest

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.heal.lessons import Decisions, PersonSays
from crawloop_assets.heal.news import (
    SameList,
    doubted,
    doubted_alone,
    held_by_themselves,
    held_for,
    held_with_batch,
    resting,
    said_otherwise,
    same_list,
)
from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.store import (
    AuditKind,
    BatchCommit,
    HeldPage,
    HeldReason,
    HeldState,
    NewLesson,
    QuestionKind,
    QuestionState,
)
from tests.heal.stuck import PAGES, asked, town_of_goods, wave
from tests.heal.town import GOODS, MAKERS, NAMES, Town, good, old

KNOWN = {"title": NAMES, "maker": MAKERS}


def renamed(at: int, field: str = "title", name: str = "") -> Page:
    """A good that is called otherwise, or its maker is, among the names of all."""
    known = KNOWN[field]
    page = old(GOODS, at, good(at, **{field: name or f"{known[at]} of Harlow"}))
    names = [*known[at // 2 :], *known[: at // 2]]
    listed = "".join(f"<li>{name.replace('&', '&amp;')}</li>" for name in names)
    body = page.body.replace(b"</main>", f"<ul>{listed}</ul></main>".encode())
    return page.model_copy(update={"body": body})


RENAMED = {f"{name} of Harlow" for name in NAMES[:PAGES]}


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """Goods that were renamed, whose wave ended in a question."""
    town = town_of_goods(tmp_path)
    served = town.read(GOODS, [renamed(at) for at in range(PAGES)])
    assert served.judgement.drifted
    wave(town)
    return town


def titles(town: Town) -> set[str]:
    return {str(row["title"]) for row in town.published(GOODS).values()}


def test_it_is_asked_in_one_sentence_and_once(town: Town) -> None:
    question = asked(town)
    assert (question.kind, question.fields) == (QuestionKind.NEWS, ("title",))
    day = f"{question.since:%Y-%m-%d}"
    assert question.sentence == (
        f"`title` says something else on {PAGES} of {PAGES} pages since {day}: "
        "accept as news, or show where it is"
    )
    assert {one.field for one in question.candidates} == {"title"}
    for name in ("heal1", "heal2"):
        town.read(GOODS, [renamed(at) for at in range(PAGES)])
        wave(town, name)
    assert asked(town) == question
    assert titles(town) == set(NAMES[:PAGES])


def test_a_heal_that_leaves_the_field_out_ends_in_the_same_question(
    tmp_path: Path,
) -> None:
    """The version without the maker does not make what the other one reads go away."""
    town = town_of_goods(tmp_path)
    pages = [renamed(at, "maker") for at in range(PAGES)]
    for name in ("heal0", "heal1"):
        assert town.read(GOODS, pages).judgement.drifted
        wave(town, name)
    assert asked(town).fields == ("maker",)
    Decisions(GOODS, town.store).accept("ada")
    assert not town.read(GOODS, pages).judgement.drifted
    rows = town.published(GOODS).values()
    assert all(str(row["maker"]).endswith(" of Harlow") for row in rows)


def test_what_is_accepted_is_published_and_green(town: Town) -> None:
    question = Decisions(GOODS, town.store).accept("ada", "a new range")
    assert question.accepts is QuestionKind.NEWS
    assert titles(town) == RENAMED
    assert town.store.quarantine(GOODS.family, HeldState.HELD) == []
    served = town.read(GOODS, [renamed(at) for at in range(PAGES)])
    assert all(check.passed for check in served.judgement.checks)
    assert titles(town) == RENAMED
    assert asked(town).state is QuestionState.ACCEPTED
    (event,) = town.store.audits(GOODS.family, AuditKind.QUARANTINE_RELEASED)
    assert (event.detail["who"], event.detail["why"]) == ("ada", "a new range")


def test_who_shows_what_is_read_already_accepts_it(town: Town) -> None:
    """To make a version of it would change nothing, and the same be asked again."""
    decisions, before = Decisions(GOODS, town.store), town.store.active(GOODS.family)
    said = PersonSays("title", "ada", f"{NAMES[0]} of Harlow", why="I looked")
    made = decisions.teach(said, default_pool())
    assert made.outcome is RegenerationOutcome.NOTHING_TO_DO
    assert made.reason == "title is read as you say: title accepted as news"
    assert titles(town) == RENAMED
    assert asked(town).state is QuestionState.ACCEPTED
    assert town.store.active(GOODS.family) == before
    assert not town.read(GOODS, list(map(renamed, range(PAGES)))).judgement.drifted


@pytest.mark.parametrize(
    ("value", "others", "field"),
    [
        (NAMES[0], {}, "title"),
        ("Pot of Harlow", dict.fromkeys(range(PAGES), "Pot of Harlow"), "title"),
        (MAKERS[0], {}, "maker"),
    ],
    ids=["another value", "what other pages say too", "another field"],
)
def test_who_shows_another_thing_accepts_nothing(
    tmp_path: Path, value: str, others: dict[int, str], field: str
) -> None:
    town = town_of_goods(tmp_path)
    pages = [renamed(at, name=others.get(at, "")) for at in range(PAGES)]
    assert town.read(GOODS, pages).judgement.drifted
    wave(town)
    Decisions(GOODS, town.store).teach(PersonSays(field, "ada", value), default_pool())
    assert asked(town).state is not QuestionState.ACCEPTED
    assert titles(town) == set(NAMES[:PAGES])


def test_the_field_is_watched_as_before(town: Town) -> None:
    """Accepted is what it says now, not whatever it will say."""
    Decisions(GOODS, town.store).accept("ada")
    others = []
    for at in range(PAGES):
        page = old(GOODS, at, good(at, title=f"Thing {at}"))
        known = f"<p>{NAMES[at]} of Harlow</p></main>".encode()
        body = page.body.replace(b"</main>", known)
        others.append(page.model_copy(update={"body": body}))
    assert town.read(GOODS, others).judgement.drifted
    assert titles(town) == RENAMED


def test_what_is_held_and_says_otherwise_is_counted(town: Town) -> None:
    found = said_otherwise(GOODS, town.store)
    assert (found.held, dict(found.pages)) == (PAGES, {"title": PAGES})


@pytest.mark.parametrize(
    ("reasons", "is_let_go"),
    [
        ([("history", "title")], True),
        ([("history", "title"), ("votes", "maker")], True),
        ([("history", "title"), ("history", "price")], True),
        ([("batch", "")], True),
        ([("history", "title"), ("history", "maker")], False),
        ([("contradiction", "price")], False),
    ],
)
def test_what_another_value_is_held_for_stays_held(
    town: Town, reasons: list[tuple[str, str]], is_let_go: bool
) -> None:
    """Of the page the title and the maker are other ones, and the price is not."""
    page = renamed(0)
    against = [HeldReason(check=check, field=name) for check, name in reasons]
    values = good(0, title="Another lamp", maker="Somebody else")
    held = HeldPage(
        url=page.url, page_sha256="a" * 64, version=1, reasons=against, values=[values]
    )
    town.store.commit_batch(
        BatchCommit(family=GOODS, batch="000001", run_id="by hand", held=[held])
    )
    found = {entry.url for entry in held_for(GOODS, town.store, ["title"])}
    assert (page.url in found) is is_let_go


@pytest.mark.parametrize(
    ("reasons", "is_so"),
    [
        ([("batch", "")], True),
        ([("batch", ""), ("consistency", "page")], True),
        ([("batch", ""), ("history", "title")], False),
    ],
)
def test_pages_that_are_held_with_their_batch_alone_can_be_accepted(
    tmp_path: Path, reasons: list[tuple[str, str]], is_so: bool
) -> None:
    town, page = town_of_goods(tmp_path), renamed(0)
    against = [HeldReason(check=check, field=name) for check, name in reasons]
    assert not held_with_batch(GOODS, town.store), "nothing is held"
    held = HeldPage(
        url=page.url,
        page_sha256="a" * 64,
        version=1,
        reasons=against,
        values=[good(0, title="Another lamp")],
    )
    commit = BatchCommit(family=GOODS, batch="000001", run_id="by hand", held=[held])
    town.store.commit_batch(commit)
    assert held_with_batch(GOODS, town.store) is is_so
    of_itself = set() if is_so else {page.url}
    assert held_by_themselves(GOODS, town.store) == of_itself
    let_go = [entry.url for entry in held_for(GOODS, town.store, ())]
    assert let_go == ([page.url] if is_so else [])


@pytest.mark.parametrize("version", [1, None])
def test_what_a_person_said_of_a_page_is_no_news_of_it(
    town: Town, version: int | None
) -> None:
    page = renamed(0)
    said = NewLesson(
        family=GOODS.family,
        field="title",
        value=f"{NAMES[0]} of Harlow",
        url=page.url,
        page_sha256=page.sha256,
        who="ada",
    )
    questions = town.store.questions
    lesson = questions.teach(said)
    if version is not None:
        questions.learned([lesson], version)
    news = said_otherwise(GOODS, town.store)
    assert news.held == PAGES
    # A lesson of which nothing was made says nothing of what is read.
    assert news.pages["title"] == PAGES - (version is not None)


def test_what_pages_are_held_for_whatever_was_known_is_doubted(tmp_path: Path) -> None:
    town = town_of_goods(tmp_path)
    page = old(GOODS, 0, good(0))
    said = "title of a new row has no word in common with its link: 9 of 9"
    reasons = [
        HeldReason(check="history", field="maker", message="maker is different"),
        HeldReason(check="batch", message="the length of title is off"),
        HeldReason(check="votes", field="price", message="readers disagree"),
        HeldReason(
            check="consistency",
            field="title",
            message=f"{said} (chance of a false alarm 6e-06)",
        ),
    ]
    held = HeldPage(
        url=page.url, page_sha256=page.sha256, version=1, reasons=reasons, values=[{}]
    )
    commit = BatchCommit(family=GOODS, batch="000001", run_id="run-8", held=[held])
    town.store.commit_batch(commit)
    assert doubted(GOODS, town.store) == {"title": said}


def test_two_fields_that_are_compared_are_both_doubted(tmp_path: Path) -> None:
    town = town_of_goods(tmp_path)
    page = old(GOODS, 0, good(0))
    said = "price equals stock: 4 of 9"
    reasons = [
        HeldReason(check="consistency", field="price equals stock", message=said)
    ]
    held = HeldPage(
        url=page.url, page_sha256=page.sha256, version=1, reasons=reasons, values=[{}]
    )
    commit = BatchCommit(family=GOODS, batch="000001", run_id="run-8", held=[held])
    town.store.commit_batch(commit)
    assert doubted(GOODS, town.store) == {"price": said, "stock": said}
    assert doubted_alone(GOODS, town.store) == {"price": said, "stock": said}
    for fields, is_let_go in ((("stock",), True), (("title",), False)):
        let_go = list(held_for(GOODS, town.store, fields))
        assert bool(let_go) is is_let_go


@pytest.mark.parametrize(
    ("against", "values", "is_alone"),
    [
        ([("distribution", "title")], [{}], True),
        ([("distribution", "title"), ("votes", "price"), ("batch", "")], [{}], True),
        ([("distribution", "title")], [], False),
        ([("distribution", "title"), ("schema", "maker")], [{}], False),
        ([("distribution", "title"), ("distribution", "")], [{}], False),
        ([("history", "title")], [{}], False),
        ([("batch", "")], [{}], False),
    ],
)
def test_what_is_doubted_alone(
    tmp_path: Path,
    against: list[tuple[str, str]],
    values: list[dict[str, str]],
    is_alone: bool,
) -> None:
    town = town_of_goods(tmp_path)
    page = old(GOODS, 0, good(0))
    reasons = [
        HeldReason(check=check, field=name, message=name) for check, name in against
    ]
    held = HeldPage(
        url=page.url, page_sha256=page.sha256, version=1, reasons=reasons, values=values
    )
    commit = BatchCommit(family=GOODS, batch="000001", run_id="run-8", held=[held])
    town.store.commit_batch(commit)
    alone = doubted_alone(GOODS, town.store)
    assert alone == ({"title": "title"} if is_alone else {})


def test_pages_that_show_the_list_of_another_are_counted(tmp_path: Path) -> None:
    town = town_of_goods(tmp_path)

    by_title = GOODS.model_copy(update={"key": ("title",), "kind": FamilyKind.JSON})

    def found(*pages: tuple[str, str], body: str = "") -> SameList | None:
        """Of pages in quarantine, each with the goods of its rows."""
        held = [
            HeldPage(
                url=f"https://goods.test{url}",
                page_sha256=body or url * 8,
                version=1,
                reasons=[HeldReason(check="consistency", field="title", message="")],
                values=[good(int(at)) for at in rows],
            )
            for url, rows in pages
        ]
        town.store.commit_batch(
            BatchCommit(family=GOODS, batch="000001", run_id=str(pages), held=held)
        )
        return same_list(by_title, town.store)

    assert found(("/", "012"), ("/?p=2", "345")) is None
    assert found(("/a", "0"), ("/b", "0")) is None, "one record is no list"
    assert found(("/", "012"), ("/?p=1", "012"), ("/?p=2", "345")) is None
    led = found(("/", "012"), ("/?p=2", "012"), ("/?p=3", "012"), ("/x", "345"))
    assert led == SameList("https://goods.test/", 2)
    unread = found(("/", ""), ("/?p=2", ""), ("/?p=3", ""), body="one" * 8)
    assert unread == led, "nothing is read of the first page's bytes"
    assert found(("/", ""), ("/?p=2", "")) is None
    assert same_list(GOODS, town.store) is None, (
        "of rows without a key nothing is known"
    )


def test_what_rests_in_quarantine(town: Town) -> None:
    """By what the check says of it; each field once, in the order of the schema."""
    page = renamed(0)
    resting_title = (
        "title always moved, is just what it was, and the page shows it no more"
    )
    against = [
        HeldReason(check="history", field="maker", message="maker is different"),
        HeldReason(check="history", field="title", message=f"{resting_title}: 4 of 4"),
        HeldReason(check="batch", message=resting_title),
    ]
    held = HeldPage(
        url=page.url, page_sha256="a" * 64, version=1, reasons=against, values=[good(0)]
    )
    assert resting(GOODS, town.store) == []
    town.store.commit_batch(
        BatchCommit(family=GOODS, batch="000001", run_id="by hand", held=[held])
    )
    assert resting(GOODS, town.store) == ["title"]
