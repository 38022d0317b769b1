"""Which redesigns of a pack are replayed."""

from collections.abc import Sequence
from typing import Any

from crawloop_assets.eval.pack import PackFamily
from crawloop_assets.replay.choice import Half, chosen, half_of

KEPT = {"before": ["a"], "after": ["b"], "same_page": [["a", "b"]]}
OTHER = {"before": ["a"], "after": ["b"]}


def family(
    name: str,
    schema: str = "Recipe",
    kind: str = "detail",
    redesigns: Sequence[dict[str, Any]] = (KEPT,),
) -> PackFamily:
    return PackFamily.model_validate(
        {
            "family": name,
            "schema": schema,
            "kind": kind,
            "pages": [],
            "redesigns": redesigns,
        }
    )


def test_a_family_gives_its_last_redesign_that_keeps_a_page() -> None:
    pack = [
        family("kept", redesigns=[KEPT, KEPT, OTHER]),
        family("other pages", redesigns=[OTHER]),
        family("never changed", redesigns=[]),
        family("list", kind="listing", redesigns=[OTHER]),
        family("new list", kind="listing", redesigns=[{"before": [], "after": ["b"]}]),
    ]
    found = {one.family: one.redesign for one in chosen(pack)}
    assert found == {"kept": 1, "list": 0}


def test_the_order_of_the_pack_and_its_other_families_do_not_matter() -> None:
    pack = [family(f"site {number}") for number in range(40)]
    names = [one.family for one in chosen(pack)]
    assert sorted(names) == sorted(one.family for one in pack)
    assert [one.family for one in chosen(pack[::-1])] == names != sorted(names)
    assert [one.family for one in chosen(pack[:20])] == [
        name for name in names if int(name.split()[1]) < 20
    ]


def test_the_halves_are_the_whole_and_share_nothing() -> None:
    pack = [family(f"site {number}") for number in range(40)]
    fit, report = (
        {one.family for one in chosen(pack, half)} for half in (Half.FIT, Half.REPORT)
    )
    assert len(fit | report) == 40 and not fit & report
    assert all(half_of(name) is Half.FIT for name in fit)
    assert min(len(fit), len(report)) > 10


def test_a_limit_takes_every_schema_in_turn() -> None:
    pack = [family(f"recipe {number}") for number in range(20)]
    pack += [family("paper", "Document"), family("news", "Article")]
    schemas = [one.schema for one in chosen(pack, limit=5)]
    assert schemas == ["Article", "Document", "Recipe", "Recipe", "Recipe"]
