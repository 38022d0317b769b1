import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.induce.listing.texts import shared_end, shared_start
from crawloop_assets.induce.locate.fit import has_digit

TEXTS = st.lists(st.text(alphabet="ab1", max_size=6), min_size=1, max_size=4)


@given(TEXTS)
def test_the_shared_start_is_the_longest_that_all_have(texts: list[str]) -> None:
    start = shared_start(texts)
    assert all(text.startswith(start) for text in texts)
    longer = {text[: len(start) + 1] for text in texts}
    assert len(longer) > 1 or longer == {start}


@given(TEXTS)
def test_the_shared_end_is_the_shared_start_read_backwards(texts: list[str]) -> None:
    backwards = [text[::-1] for text in texts]
    assert shared_end(texts) == shared_start(backwards)[::-1]
    assert all(text.endswith(shared_end(texts)) for text in texts)


def test_no_texts_share_nothing_to_speak_of() -> None:
    with pytest.raises(ValueError):
        shared_start([])


@pytest.mark.parametrize(
    ("text", "expected"), [("", False), ("ab-c", False), ("a4", True), ("٣", True)]
)
def test_a_digit_anywhere_counts(text: str, expected: bool) -> None:
    assert has_digit(text) is expected
