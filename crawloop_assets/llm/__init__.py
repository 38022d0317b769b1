"""The model of last resort: asked in one place, inside a budget, and believed only what
the page proves."""

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
