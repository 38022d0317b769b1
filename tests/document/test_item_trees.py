import pytest

from crawloop_assets.document.item_trees import ITEM_READERS


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
    assert ITEM_READERS["items"](text) == steps


SECTION = {"name": "Dough", "itemListElement": [{"text": "Mix."}, {"text": "Knead."}]}
NAMED = {"name": "Baking", "text": "Bake for an hour."}


@pytest.mark.parametrize(
    ("node", "steps", "with_sections", "with_names"),
    [
        ([SECTION, NAMED],
         ["Mix.", "Knead.", "Bake for an hour."],
         ["Dough", "Mix.", "Knead.", "Bake for an hour."],
         ["Dough", "Mix.", "Knead.", "Baking", "Bake for an hour."]),
        ({"name": "Step 1", "text": "Mix."}, ["Mix."], ["Mix."], ["Mix."]),
        ({"name": "Mix…", "text": " Mix it."}, ["Mix it."], ["Mix it."], ["Mix it."]),
        ({"name": " ", "text": "Mix."}, ["Mix."], ["Mix."], ["Mix."]),
        ({"name": "Mix."}, ["Mix."], ["Mix."], ["Mix."]),
        ({"name": "A", "text": ["b", "c"]}, ["b", "c"], ["b", "c"], ["A", "b", "c"]),
        ({"description": "d"}, ["d"], ["d"], ["d"]),
        ({"item": {"text": "t"}}, ["t"], ["t"], ["t"]),
        ({"steps": [{"step": ["a"]}], "name": ""}, ["a"], ["a"], ["a"]),
        ({"name": {"x": 1}, "step": "a"}, ["a"], ["a"], ["a"]),
        ([None, 3, True], [], [], []),
    ],
)  # fmt: skip
def test_instructions_are_read_however_they_are_nested(
    node: object,
    steps: list[str],
    with_sections: list[str],
    with_names: list[str],
) -> None:
    def read(get: str) -> list[str]:
        return [text.strip() for text in ITEM_READERS[get](node)]

    assert read("items") == steps
    assert read("items+headings") == with_sections
    assert read("items+names") == with_names


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("<p>a</p><p>b</p>", ["<p>a", "<p>b"]),
        ("a<br>b<BR />c", ["a", "b", "c"]),
        ("a\r\nb\n\nc", ["a", "b", "c"]),
        ("&lt;li&gt;a&lt;/li&gt;&lt;li&gt;b", ["<li>a", "<li>b"]),
        ("a &amp; b", ["a &amp; b"]),
        (" \t<p/> ", []),
    ],
)
def test_a_text_is_cut_where_its_markup_breaks(text: str, parts: list[str]) -> None:
    assert ITEM_READERS["items"](text) == parts


def test_steps_are_looked_for_six_deep() -> None:
    for depth, steps in ((6, ["a"]), (7, [])):
        node: object = "a"
        for _ in range(depth):
            node = [node]
        assert ITEM_READERS["items"](node) == steps
        nested: object = "a"
        for _ in range(depth):
            nested = {"step": nested}
        assert ITEM_READERS["items"](nested) == steps
