from pathlib import Path

from crawloop_assets.eval.layouts import layouts
from crawloop_assets.eval.pack import Capture, PackFamily, Redesign, load_pack
from crawloop_assets.eval.plan import cases, units
from crawloop_assets.eval.tasks import Task


def unit_of(pack: Path, name: str):  # type: ignore[no-untyped-def]
    return units(next(family for family in load_pack(pack) if family.family == name))[0]


def test_programs_learn_from_before_pages_and_never_from_the_page_they_are_scored_on(
    pack: Path,
) -> None:
    for case in cases(unit_of(pack, "shop")):
        if case.task is Task.HEAL:
            assert all(page.startswith("old") for page in case.learn)
            assert set(case.test).isdisjoint(hint.page for hint in case.hints)
        if case.task is not Task.ZERO_EXAMPLES:
            assert set(case.learn).isdisjoint(case.test)


def test_held_out_blind_and_alignable_healing_are_apart(pack: Path) -> None:
    heals = [case for case in cases(unit_of(pack, "shop")) if case.test == ("new0",)]
    assert {
        case.task: [(hint.page, hint.known) for hint in case.hints] for case in heals
    } == {
        Task.HEAL: [("new1", "old1"), ("new2", "old2")],
        Task.HEAL_BLIND: [("new0", None)],
        Task.ALIGNABLE: [("new0", "old0")],
    }


def test_a_layout_ends_where_a_redesign_stands_between() -> None:
    pages = tuple(
        Capture(
            id=name,
            file=name,
            url="https://a.example",
            captured=f"20{at:02}",
            records=({"price": "1"},),
        )
        for at, name in enumerate("abcd")
    )
    family = PackFamily(
        family="f",
        schema="Product",
        kind="detail",
        pages=pages,
        redesigns=(Redesign(before=("b",), after=("c",)),),
    )
    assert layouts(units(family)[0]) == [("a", "b"), ("c", "d")]


def test_more_pages_give_cases_with_two_and_three_learned(pack: Path) -> None:
    tasks = {case.task for case in cases(unit_of(pack, "shop"))}
    assert {Task.COMPILE, Task.COMPILE_K2} <= tasks
    assert Task.COMPILE_K3 not in tasks


def test_listings_learn_five_records(pack: Path) -> None:
    assert [case.task for case in cases(unit_of(pack, "quotes"))] == [Task.LISTING]


def test_drift_is_judged_on_all_after_pages_together(pack: Path) -> None:
    drift = [case for case in cases(unit_of(pack, "shop")) if case.task is Task.DRIFT]
    assert [(case.learn, case.test, case.unchanged) for case in drift] == [
        (("old0", "old1", "old2"), ("new0", "new1", "new2"), False)
    ]
