from crawloop_assets.induce.listing.looks import Look
from tests.induce.listing.documents import document, elements


def fits(*bodies: str, known: int = 2) -> list[bool]:
    page = document("".join(f"<article>{body}</article>" for body in bodies))
    nodes = elements(page, "article")
    look = Look.of(page, nodes[:known])
    return [look.fits(page, node) for node in nodes[known:]]


def test_a_look_is_what_all_known_records_have_and_what_any_has() -> None:
    page = document("<p><b class='x1'>x</b></p><p><b>y</b><i>z</i></p>")
    look = Look.of(page, elements(page, "p"))
    assert look == Look(frozenset({"b"}), frozenset({"b", "b.x1", "i"}))


def test_records_with_the_same_inside_fit() -> None:
    known = "<b>x</b><i>y</i>"
    assert fits(known, known, known, "<b>x</b>", "<i>y</i><b>z</b><u>q</u>") == [
        True,
        False,
        True,
    ]


def test_little_strange_is_allowed_much_is_not() -> None:
    known = "<b>x</b>"
    strange = "<b>x</b><i>1</i><u>2</u>"
    stranger = "<b>x</b><i>1</i><u>2</u><s>3</s><q>4</q>"
    assert fits(known, known, strange, stranger) == [False, False]
    assert fits(known, known, "<b>x</b><i>1</i>") == [True]


def test_records_without_anything_inside_are_like_each_other() -> None:
    assert fits("x", "y", "z", "<b>a</b>", "<b>a</b><i>b</i>") == [True, True, False]
