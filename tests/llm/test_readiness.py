"""Which model would be asked, and by whose choice; see also tests/cli/test_model.py."""

import pytest

from crawloop_assets.llm.readiness import readiness
from tests.heal.town import GOODS

KEY = {"ANTHROPIC_API_KEY": "sk-0123456789"}


@pytest.mark.parametrize(
    ("environ", "model", "by"),
    [
        (KEY, None, "the provider whose key is set"),
        (KEY | {"CRAWLOOP_MODEL": "anthropic/other"}, None, "CRAWLOOP_MODEL"),
        (KEY, "anthropic/mine", "--model"),
    ],
)
def test_who_chose_the_model_is_said(
    environ: dict[str, str], model: str | None, by: str
) -> None:
    found = readiness(None, environ, model)
    assert found.chosen_by == by and found.trouble == ""
    assert "budget_usd" in readiness(GOODS, environ, model).trouble


def test_without_a_key_only_the_remedy_is_said() -> None:
    found = readiness(GOODS, {})
    assert found.sentence == found.trouble != ""
