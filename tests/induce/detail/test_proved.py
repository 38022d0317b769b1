from unittest.mock import patch

from crawloop_assets.induce.detail import proved as proving
from crawloop_assets.induce.detail.proved import proved
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.induce.detail.documents import by_css, candidate, document


def test_only_what_reads_the_value_is_proved_in_the_order_given() -> None:
    page = document("<i class='a'>5 kg</i><i class='b'>6 kg</i><i class='c'>5.0</i>")
    weight = FieldSpec(name="weight", kind=FieldKind.NUMBER)
    found = [candidate(by_css(at)) for at in (".c", ".b", ".d", ".a")]
    kept = proved(iter(found), page, "5", weight)
    assert [each.reader.at for each in kept] == [".c", ".a"]


PARTS = (
    "<ul><li>Base</li><li>Arm</li><li>Shade</li><li>Bulb</li></ul><p>Bulb</p><b>n/a</b>"
)


def test_a_list_is_proved_by_all_of_its_items() -> None:
    page = document(PARTS)
    readers = [candidate(by_css(at)) for at in ("li", "p", "li, p", "b", "i")]
    parts = FieldSpec(name="parts", shape=Shape.LIST)
    kept = proved(readers, page, ["Base", "Arm", "Shade", "Bulb"], parts)
    assert [each.reader.at for each in kept] == ["li"]
    assert not proved(readers, page, ["Base", "Arm", "Shade", "Cord"], parts)
    assert not proved(readers, page, ["Arm", "Base", "Shade", "Bulb"], parts)


def test_the_items_of_a_set_are_proved_in_any_order_and_number() -> None:
    page = document(PARTS)
    readers = [candidate(by_css(at)) for at in ("li", "p", "li, p")]
    parts = FieldSpec(name="parts", shape=Shape.SET)
    kept = proved(readers, page, ["Shade", "Bulb", "Arm", "Base"], parts)
    assert [each.reader.at for each in kept] == ["li", "li, p"]


def test_a_list_of_which_the_page_says_that_it_is_none_proves_nothing() -> None:
    parts = FieldSpec(name="parts", shape=Shape.LIST)
    assert not proved([candidate(by_css("b"))], document(PARTS), ["n/a"], parts)


def test_a_list_of_other_items_is_not_read_to_its_end() -> None:
    page = document("".join(f"<i>{number}</i>" for number in range(100)))
    parts = FieldSpec(name="parts", shape=Shape.LIST)
    with patch.object(proving, "to_value", wraps=proving.to_value) as read:
        assert not proved([candidate(by_css("i"))], page, ["Base", "Arm"], parts)
    assert max(len(call.args[0]) for call in read.call_args_list) < 5
