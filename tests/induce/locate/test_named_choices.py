"""Choices that stand in a text as they are declared."""

from crawloop_assets.crawler.transforms import apply
from crawloop_assets.induce.locate.fit import fit
from crawloop_assets.induce.locate.named_choices import choices_in, named_choices
from crawloop_assets.schema import FieldKind, FieldSpec

END = FieldSpec(
    name="end", kind=FieldKind.CHOICE, choices=("upheld", "quashed", "quashed in part")
)


def test_the_longer_of_two_choices_that_begin_alike_is_found_first() -> None:
    cut = named_choices(END)
    assert apply(cut, ["Quashed in part, 3 pages"]) == ["Quashed in part"]
    assert apply(cut, ["2025: quashed"]) == ["quashed"]
    assert apply(cut, ["2025: unquashed"]) == []


def test_all_choices_of_a_text_are_said() -> None:
    assert choices_in("Upheld in 2025", END) == ["upheld"]
    assert choices_in("Quashed in part", END) == ["quashed", "quashed in part"]


def test_many_choices_are_not_looked_for_one_by_one() -> None:
    every = tuple(f"country {at}" for at in range(40))
    spec = FieldSpec(name="country", kind=FieldKind.CHOICE, choices=every)
    assert named_choices(spec) == () and choices_in("country 3", spec) == []
    assert fit("country 3", "country 3", spec, "") == ()
    assert fit("Made in country 3 in 2019", "country 3", spec, "") is None
