from crawloop_assets.induce.detail.proved import proved
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.detail.documents import by_css, candidate, document


def test_only_what_reads_the_value_is_proved_in_the_order_given() -> None:
    page = document("<i class='a'>5 kg</i><i class='b'>6 kg</i><i class='c'>5.0</i>")
    weight = FieldSpec(name="weight", kind=FieldKind.NUMBER)
    found = [candidate(by_css(at)) for at in (".c", ".b", ".d", ".a")]
    kept = proved(iter(found), page, "5", weight)
    assert [each.reader.at for each in kept] == [".c", ".a"]
