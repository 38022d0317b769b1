"""Layouts of a family, and the redesigns between them."""

from typing import Any

from crawloop_assets.eval.layouts import Unit, layouts, merged_redesigns
from crawloop_assets.eval.pack import Capture, PackFamily, Redesign


def page(name: str, **more: Any) -> Capture:
    return Capture(id=name, file=name, url="https://a.example", **more)


def unit(
    *pages: Capture,
    redesigns: tuple[Redesign, ...] = (),
    unchanged: tuple[tuple[str, str], ...] = (),
    listing: bool = False,
) -> Unit:
    family = PackFamily(
        family="f",
        schema="Product",
        kind="detail",
        pages=pages,
        redesigns=redesigns,
        unchanged=unchanged,
    )
    return Unit(family, "Product", listing, False, pages)


def test_labels_say_which_pages_belong_together() -> None:
    pages = [page("a", layout=1), page("b", layout=2), page("c", layout="1")]
    assert layouts(unit(*pages)) == [("a", "c"), ("b",)]


def test_beside_labelled_pages_one_without_a_label_is_alone() -> None:
    assert layouts(unit(page("a", layout=1), page("b"), page("c"))) == [
        ("a",),
        ("b",),
        ("c",),
    ]


def test_unchanged_pairs_connect_across_others() -> None:
    pages = [page(name) for name in "abcde"]
    pairs = (("a", "c"), ("d", "b"), ("c", "d"), ("a", "gone"))
    assert layouts(unit(*pages, unchanged=pairs)) == [("a", "b", "c", "d"), ("e",)]


def test_unchanged_pairs_win_over_labels() -> None:
    pages = (page("a", layout=1), page("b", layout=1))
    assert layouts(unit(*pages, unchanged=(("a", "a"),))) == [("a",), ("b",)]


def test_redesigns_cut_the_pages_in_order_of_capture() -> None:
    pages = [page("new", captured="2024"), page("old", captured="2020"), page("first")]
    change = Redesign(before=("old",), after=("new",))
    assert layouts(unit(*pages, redesigns=(change,))) == [("new",), ("old", "first")]


def test_redesigns_between_the_same_labels_are_one() -> None:
    pages = [page(f"{side}{n}", layout=side) for side in "ab" for n in range(3)]
    redesigns = (
        Redesign(before=("a0",), after=("b0",), same_page=(("a0", "b0"),)),
        Redesign(before=("a0", "a1"), after=("b1",), same_page=(("a1", "b1"),)),
        Redesign(before=("b2",), after=("a2",)),
    )
    assert merged_redesigns(unit(*pages, redesigns=redesigns)) == [
        Redesign(
            before=("a0", "a1"),
            after=("b0", "b1"),
            same_page=(("a0", "b0"), ("a1", "b1")),
        ),
        Redesign(before=("b2",), after=("a2",)),
    ]


def test_redesigns_of_pages_without_labels_stay_apart() -> None:
    pages = [page(name) for name in "abcd"]
    redesigns = (
        Redesign(before=("a",), after=("b",)),
        Redesign(before=("c",), after=("d",)),
    )
    assert merged_redesigns(unit(*pages, redesigns=redesigns)) == list(redesigns)


def test_only_pages_of_the_unit_are_left_in_a_redesign() -> None:
    redesigns = (
        Redesign(before=("a", "gone"), after=("b",)),
        Redesign(before=("gone",), after=("b",)),
        Redesign(before=("a",), after=("gone",)),
    )
    assert merged_redesigns(unit(page("a"), page("b"), redesigns=redesigns)) == [
        Redesign(before=("a",), after=("b",))
    ]


def test_a_listing_without_pairs_is_paired_in_order() -> None:
    pages = [page(name) for name in "abc"]
    change = Redesign(before=("a",), after=("b", "c"))
    (merged,) = merged_redesigns(unit(*pages, redesigns=(change,), listing=True))
    assert merged.same_page == (("a", "b"),)
    (merged,) = merged_redesigns(unit(*pages, redesigns=(change,)))
    assert merged.same_page == ()
