"""Votes: who agrees, who is silent, who wins."""

from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.crawler.vote import decide
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import canonical

TITLE, PRICE = FieldSpec(name="title"), FieldSpec(name="price", kind=FieldKind.NUMBER)
TAGS = FieldSpec(name="tags", shape=Shape.LIST)
TEXTS = st.text(max_size=8) | st.sampled_from(
    ["&nbsp;", "<b>", "&amp;lt;b&amp;gt;", "\u200b", "★", "a & b", " x "]
)
NUMBERS = st.decimals(-10_000, 10_000, places=2).map(str) | st.integers(0, 99).map(str)


@given(
    st.tuples(st.just(TITLE), st.lists(TEXTS, min_size=1, max_size=3))
    | st.tuples(st.just(PRICE), st.lists(NUMBERS, min_size=1, max_size=3))
    | st.tuples(
        st.just(TAGS), st.lists(st.lists(TEXTS, max_size=2), min_size=1, max_size=2)
    ),
    st.lists(st.integers(0, 3), min_size=1, max_size=5),
)
def test_what_has_one_normal_form_is_one_voice(given_values, chosen):
    spec, values = given_values
    said = [values[at] if at < len(values) else None for at in chosen]
    value, vote = decide([(f"r{at}", 1.0, one) for at, one in enumerate(said)], spec)
    forms = [canonical(one, spec) for one in said]
    speaking = [form for form in forms if form is not None]
    assert vote.readers == len(said) and vote.live_readers == len(speaking)
    assert len(vote.rivals) == max(len(set(speaking)) - 1, 0)
    if speaking:
        most = max(map(speaking.count, speaking))
        assert speaking.count(canonical(value, spec)) == most
        weight = sum(1.0 if one is not None else 0.5 for one in said)
        assert vote.agreement == round(most / weight, 4)
    else:
        assert value is None
