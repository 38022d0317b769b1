"""A duration that two others add up to is no known one found again where one page alone shows it."""

from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.healing.fields import css
from tests.induce.healing.test_field import healed, linked, places


def test_what_two_durations_add_up_to_on_one_page_overrules_nobody() -> None:
    """Five and twenty are the known twenty-five, and the page says eight hours twice."""
    spec = FieldSpec(name="total_time", kind=FieldKind.MINUTES)

    def shown(prepared: int, cooked: int, total: int) -> str:
        said = {
            "prepTime": f"PT{prepared}M",
            "cookTime": f"PT{cooked}M",
            "totalTime": f"PT{total}M",
        }
        stated = linked(**said).replace("Product", "Recipe")
        return f"<p>Total time: <b class='total'>{total} min</b></p>{stated}"

    old = css(".total")
    for pages in (1, 2):
        bodies = [shown(5 + at, 20, 480 + at) for at in range(pages)]
        known = [str(25 + at) for at in range(pages)]
        result = healed(bodies, known, old, spec=spec)
        assert (places(result)[0] == ".total") is (pages == 1), result.decision
