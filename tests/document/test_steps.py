import pytest

from crawloop_assets.document.steps import STEP_READERS


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (
            "1. Heat the oven.2. Mix 2.5 cups of flour. 3) Bake.",
            ["Heat the oven.", "Mix 2.5 cups of flour.", "Bake."],
        ),
        (
            "Heat to 1. Then 2. Bake.",
            ["Heat to 1. Then 2. Bake."],
        ),  # does not begin by counting
        ("1. Only one step, for 2 people.", ["1. Only one step, for 2 people."]),
        ("1. Mix.<br>2. Bake.", ["1. Mix.", "2. Bake."]),
    ],
)
def test_a_text_that_counts_its_steps_is_cut_at_the_numbers(
    text: str, steps: list[str]
) -> None:
    assert STEP_READERS["steps"](text) == steps
