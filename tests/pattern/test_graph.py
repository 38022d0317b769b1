"""What leads to what."""

from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.pattern.graph import components, visited

GRAPHS = st.dictionaries(
    st.integers(0, 7), st.lists(st.integers(0, 7), max_size=4), min_size=1
)


@given(GRAPHS)
def test_nodes_of_a_component_lead_to_each_other_and_to_no_other_and_back(
    graph: dict[int, list[int]],
) -> None:
    def following(node: int) -> list[int]:
        return graph.get(node, [])

    found = list(components(graph, following))
    nodes = set(graph) | visited(graph, following)
    assert sorted(node for own in found for node in own) == sorted(nodes)
    for own in found:
        for one in own:
            reached = visited([one], following) | {one}
            together = {
                other
                for other in reached
                if other == one or one in visited([other], following)
            }
            assert together == own
