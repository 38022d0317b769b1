"""The names of signs."""

from crawloop_assets.drift.sign import Sign


def test_history_can_name_a_sign_and_its_subject():
    """It keeps them as "sign:subject"."""
    assert all(":" not in sign.value for sign in Sign)
    assert [sign.value for sign in Sign] == [sign.name.lower() for sign in Sign]
