"""The sentences of the one question."""

from crawloop_assets.heal.news import SameList
from crawloop_assets.heal.question import question_of
from crawloop_assets.heal.question_words import (
    in_backticks,
    say_against,
    say_rewritten,
)
from crawloop_assets.heal.rewritten import Rewritten
from crawloop_assets.heal.stuck import StuckFamily
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from tests.heal.sights import SINCE, asked, gave, sight


def test_a_field_that_is_on_no_page_is_asked_for_with_the_day() -> None:
    gone = sight("stock", present=0, read=0)
    assert asked(gone, sight("title")) == (
        "gone",
        "`stock` is on no page since 2026-11-20: accept it as gone, or show where it is",
    )
    _, sentence = asked(gone, sight("maker", present=0, read=0))
    assert sentence.startswith("`stock`, `maker` are on no page since 2026-11-20: ")


def test_of_what_moves_only_the_known_values_are_said_to_be_gone() -> None:
    """To accept that it is gone would lose the new ones."""
    was = sight("was", present=0, read=0, moves=True)
    _, sentence = asked(was, sight("maker", present=0, read=0), sight("title"))
    assert sentence == (
        "`was`, `maker` are on no page since 2026-11-20 with a known value; "
        "`was` may have another one: accept them as gone, or show where they are"
    )


def test_known_values_that_stand_there_unread_are_named() -> None:
    kind, sentence = asked(sight("maker", read=1))
    assert kind == "unread"
    assert sentence.startswith("known values of `maker` stand on the pages")


def test_candidates_that_disagree_are_laid_side_by_side() -> None:
    candidates = (gave("49.90", "51.77"), gave("39.90", "51.77"))
    price = sight("price", wrong=2, candidates=candidates)
    assert asked(price) == (
        "disagree",
        "`price` could be 49.90, 51.77 or 39.90: which one?",
    )


def test_a_place_that_nothing_names_is_shown() -> None:
    price = sight("price", candidates=(gave("49.90"),))
    assert asked(price, sheet=ScoreSheet(unnamed=("price",))) == (
        "unnamed",
        "nothing on the page names `price` (49.90): is that right?",
    )


def test_fields_are_named_as_code_and_with_what_is_said_against_them() -> None:
    assert in_backticks(("price", "stock")) == "`price`, `stock`"
    assert in_backticks(()) == ""
    assert say_against({"price": "it is far"}) == "`price` (it is far)"


def test_what_values_stand_with_now_is_said_field_by_field() -> None:
    fields = [Rewritten("price", "PLN", "EUR"), Rewritten("load", "kg", "lb")]
    assert say_rewritten(fields) == (
        '`price` stands with "EUR" now, and stood with "PLN", `load` stands with "lb" now, and stood with "kg"'
    )


def test_a_list_that_is_at_other_addresses_is_named_before_its_values() -> None:
    against = {"sku": "sku is the same"}
    led = SameList("https://a.test/", 3)
    stuck = StuckFamily(SINCE, [sight("sku")], alone=against, same_list=led)
    assert question_of(stuck).sentence == (
        "3 pages show the list of https://a.test/; if their addresses are others now, correct `discover` in the file; "
        "else the pages are read, and held for `sku` (sku is the same): accept as news, or show one value"
    )
    assert str(SameList("/", 1)) == "1 page shows the list of /"
    unread = StuckFamily(SINCE, [sight("sku", required=True, read=0)], same_list=led)
    assert question_of(unread).sentence.endswith(
        "`discover` in the file; else no version reads `sku` from the new pages: show one value"
    )


def test_every_field_that_nothing_reads_is_named_whatever_the_question_is_about() -> (
    None
):
    held = {"held": 4, "silent": 4}
    gone, lost = sight("reviews", present=0, read=0), sight("variants", read=0, **held)
    assert asked(gone, lost)[1] == (
        "`reviews` is on no page since 2026-11-20: accept it as gone, or show where it is; "
        "no version reads `variants` either"
    )
    price = sight("price", required=True, read=0)
    assert asked(price, gone, lost)[1].endswith(
        "no version reads `reviews`, `variants` either"
    )
    found = FieldScore(field="variants", readers=1, reason="realigned: found again")
    assert "variants" not in asked(gone, lost, sheet=ScoreSheet(fields=(found,)))[1]
    proved = FieldScore(field="variants", right=4, readers=1)
    assert "variants" not in asked(gone, lost, sheet=ScoreSheet(fields=(proved,)))[1]
    assert "title" not in asked(gone, sight("title"))[1]


def test_what_a_version_read_that_is_not_proved_is_said_with_what_is_against_it() -> (
    None
):
    """No version that serves finds a record there, and one was made that reads all of them."""
    blank = {"present": 0, "read": 0, "rows": 0}
    name, score = (sight(one, required=True, **blank) for one in ("name", "score"))
    read = FieldScore(field="name", required=True, right=8, readers=2)
    wrong = FieldScore(field="score", required=True, right=2, wrong=6, readers=1)
    kind, sentence = asked(name, score, sheet=ScoreSheet(fields=(read, wrong)))
    made = "a version was made that reads"
    assert (kind, sentence.partition(";")[0]) == (
        "refused",
        f"{made} `name`, `score` of the new pages as known, and it is not proved: `score` (2 of 8 known values are "
        "read right, 6 otherwise than known, 1 reader(s)): show one value of `score`",
    )
    many = [wrong.model_copy(update={"field": name}) for name in "abcde"]
    of_many = [sight(one, required=True, **blank) for one in "abcde"]
    _, sentence = asked(*of_many, sheet=ScoreSheet(fields=tuple(many)))
    assert sentence.count("6 otherwise than known") == 3
    assert "reader(s)) and 2 fields more (crawloop audit): show one value" in sentence
    only = ScoreSheet(fields=(read,))
    assert asked(name, sheet=only)[1].startswith(
        f"{made} `name` of the new pages as known, and it is not proved: it failed: show"
    )
    unknown = ScoreSheet(fields=(FieldScore(field="name"),))
    assert asked(sight("name", **blank), sheet=unknown)[0] == "no_record"


def test_what_a_version_reads_that_was_just_promoted_is_not_asked_for() -> None:
    """The pages are held by the one before, for all that it did not read."""
    held = {"present": 0, "read": 0, "sure": False, "held": 4, "silent": 4}
    street, hours = sight("street", **held), sight("hours", **held)
    scores = [
        FieldScore(field="street", right=4, readers=1),
        FieldScore(field="hours", changed=4),
    ]
    proved = ScoreSheet(fields=tuple(scores), passed=True)
    assert asked(street, hours, sheet=proved)[1].startswith(
        "no version reads `hours` any more"
    )
    rejected = ScoreSheet(fields=tuple(scores))
    assert "`street`, `hours` any more" in asked(street, hours, sheet=rejected)[1]


def test_a_choice_that_the_model_does_not_know_is_named() -> None:
    """Before all else that is said of it, where all other required fields are read; where they are not, another thing may
    stand there. Nobody is asked so for what a record may lack."""
    new = {"required": True, "read": 0, "news": 5, "held": 5, "unlisted": "DIVERTED"}
    status, title = sight("status", **new), sight("title", required=True)
    kind, sentence = asked(status, title)
    assert (kind, sentence) == (
        "unread",
        '`status` says "DIVERTED", which is none of its choices: add it to the model, or show which of them it is',
    )
    for others in (
        (sight("status", **new), sight("title", required=True, read=0)),
        (sight("status", **{**new, "required": False}), title),
        (sight("status", **{**new, "unlisted": ""}), title),
    ):
        assert "DIVERTED" not in asked(*others)[1]
