"""Which question is asked, in which words."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.heal.question import question_of
from crawloop_assets.heal.rewritten import Rewritten
from crawloop_assets.heal.stuck import FieldSight, StuckFamily
from crawloop_assets.induce.proof.scores import (
    FieldScore,
    ScoreSheet,
    UnreadExample,
    WhyUnread,
)
from crawloop_assets.store import QuestionKind
from tests.heal.sights import NO_SHEET, SINCE, asked, gave, sight


def test_a_version_in_review_goes_before_all_fields() -> None:
    lost = sight("price", required=True, read=0)
    stuck = StuckFamily(SINCE, [lost], reason="nothing confirms it", in_review=True)
    question = question_of(stuck)
    assert (question.kind, question.fields) == (QuestionKind.REVIEW, ())
    assert question.sentence == (
        "a version that reads these pages waits for review (nothing confirms it): accept it, or show one value"
    )


def test_who_gave_examples_that_are_not_read_is_asked_for_others() -> None:
    unread = [
        UnreadExample(
            field=name,
            url="https://goods.example/1",
            expected="False",
            why=WhyUnread.ALL_ALIKE,
            write="add another one",
        )
        for name in ("pets", "lift", "pets", "heated", "stairs", "cellar")
    ]
    stuck = StuckFamily(
        SINCE,
        [sight("pets", read=0, required=True), sight("lift", read=0)],
        ScoreSheet(unread=tuple(unread)),
        reason="the examples are not read as they say",
        sentences=["schema: The family has no crawler version yet."],
    )
    question = question_of(stuck)
    assert question.kind is QuestionKind.UNREAD
    assert question.fields == ("pets", "lift", "heated", "stairs", "cellar")
    assert question.sentence.startswith(
        "there is no version yet (the examples are not read as they say): correct the examples in the "
        "family's file, or show one value: `pets`: the example of https://goods.example/1 says "
        '"False", but all examples say the same, and none shows what the others look like: add another one; '
        "`lift`: the example"
    )
    assert question.sentence.endswith("; and 2 fields more (crawloop audit)")
    assert "`stairs`" not in question.sentence


def test_who_accepts_a_version_in_review_lets_go_what_it_misses() -> None:
    scores = [
        FieldScore(field="name", required=True, readers=2, right=3),
        FieldScore(field="parts", changed=3),
        FieldScore(field="maker", silent=2),
        FieldScore(field="colour", gone=True, changed=3),
        FieldScore(field="code", required=True, silent=3),
    ]
    sheet = ScoreSheet(fields=tuple(scores))
    stuck = StuckFamily(SINCE, [], sheet, reason="nothing confirms it", in_review=True)
    question = question_of(stuck)
    assert (question.fields, question.gone) == ((), ("maker", "parts"))
    assert question.sentence == (
        "a version that reads these pages waits for review (nothing confirms it) and does not read "
        "`maker`, `parts`: accept it, and `maker`, `parts` as gone, or show one value"
    )


def test_a_version_that_may_read_yesterdays_asks_what_the_field_is_now() -> None:
    stuck = StuckFamily(SINCE, [], reason="it may", in_review=True, unmoved=("price",))
    question = question_of(stuck)
    assert (question.kind, question.fields) == (QuestionKind.REVIEW, ("price",))
    assert question.sentence.endswith("or show what `price` of one record is now")


def test_who_may_accept_values_reads_that_they_stand_with_another_currency() -> None:
    euros = (Rewritten("price", "PLN", "EUR"),)
    price = sight("price", held=4, news=4)
    stuck = StuckFamily(SINCE, [price], rewritten=euros)
    said = '; mind that `price` stands with "EUR" now, and stood with "PLN"'
    news = question_of(stuck)
    assert news.sentence == (
        f"`price` says something else on 4 of 4 pages since 2026-11-20: accept as news, or show where it is{said}"
    )
    review = question_of(replace(stuck, in_review=True))
    assert (review.kind, review.sentence.endswith(said)) == (QuestionKind.REVIEW, True)
    gone = question_of(replace(stuck, sights=[sight("stock", present=0, read=0)]))
    assert gone.kind is QuestionKind.GONE and "EUR" not in gone.sentence


def test_pages_that_are_read_and_held_with_their_batch_are_news() -> None:
    longer = ["distribution: the length of name is off by a factor 2.6 from before"]
    stuck = StuckFamily(SINCE, [sight("name")], sentences=longer, with_batch=True)
    question = question_of(stuck)
    assert (question.kind, question.fields) == (QuestionKind.NEWS, ())
    assert question.sentence == (
        "the pages are read, and held as distribution: the length of name is off by a factor 2.6 from before: "
        "accept as news, or show one value"
    )
    gone = replace(stuck, sights=[sight("stock", present=0, read=0)])
    assert question_of(gone).kind is QuestionKind.GONE, "a field tells more"


def test_new_values_against_which_alone_something_speaks_are_named() -> None:
    against = {"name": "name has words before or after it that none had before"}
    stuck = StuckFamily(SINCE, [sight("name")], reason="no reader", alone=against)
    question = question_of(stuck)
    assert (question.kind, question.fields) == (QuestionKind.NEWS, ("name",))
    assert question.sentence == (
        "the pages are read, and held for `name` (name has words before or after it that none had before): "
        "accept as news, or show one value"
    )
    gone = replace(stuck, sights=[sight("stock", present=0, read=0)])
    assert question_of(gone).kind is QuestionKind.GONE, "a field tells more"


def test_what_is_not_read_meanwhile_is_asked_with_the_news() -> None:
    title = sight("title", held=4, news=3)
    stock, maker = (sight(name, held=4, silent=3) for name in ("stock", "maker"))
    price = sight("price", required=True, held=4, silent=3)
    rare = sight("rare", held=4, silent=1)
    question = question_of(StuckFamily(SINCE, [title, stock, maker, price, rare]))
    assert (question.kind, question.gone) == (QuestionKind.NEWS, ("stock", "maker"))
    assert question.fields == ("title", "stock", "maker")
    assert question.sentence == (
        "`title` says something else on 3 of 4 pages since 2026-11-20, and no version reads `stock`, `maker`: "
        "accept as news, or show where they are"
    )


def test_who_would_lose_the_rest_by_accepting_news_is_asked_for_the_field() -> None:
    title = sight("title", required=True, held=4, news=4)
    day = sight("day", held=4, silent=4)
    scores = [
        FieldScore(field="title", required=True, readers=2, reason="abstained: no"),
        FieldScore(field="day", readers=3, reason="realigned: found again"),
    ]
    sheet = ScoreSheet(fields=tuple(scores))
    question = question_of(StuckFamily(SINCE, [title, day], sheet))
    assert (question.kind, question.fields) == (QuestionKind.UNREAD, ("title",))
    assert question.sentence == (
        "no version reads `title` from the new pages: show one value, and the rest is read"
    )
    lost = ScoreSheet(fields=(scores[0], FieldScore(field="day")))
    kept = question_of(StuckFamily(SINCE, [title, day], lost))
    assert kept.kind is QuestionKind.NEWS, "the heal finds the rest no more either"


def test_what_cannot_be_looked_up_is_not_called_gone() -> None:
    image = sight("image", present=0, read=0, sure=False)
    assert asked(image)[0] == "refused"


def test_pages_that_are_held_for_want_of_a_field_ask_for_it_and_not_for_anything() -> (
    None
):
    tags = sight("tags", present=0, read=0, sure=False, held=4, silent=3)
    makers = sight("makers", present=0, read=0, sure=False, held=4, silent=4)
    few = sight("rare", held=4, silent=1)
    question = question_of(StuckFamily(SINCE, [tags, few], reason="as before"))
    assert (question.kind, question.fields) == (QuestionKind.GONE, ("tags",))
    assert question.sentence == (
        "no version reads `tags` any more, known until 2026-11-20: accept it as gone, or show where it is"
    )
    _, sentence = asked(tags, makers)
    assert sentence.endswith("accept them as gone, or show where they are")
    price = sight("price", required=True, held=4, silent=4)
    assert asked(price)[0] == "refused", "no record is without it"


def test_what_is_gone_is_asked_with_what_is_not_read_either() -> None:
    topics = sight("topics", present=0, read=0)
    day = sight("day", present=0, read=0, sure=False, held=1, silent=1)
    question = question_of(StuckFamily(SINCE, [day, topics]))
    assert (question.kind, question.fields) == (QuestionKind.GONE, ("day", "topics"))
    assert question.sentence == (
        "`topics` is on no page since 2026-11-20, and no version reads `day`: "
        "accept them as gone, or show where they are"
    )
    shown = sight("day", present=1, read=0, held=1, silent=1)
    assert question_of(StuckFamily(SINCE, [shown, topics])).fields == ("topics",)


def test_pages_of_records_that_nobody_knows_lost_no_field() -> None:
    blank = {"present": 0, "read": 0, "rows": 0}
    fields = [sight(name, **blank) for name in ("name", "docket")]
    dated = sight("date", sure=False, **blank)
    assert asked(*fields, dated, sight("judge", records=0, **blank)) == (
        "no_record",
        "no version finds a record on the new pages: show `name`, `docket`, `date` of one, "
        "or allow pages without any (`drift.allow_empty`)",
    )
    # Where anything is read, the rest is gone.
    assert asked(*fields, sight("date"))[0] == "gone"


def test_a_field_that_few_records_have_is_read_where_it_was_known() -> None:
    few = sight("was", records=2, present=2, known=2, read=2)
    assert asked(few)[0] == "refused"
    assert asked(sight("was", records=2, present=2, known=2, read=1))[0] == "unread"


def test_a_required_field_goes_before_all_others() -> None:
    gone = sight("stock", present=0, read=0)
    unread = [sight(name, required=True, read=0) for name in ("title", "price")]
    assert asked(gone, *unread) == (
        "unread",
        "no version reads `title`, `price` from the new pages: show one value of each; no version reads `stock` either",
    )


def test_what_the_heal_found_again_is_not_asked_for() -> None:
    fields = [
        FieldScore(field="title", readers=3, reason="realigned: found again"),
        FieldScore(
            field="price", readers=2, reason="abstained: no two witnesses agree"
        ),
    ]
    sights = [sight(name, required=True, read=0) for name in ("title", "price")]
    kind, sentence = asked(*sights, sheet=ScoreSheet(fields=tuple(fields)))
    assert (kind, sentence) == (
        "unread",
        "no version reads `price` from the new pages: show one value",
    )


def test_what_a_version_reads_is_not_asked_for_as_unread() -> None:
    """The heal of what is left red knows nothing of what a person taught."""
    price = FieldScore(field="price", reason="abstained: no known value stands there")
    read = sight("price", required=True, present=0)
    gone = sight("stock", present=0, read=0)
    _, sentence = asked(read, gone, sheet=ScoreSheet(fields=(price,)))
    assert sentence.startswith("`stock` is on no page")


def test_what_no_page_is_held_for_is_not_asked_for_although_versions_disagree() -> None:
    """An older version says another price; the pages wait for the picture alone."""
    candidates = (gave("49.90", "51.77"), gave("39.90", "51.77"))
    price = sight("price", wrong=2, candidates=candidates)
    image = sight("image", present=0, sure=False, held=2, silent=2)
    stuck = StuckFamily(SINCE, [price, image], doubted={"image": "image is gone"})
    assert question_of(stuck).fields == ("image",)
    both = replace(stuck, doubted={"image": "image is gone", "price": "it is far"})
    assert question_of(both).fields == ("price", "image")


def test_what_is_not_read_either_is_asked_for_with_what_disagrees() -> None:
    """To answer for one of them alone would leave the pages held for the other."""
    candidates = (gave("49.90", "51.77"), gave("39.90", "51.77"))
    price = sight("price", wrong=2, candidates=candidates)
    image = sight("image", present=0, sure=False, held=2, silent=2)
    found = question_of(StuckFamily(SINCE, [price, image]))
    assert found.fields == ("price", "image")
    assert found.sentence == (
        "`price` could be 49.90, 51.77 or 39.90: which one?; "
        "and no version reads `image`: show one value of each"
    )
    # Alone it is asked for as ever; read on most pages it is not asked for.
    assert question_of(StuckFamily(SINCE, [image])).fields == ("image",)
    seen = sight("image", held=5, silent=2)
    assert question_of(StuckFamily(SINCE, [price, seen])).fields == ("price",)


def test_else_it_says_what_stood_against_it() -> None:
    kind, sentence = asked(sight("title"))
    assert kind == "refused"
    assert "it failed; count: 3 records" in sentence


def test_what_nothing_healed_names_the_fields_for_which_pages_are_held() -> None:
    """But for one that was accepted as gone, of which nothing is seen."""
    held = dict.fromkeys(("price", "maker", "size"), "4 of 9 known pages lack it")
    sights = list(map(sight, ("title", "price", "maker")))
    stuck = StuckFamily(SINCE, sights, NO_SHEET, "it failed", doubted=held)
    asked = question_of(stuck)
    assert (asked.kind, asked.fields) == (QuestionKind.REFUSED, ("price", "maker"))
    assert "one value of `price`, `maker`, or say until when" in asked.sentence
    made = ScoreSheet(fields=(FieldScore(field="maker", reason="2 are another"),))
    tried = question_of(replace(stuck, sheet=made, doubted={}))
    assert tried.fields == ("maker",) and "`maker` (2 are another)" in tried.sentence


_NUMBERS = st.integers(0, 5)


@given(
    st.lists(
        st.builds(
            FieldSight,
            field=st.sampled_from(["title", "price", "stock"]),
            required=st.booleans(),
            records=_NUMBERS,
            present=_NUMBERS,
            sure=st.booleans(),
            pages=_NUMBERS,
            read=_NUMBERS,
            wrong=_NUMBERS,
            candidates=st.just((gave("1", "2"),)),
        ),
        max_size=4,
    ),
    st.sampled_from(["", "it failed"]),
)
def test_there_is_always_one_question_and_it_names_its_fields(
    sights: list[FieldSight], reason: str
) -> None:
    question = question_of(StuckFamily(SINCE, sights, reason=reason))
    assert question.sentence and "\n" not in question.sentence
    assert all(f"`{name}`" in question.sentence for name in question.fields)
    assert bool(question.fields) == (question.kind is not QuestionKind.REFUSED)


def test_what_else_holds_the_pages_is_asked_with_a_field_that_is_gone() -> None:
    gone = sight("stock", present=0, read=0)
    doubts = {"title": "title has no word in common with the url", "stock": "is lost"}
    question = question_of(StuckFamily(SINCE, [gone], doubted=doubts))
    assert (question.kind, question.gone) == (QuestionKind.NEWS, ("stock",))
    assert question.fields == ("title", "stock")
    assert question.sentence == (
        "`stock` is on no page since 2026-11-20: accept it as gone, or show where it is; "
        "the pages are held for `title` (title has no word in common with the url) as well: who accepts takes that as news"
    )
    missed = sight("maker", records=1, read=0)
    asked_of = question_of(StuckFamily(SINCE, [missed], doubted=doubts))
    assert asked_of.kind is QuestionKind.UNREAD, "a value can be shown, not accepted"


def test_a_required_field_that_contradicts_what_is_known_is_asked_for_first() -> None:
    price = FieldScore(field="price", required=True, right=0, wrong=5, readers=1)
    stock = FieldScore(field="stock", required=False, right=0, wrong=5, readers=1)
    sheet = ScoreSheet(fields=(price, stock))
    gone = sight("size", present=0, read=0)
    stuck = StuckFamily(SINCE, [sight("price", required=True), gone], sheet)
    question = question_of(stuck)
    assert question.fields == ("price", "size")
    assert question.sentence.endswith(
        "; `price` stands elsewhere than where it is read: show that first"
    )
    few = price.model_copy(update={"right": 99, "wrong": 1})
    forgiven = replace(stuck, sheet=ScoreSheet(fields=(few, stock)))
    assert question_of(forgiven).fields == ("size",)
    assert question_of(replace(stuck, in_review=True)).fields == ()


def test_a_required_field_that_was_not_found_is_asked_for_first() -> None:
    lost = FieldScore(field="price", required=True, reason="abstained: no two agree")
    stock = FieldScore(field="stock", required=False, reason="abstained: no two agree")
    sheet = ScoreSheet(fields=(lost, stock))
    sights = [sight("price", required=True, read=1), sight("size", present=0, read=0)]
    stuck = StuckFamily(SINCE, [sights[1]], sheet)
    question = question_of(stuck)
    assert question.fields == ("price", "size")
    assert question.sentence.endswith(
        "; `price` was not found on these pages: show that first"
    )
    both = ScoreSheet(fields=(lost, lost.model_copy(update={"field": "title"})))
    assert (
        "`price`, `title` were not" in question_of(replace(stuck, sheet=both)).sentence
    )
    is_read = replace(stuck, sights=[sight("price", required=True), sights[1]])
    assert question_of(is_read).fields == ("size",), "a version reads it"


def test_who_accepts_that_nothing_is_said_of_a_field_accepts_that_it_is_gone() -> None:
    """A few known counts stand on the pages by chance: that does not make it another question."""
    gone = sight("screen", present=0, read=0, held=5, silent=5)
    seats = sight("seats", present=1, read=0, held=5, silent=5)
    other = sight("price", required=True, held=5)
    doubts = {"seats": "seats is gone", "price": "price is twice what it was"}
    question = question_of(StuckFamily(SINCE, [gone, seats, other], doubted=doubts))
    assert question.kind is QuestionKind.NEWS
    assert set(question.fields) == {"screen", "seats", "price"}
    assert set(question.gone) == {"screen", "seats"}


def test_a_field_that_is_not_filled_is_asked_for_although_nothing_is_known_of_it() -> (
    None
):
    never = {"records": 0, "present": 0, "read": 0, "held": 5}
    seats, doubts = sight("seats", **never), {"seats": "seats is not filled"}
    question = question_of(StuckFamily(SINCE, [seats], doubted=doubts))
    assert (question.kind, question.fields) == (QuestionKind.GONE, ("seats",))
    for sights, doubted in (
        ([replace(seats, required=True)], doubts),
        ([replace(seats, read=1)], doubts),
        ([seats], {}),
    ):
        question = question_of(StuckFamily(SINCE, sights, doubted=doubted))
        assert question.kind is not QuestionKind.GONE
