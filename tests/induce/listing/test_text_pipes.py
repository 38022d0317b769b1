import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.induce.listing.text_pipes import text_pipes

WORDS = st.lists(st.sampled_from(["ames", "birch", "cole", "dunn"]), max_size=3)


def steps(*args: object) -> list[Step]:
    pipes = text_pipes(args)  # type: ignore[arg-type]
    return [pipe[0] for pipe in pipes if len(pipe) == 1]


def right(pairs: list[tuple[str, str]]) -> list[tuple[Step, ...]]:
    """The pipes that make every value of its text."""
    return [
        pipe
        for pipe in text_pipes(pairs)
        if all(
            "".join(apply(pipe, [text])[:1]).strip(" .,:;") == value
            for text, value in pairs
        )
    ]


def test_a_value_is_cut_out_between_what_all_texts_have_around_it() -> None:
    found = steps(("No. 17 of Ames", "17"), ("No. 205 of Birch", "205"))
    assert Step(op=Op.BETWEEN, args=("No. ", " of ")) in found
    assert found[0].op is Op.BETWEEN


@pytest.mark.parametrize(
    ("pairs", "op"),
    [
        ([("Judge: Ames", "Ames"), ("Judge: Birch", "Birch")], Op.AFTER),
        ([("Ames, presiding", "Ames"), ("Birch, presiding", "Birch")], Op.BEFORE),
        ([("x | Ames | y z", "Ames"), ("zz | Birch | q", "Birch")], Op.BETWEEN),
        ([("a; b; Ames", "Ames"), ("c; d; Birch", "Birch")], Op.PART),
        ([("blue big Ames", "Ames"), ("red old Birch", "Birch")], Op.REGEX),
        ([("Ames 17 x", "17"), ("Birch 205 yy", "205")], Op.REGEX),
    ],
)
def test_texts_are_cut_in_the_field_s_usual_forms(
    pairs: list[tuple[str, str]], op: Op
) -> None:
    assert op in {pipe[-1].op for pipe in right(pairs)}


def test_values_stop_at_whichever_mark_stands_there() -> None:
    behind = [("Lund - today", "Lund"), ("Lund, Norr - today", "Lund"), ("Ar", "Ar")]
    cut = [Step(op=Op.PART, args=(mark, 0)) for mark in (" -", ",")]
    assert tuple(cut) in right(behind)
    before = [("today - Lund", "Lund"), ("Norr: Lund", "Lund")]
    cut = [Step(op=Op.PART, args=(mark, -1)) for mark in ("- ", ": ")]
    assert tuple(cut) in right(before)


def test_the_end_of_a_word_is_no_mark() -> None:
    pairs = [("Kraków, Wola - 1", "Wola"), ("Wrocław, Psary - 2", "Psary")]
    marks = {step.args[0] for pipe in text_pipes(pairs) for step in pipe}
    assert not marks & {"w, ", "w"}
    behind = [("1 - Wola, Krosno", "Wola"), ("2 - Psary, Kielce", "Psary")]
    assert ", K" not in {step.args[0] for pipe in text_pipes(behind) for step in pipe}
    whole = [("In the city, Wola", "Wola"), ("In the city, Psary", "Psary")]
    assert any(step.args[0] == "In the city, " for step in steps(*whole))


def test_a_word_behind_the_marks_that_end_a_sentence_is_whole() -> None:
    """The words before it end otherwise, which tears nothing off it."""
    pairs = [("“Be kind.” By: Ames", "Ames"), ("“Go: now.” By: Birch", "Birch")]
    marks = [step.args[0] for step in steps(*pairs)]
    assert "By: " in marks and ": " not in marks[: marks.index("By: ")]
    behind = [("Ames, by …so", "Ames"), ("Birch, by …to", "Birch")]
    assert steps(*behind)[0].args[0] == ", by"


def test_values_with_something_on_either_side_stop_at_no_mark() -> None:
    pairs = [("at Lund - today", "Lund"), ("at Lund, Norr - today", "Lund")]
    cut = [Step(op=Op.PART, args=(mark, 0)) for mark in (" -", ",")]
    assert tuple(cut) not in text_pipes(pairs)


def test_a_number_of_words_before_or_after_is_counted() -> None:
    patterns = [
        step.args[0]
        for step in steps(("blue big Ames jr", "Ames"), ("red old Birch sr", "Birch"))
        if step.op is Op.REGEX
    ]
    assert patterns == [r"\S+\s+\S+\s+(.+)", r"(.+?)\s+\S+$"]


def test_more_than_three_words_are_not_counted() -> None:
    assert not [
        step
        for step in steps(("a b c d Ames", "Ames"), ("e f g h Birch", "Birch"))
        if step.op is Op.REGEX
    ]


def test_marks_with_varying_digits_are_cut_at_the_digit() -> None:
    found = steps(("2023 rev Ames", "Ames"), ("2024 rev Birch", "Birch"))
    assert Step(op=Op.AFTER, args=(" rev ",)) in found


def test_punctuation_of_the_value_belongs_to_it() -> None:
    pairs = [("Case (Ames) now", "(Ames)"), ("Case (Birch) now", "(Birch)")]
    assert Step(op=Op.BETWEEN, args=("Case ", " now")) in steps(*pairs)


def test_texts_without_their_values_give_nothing() -> None:
    assert text_pipes([("Ames", "Birch"), ("...", "?")]) == []


@settings(deadline=None)
@given(WORDS, WORDS)
def test_pipes_are_distinct_and_few(before: list[str], after: list[str]) -> None:
    pairs = [
        (" ".join([*before, value, *after]), value) for value in ("Kerr 1", "Lowe 2")
    ]
    found = text_pipes(pairs)
    assert len(found) == len(set(found)) <= 72


def test_how_another_value_ends_is_no_part_of_a_mark() -> None:
    found = steps(
        ("“All is well.” Author: Ames", "Ames"), ("“So it is.” Author: Cole", "Cole")
    )
    assert Step(op=Op.AFTER, args=("Author: ",)) in found
    assert not [step for step in found if step.args[0] == ".” Author: "]
    found = steps(("Ames said “well", "Ames"), ("Cole said “so", "Cole"))
    assert Step(op=Op.BEFORE, args=(" said",)) in found


def test_the_beginning_of_a_number_is_no_mark() -> None:
    years = [("Kelp Press, 1967", "Kelp Press"), ("Slate Press, 1950", "Slate Press")]
    codes = [("76123: Kelp", "Kelp"), ("65123: Slate", "Slate")]
    marks = [str(step.args[0]) for one in text_pipes(years) for step in one]
    assert ", " in marks
    assert ", 19" not in marks
    marks = [str(step.args[0]) for one in text_pipes(codes) for step in one]
    assert ": " in marks
    assert "123: " not in marks
