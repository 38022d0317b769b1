"""What is done about a field of few values, which words of other things fit by chance."""

from typing import Any

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.induce.healing.field import heal_field
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.healing.fields import witnesses

OWNED_ONCE = FieldSpec(name="first_hand", kind=FieldKind.BOOLEAN, required=True)
SAID = (("yes", "Dealer"), ("no", "Private"), ("yes", "Dealer"), ("no", "Private"))
BODIES = [
    f"<p><i>Owned once</i> <b>{owned}</b></p><h2>Sold by</h2><p class='who'>{by}</p>"
    for owned, by in SAID
]


def healed(label: str) -> list[str]:
    """Where the flag is read that was read behind a label."""
    old = Reader(src=Source.LABEL, at=label, get="next")
    known: list[Any] = [owned == "yes" for owned, _ in SAID]
    made = heal_field(witnesses(OWNED_ONCE, (old,), BODIES, known))
    return [one.at for one in made.program.readers]


def test_a_choice_that_is_right_wherever_it_is_known_takes_no_other_words() -> None:
    assert healed("ownedonce") == ["ownedonce"]


def test_one_that_is_silent_does() -> None:
    assert healed("secondhand")[0] != "secondhand"
