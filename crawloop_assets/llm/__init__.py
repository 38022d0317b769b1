"""The model of last resort: asked in one place, inside a budget, and believed only what
the page proves."""

import sys

from crawloop_assets.family import Structured
from crawloop_assets.llm.ask import ask
from crawloop_assets.llm.question import Ledger, ModelAnswer, ModelRequest, Purpose
from crawloop_assets.llm.serve import ModelRead, extract_with_model
from crawloop_assets.llm.settings import ModelSettings, model_settings

__all__ = [
    "Ledger",
    "ModelAnswer",
    "ModelRead",
    "ModelRequest",
    "ModelSettings",
    "Purpose",
    "Structured",
    "ask",
    "extract_with_model",
    "model_settings",
]

# litellm speaks by httpx: as if that had been installed without its command line, which
# loads a hundred modules that colour what it prints.
sys.modules.setdefault("httpx._main", None)  # type: ignore[arg-type]
