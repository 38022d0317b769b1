"""The structure that a server takes is found out once."""

from pathlib import Path

from crawloop_assets.family import Structured
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.llm.structures import (
    easier_structure,
    forget_structures,
    keep_structure,
    known_structure,
)


def test_what_an_endpoint_took_is_known_to_other_processes(tmp_path: Path) -> None:
    settings = ModelSettings(model="openai/any", cache=tmp_path)
    assert known_structure("here", settings) is Structured.JSON_SCHEMA
    keep_structure("here", settings, Structured.JSON_OBJECT)
    forget_structures()
    assert known_structure("here", settings) is Structured.JSON_OBJECT
    assert known_structure("there", settings) is Structured.JSON_SCHEMA
    plain = settings.model_copy(update={"structured": Structured.PROMPT})
    assert known_structure("here", plain) is Structured.PROMPT


def test_every_structure_but_the_last_has_an_easier_one() -> None:
    assert [easier_structure(one) for one in Structured] == [
        *list(Structured)[1:],
        None,
    ]
