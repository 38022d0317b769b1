"""Elements by class: found in the joined text or in the index, they are the same."""

from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.document.class_index import ClassIndex

ATTRIBUTES = st.lists(st.text("ab- \t", max_size=8), max_size=30)


def slowly(classes: list[str], name: str) -> list[int]:
    return [number for number, text in enumerate(classes) if name in text.split()]


@given(ATTRIBUTES, st.sampled_from(["a", "b", "ab", "a-b", "-", "c", ""]))
def test_a_class_is_found_where_it_is_a_whole_word(
    classes: list[str], name: str
) -> None:
    index = ClassIndex(classes)
    assert index.having(name) == slowly(classes, name)
    assert index.having(name) is index.having(name)


def test_many_classes_are_found_as_few_are() -> None:
    classes = [f"a{at} b{at % 7} a a" if at % 3 else "" for at in range(90)]
    names = [*(f"a{at}" for at in range(90)), *(f"b{at}" for at in range(7)), "a", ""]
    index = ClassIndex(classes)
    assert [index.having(name) for name in names] == [
        slowly(classes, name) for name in names
    ]
