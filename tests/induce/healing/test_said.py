"""What was tried for a field that healing leaves as it was."""

import json

from crawloop_assets.induce.healing.said import in_words
from crawloop_assets.schema import FieldSpec
from tests.induce.healing.fields import css, witnesses

BRAND = FieldSpec(name="brand")
OLD = css(".maker", ".by")


def test_every_witness_is_named_with_what_it_gives() -> None:
    stated = json.dumps({"@type": "Product", "brand": "Otto"})
    bodies = [
        "<p class='maker'>Vela</p><i>Hesper Works</i>",
        f"<p>x</p><script type='application/ld+json'>{stated}</script>",
    ]
    made = witnesses(BRAND, OLD, bodies, ("Hesper Works", "Lumen Works"))
    assert in_words(made) == (
        "its 2 reader(s) give 'Vela' on 1 of 2 page(s), "
        "structured data states 'Otto' on 1 of 2 page(s), "
        "1 of 2 known value(s) stand on their page"
    )


def test_silence_is_told_and_long_values_are_cut() -> None:
    silent = witnesses(BRAND, OLD, ["<p>x</p>"], (None,))
    assert in_words(silent) == (
        "its 2 reader(s) give nothing, structured data states nothing, "
        "0 of 0 known value(s) stand on their page"
    )
    long = witnesses(BRAND, OLD, [f"<p class='maker'>{'V' * 99}</p>"], (None,))
    assert f"give '{'V' * 39} on 1 of 1" in in_words(long)
