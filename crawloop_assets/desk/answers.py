"""What commands answer to programs: a model for each, of which the JSON Schemas, their page
in the documents and what the tests hold every answer against are made."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from pydantic import TypeAdapter

from crawloop_assets.access.proxies import Checked
from crawloop_assets.desk.answer_models import (
    AboutAnswer,
    AccessAnswer,
    ChangeAnswer,
    ContractAnswer,
    CostAnswer,
    DoneAnswer,
    EventAnswer,
    ExplainAnswer,
    FamilyAnswer,
    FilesAnswer,
    FindingAnswer,
    ForgetAnswer,
    HeldAnswer,
    HeldPageAnswer,
    ItemAnswer,
    LoadAnswer,
    NotifyAnswer,
    PagesAnswer,
    PruneAnswer,
    QuestionAnswer,
    ReadyAnswer,
    ShownFamily,
    StatusAnswer,
    SuspectAnswer,
    TrialAnswer,
    UpgradeAnswer,
    VersionAnswer,
    WaveAnswer,
)
from crawloop_assets.desk.verbs import VERBS
from crawloop_assets.family import Family
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.store import (
    Question,
    Store,
)
from crawloop_assets.store.contracts import promises
from crawloop_assets.store.waves import KnownWave

ANSWERS_NAME = "answers"
"""What `crawloop schema` calls them."""
_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def contract_answer(store: Store, family: Family) -> ContractAnswer:
    """The contract of a family, held against its rows."""
    figures = store.contracts.figures(family)
    return ContractAnswer(
        family=family.family,
        contract=family.contract,
        promises=list(promises(family)),
        figures=figures,
        broken=list(figures.broken(family)),
    )


ANSWER_MODELS: Mapping[str, Any] = {
    "access check-proxies": list[Checked],
    "access status": list[AccessAnswer],
    "audit": list[EventAnswer],
    "code": DoneAnswer,
    "contract": ContractAnswer,
    "costs": list[CostAnswer],
    "crawl": list[dict[str, Any]],
    "diff": list[ChangeAnswer],
    "doctor": list[FindingAnswer],
    "explain": list[ExplainAnswer],
    "family check": FilesAnswer,
    "family list": list[FamilyAnswer],
    "family show": ShownFamily | ScoreSheet,
    "forget": ForgetAnswer,
    "inbox": list[ItemAnswer],
    "load": LoadAnswer,
    "model": ReadyAnswer,
    "notify": NotifyAnswer,
    "prune": PruneAnswer,
    "pages": PagesAnswer,
    "quarantine list": list[HeldAnswer],
    "quarantine show": HeldPageAnswer,
    "question list": list[QuestionAnswer],
    "question show": Question,
    "report": list[KnownWave] | WaveAnswer,
    "status": list[StatusAnswer],
    "suspects": list[SuspectAnswer],
    "try": TrialAnswer,
    "upgrade": list[UpgradeAnswer],
    "versions": list[VersionAnswer],
    "why": list[AboutAnswer],
} | dict.fromkeys([verb.name for verb in VERBS], DoneAnswer)
"""The answer of each command that has `--json`."""


@cache
def answers_schema() -> str:
    """One JSON Schema with a property for each command, of what it answers."""
    mode: Literal["serialization"] = "serialization"
    asked = [(name, mode, TypeAdapter(of)) for name, of in ANSWER_MODELS.items()]
    made, schema = TypeAdapter.json_schemas(asked)
    answers = {name: made[(name, mode)] for name in sorted(ANSWER_MODELS)}
    about = {"title": "What commands answer with --json", "type": "object"}
    whole = {"$schema": _DRAFT, **about, "properties": answers, **schema}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
