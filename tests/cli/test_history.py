"""`diff`, `versions`, `costs` and `audit`: tables for people, the same for programs."""

import json
from decimal import Decimal
from pathlib import Path

import pytest
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.errors import ConfigError
from crawloop_assets.project import Project
from crawloop_assets.store import LlmCall, Store
from tests.cli.conftest import PRODUCT, Say
from tests.models import Item
from tests.store.conftest import commit, family, served
from tests.world import World


def test_changes_are_told_with_before_and_after(
    project: Project, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(project.var, project.published)
    of = family(PRODUCT)
    monkeypatch.setattr(Project, "family", lambda *_: of)
    for run, title in (("r1", "[bold]Tea"), ("r2", "Green tea")):
        store.commit_batch(
            commit(
                run,
                [served("https://shop.test/1", Item(title=title, price=Decimal(1)))],
                of,
            )
        )
    rows = json.loads(say("diff", PRODUCT, "--since", "1d", "--json"))
    assert [
        (row["state"], row["before"], row["after"])
        for row in rows
        if row["field"] == "title"
    ] == [
        ("new", "nothing", "[bold]Tea"),
        ("changed", "[bold]Tea", "Green tea"),
    ]
    assert "[bold]Tea" in say("diff", PRODUCT) and "2 change(s) of 1 record(s)" in say(
        "diff", PRODUCT
    )
    assert json.loads(say("diff", PRODUCT, "--since", "2100-01-01", "--json")) == []
    wrong = CliRunner().invoke(app, ["diff", PRODUCT, "--since", "soon"])
    assert wrong.exit_code == 1 and "'soon' is no day" in str(wrong.exception)


def test_versions_say_what_each_does_otherwise(healthy: World, say: Say) -> None:
    (row,) = json.loads(say("versions", PRODUCT, "--json"))
    assert (row["version"], row["status"], row["rows"]) == ("v1", "active", "40")
    assert row["what_it_does_otherwise"].startswith(
        "It is the first version; it reads "
    )
    assert "first version" in say("versions", PRODUCT)


def test_costs_say_what_was_spent_what_a_model_would_cost_and_what_that_rests_on(
    home: Path, project: Project, say: Say
) -> None:
    store = Store(project.var, project.published)
    (free,) = json.loads(say("costs", "--json"))
    assert (free["calls"], free["usd"], free["price_is_own"]) == (0, 0, False)
    assert free["usd_by_model"] == pytest.approx(free["pages"] * 0.00114)
    said = say("costs")
    assert (
        "Assumed is $0.00114 for a page: 6,000 tokens at $0.15 and 400 at $0.6 for a million"
        in said
    )
    name = free["family"]
    store.record_calls(
        LlmCall(family=name, purpose="serve", model="m", usd=0.2, prompt="serve-1"),
        LlmCall(family=name, purpose="repair", model="m"),
    )
    (own,) = json.loads(say("costs", "--json"))
    assert (own["calls"], own["unknown"], own["usd"]) == (2, 1, 0.2)
    assert own["usd_by_model"] == pytest.approx(own["pages"] * 0.2)
    assert [one["prompts"] for one in own["purposes"]] == [[], ["serve-1"]]
    told = say("costs")
    assert "Assumed" not in told and "and 1 of unknown price" in told
    assert "│ at most $" in told, "what is not known may have eaten it"


def test_costs_of_nothing_are_said_in_words(project: Project, say: Say) -> None:
    assert say("costs", PRODUCT).startswith("no page was read and no model asked in 30")
    assert json.loads(say("costs", PRODUCT, "--json")) == []


def test_the_audit_has_decisions_drift_and_model_calls(red: World, say: Say) -> None:
    red.store.record_calls(LlmCall(family=PRODUCT, purpose="serve", model="m", usd=0.5))
    rows = json.loads(say("audit", PRODUCT, "--json", "--limit", "500"))
    kinds = {row["what"] for row in rows}
    assert {"crawler_promoted", "drift", "model_call"} <= kinds
    assert [row["when"] for row in rows] == sorted(row["when"] for row in rows)
    drift = json.loads(say("audit", "--what", "drift", "--json"))
    assert (
        len(drift) == len(red.shown()["failed"])
        and "title is not valid: Field required" in drift[0]["detail"]
    )
    said = " ".join(say("audit", PRODUCT).split())
    assert "version 1" in said and "version=" not in said
    (added, *_) = [row for row in rows if row["what"] == "crawler_added"]
    assert added["data"]["version"] == 1 and drift[0]["data"] == {}


def test_the_audit_of_a_family_that_never_was_names_those_that_are(
    project: Project, say: Say
) -> None:
    with pytest.raises(ConfigError, match="no family 'shop/prodct'") as caught:
        say("audit", "shop/prodct")
    assert PRODUCT in str(caught.value)


def test_more_days_than_there_were_are_refused() -> None:
    said = CliRunner().invoke(app, ["costs", "--days", "99999999999999999999"])
    assert said.exit_code == 2
    assert "36500" in said.output
