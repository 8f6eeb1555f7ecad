"""The model that a case has chosen, opened. Called by runtime.bootstrap."""

import os

from redwell.adapters.llm.anthropic import AnthropicModel
from redwell.adapters.llm.openai import OpenAiModel
from redwell.core.errors import UserError
from redwell.core.understanding.models import ModelChoice, checked
from redwell.ports.language_model import LanguageModel


def open_chosen(choice: ModelChoice) -> LanguageModel:
    """UserError where something is lacking here: the key, a package, the file."""
    checked(choice)
    match choice.kind:
        case "openai":
            return OpenAiModel(choice, _key(choice))
        case "anthropic":
            return AnthropicModel(choice, _key(choice))
        case "bedrock":
            return _bedrock(choice)
    raise UserError(f"models of kind {choice.kind!r} can't be opened")


def _bedrock(choice: ModelChoice) -> LanguageModel:
    try:
        from redwell.adapters.llm.bedrock import BedrockModel

        return BedrockModel(choice)
    except ImportError:
        raise UserError("Bedrock needs the extra `aws`: pip install 'redwell[aws]'") from None


def _key(choice: ModelChoice) -> str:
    if not choice.key_variable:
        return ""
    key = os.environ.get(choice.key_variable, "")
    if not key:
        raise UserError(f"the model's key is to be in the environment variable {choice.key_variable}, which is empty")
    return key
