"""What is there, of values that may be missing."""

from crawloop_assets.values.present import present


def test_only_none_is_missing() -> None:
    assert present([0, None, "", False, None, "a"]) == [0, "", False, "a"]
    assert present(iter([None])) == []
