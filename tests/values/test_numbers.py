"""Numbers in texts: looking only near digits finds what looking everywhere finds."""

from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.values.numbers import numbers

PARTS = st.lists(
    st.sampled_from(["1", "23", "456", "٣", ".", ",", " ", "-", "−", "$", "€", "EUR", "kr", "a", "x", "'"]),
    max_size=24,
)  # fmt: skip


@given(PARTS, st.integers(0, 40))
def test_a_number_is_found_however_much_prose_is_before_it(
    parts: list[str], words: int
) -> None:
    text = "".join(parts)
    prose = "plum " * words
    alone = [(one.value, one.start, one.end) for one in numbers(text)]
    behind = [
        (one.value, one.start - len(prose), one.end - len(prose))
        for one in numbers(prose + text)
    ]
    assert behind == alone


def test_a_currency_a_sign_and_a_point_may_stand_before_the_digits() -> None:
    assert [
        str(one.value)
        for one in numbers("It was - EUR .5, now it is 1 234,50 kr and - USD 7.")
    ] == [
        "-0.5",
        "1234.50",
        "-7",
    ]
