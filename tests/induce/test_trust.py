import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.induce import trust
from crawloop_assets.induce.trust import (
    TRUST,
    check_changes,
    tuned,
    tuned_of,
    vary,
)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trust, "_values", dict(trust._values))


@pytest.mark.usefixtures("kept")
def test_an_entry_is_varied_by_a_factor_or_set() -> None:
    vary(["predicates.id=×1.5", "predicates.tag=0.125", "rows.alike=x0.5"])
    assert tuned("predicates.id") == pytest.approx(1.2)
    assert tuned("predicates.tag") == 0.125
    assert tuned("rows.alike") == pytest.approx(0.35)
    assert TRUST["predicates.id"].value == 0.8


@pytest.mark.parametrize(
    "change", ["predicates.id", "nobody.knows=x2", "rows.alike=y2"]
)
def test_what_is_no_change_of_an_entry_is_refused(change: str) -> None:
    with pytest.raises(ConfigError, match="trust table"):
        check_changes([change])


def test_what_a_table_has_not_is_trusted_as_other_things_are() -> None:
    assert tuned_of("attribute", "@alt", "attribute.other") == 0.55
    assert tuned_of("attribute", "@data-x", "attribute.other") == 0.7
