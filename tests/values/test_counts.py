import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.values.counts import counted_like, split_numbered, uncounted


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("1. Mix. 2. Bake.", ["Mix.", "Bake."]),
        ("1) Mix 2 eggs. 2) Bake.", ["Mix 2 eggs.", "Bake."]),
        ("Mix. 2. Bake.", ["Mix. 2. Bake."]),
        ("1. Mix and bake.", ["1. Mix and bake."]),
        ("1. Mix. 3. Bake.", ["1. Mix. 3. Bake."]),
        ("1. Mix. 3. No. 2. Bake.", ["Mix. 3. No.", "Bake."]),
        ("Now: 1. Mix. 2. Bake.", ["Now: 1. Mix. 2. Bake."]),
        ("2. Roll. 1. Mix. 2. Bake.", ["2. Roll. 1. Mix. 2. Bake."]),
        (" 1. a 2. b", ["a", "b"]),
        ("", [""]),
    ],
)
def test_one_text_is_cut_where_it_counts_from_one(text: str, parts: list[str]) -> None:
    assert split_numbered(text) == parts


@pytest.mark.parametrize(
    ("texts", "bare"),
    [
        (["1. Mix.", "2. Bake."], ["Mix.", "Bake."]),
        (["1Mix.", "2Bake."], ["Mix.", "Bake."]),
        (["Step 1 Mix.", "Step 2: Bake."], ["Mix.", "Bake."]),
        (["1. Mix. 2. Bake."], ["Mix.", "Bake."]),
        (["Dough", "1. Mix.", "2. Roll.", "Filling", "1. Fry.", "2. Fill."],
         ["Dough", "Mix.", "Roll.", "Filling", "Fry.", "Fill."]),
        (["1. Mix.", "2. Roll.", "3. Bake.", "Glaze", "1. Stir.", "Filling", "1. Fry.", "2. Fill."],
         ["Mix.", "Roll.", "Bake.", "Glaze", "Stir.", "Filling", "Fry.", "Fill."]),
        (["2 eggs", "3 lemons", "1 lime"], ["2 eggs", "3 lemons", "1 lime"]),
        (["1 egg", "1/4 cup of milk", "1 lime", "2 figs"], ["1 egg", "1/4 cup of milk", "1 lime", "2 figs"]),
        (["1 hour before, mix.", "Bake.", "Serve."], ["1 hour before, mix.", "Bake.", "Serve."]),
        (["0. a", "1. b", "2. c"], ["0. a", "1. b", "2. c"]),
        (["1. a", "0. b", "1. c"], ["1. a", "0. b", "1. c"]),
        (["1. a", "1. b", "1. c"], ["1. a", "1. b", "1. c"]),
        (["1. a", "1. b", "2. c"], ["1. a", "1. b", "2. c"]),
        (["1. a", "2. b", "1. c", "2. d"], ["a", "b", "c", "d"]),
        (["1. a", "2. b", "c", "d"], ["1. a", "2. b", "c", "d"]),
        (["1. a", "3. b"], ["1. a", "3. b"]),
        ([], []),
    ],
)  # fmt: skip
def test_numbers_that_count_are_left_out_and_others_stay(
    texts: list[str], bare: list[str]
) -> None:
    assert uncounted(texts) == bare


WORDS = st.lists(
    st.builds(
        "{} {}.".format,
        st.text("ABCDEFG", min_size=3, max_size=9).map(str.capitalize),
        st.text("hijklmn", min_size=2, max_size=9),
    ),
    min_size=2,
    max_size=9,
)


@given(WORDS)
def test_counting_and_uncounting_gives_the_texts_back(texts: list[str]) -> None:
    assert uncounted(texts) == texts
    assert (
        uncounted([f"{at}. {text}" for at, text in enumerate(texts, start=1)]) == texts
    )
    assert (
        uncounted([" ".join(f"{at}. {text}" for at, text in enumerate(texts, start=1))])
        == texts
    )


def test_what_stands_before_the_number_is_found() -> None:
    assert counted_like("Step 1 Mix.", "Mix.") == "Step "
    assert counted_like("1Mix.", "Mix.") == ""
    assert counted_like("Mix.", "Mix.") is None
    assert counted_like("Step 1 Bake.", "Mix.") is None
    assert counted_like("2) mix", "Mix!") == ""
