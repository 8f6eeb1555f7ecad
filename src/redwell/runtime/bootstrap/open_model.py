"""Opens the model that a case has chosen: behind a server, or from a file in a sandboxed child."""

import hashlib
import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from redwell.core.errors import UserError
from redwell.core.understanding.gguf import GgufOrder, free_threads
from redwell.core.understanding.models import ModelChoice
from redwell.core.work.kinds import Profile
from redwell.ports.language_model import LanguageModel
from redwell.processing.children.limits import ChildConfig, LaneLimits
from redwell.runtime.bootstrap.child_profiles import of_profile, parsers
from redwell.runtime.bootstrap.handler_modules import discover
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.understanding.child_model import ChildModel

_LIFE = 1_000_000  # to read the model again takes longer than any leak could cost


@contextmanager
def opened_model(choice: ModelChoice, settings: Settings, scratch: Path) -> Iterator[LanguageModel | None]:
    """None: rules alone. UserError where something is lacking here."""
    if choice.kind == "none":
        yield None
        return
    model = _in_child(choice, settings, scratch) if choice.kind == "gguf" else _behind_server(choice)
    try:
        yield model
    finally:
        model.close()


def _behind_server(choice: ModelChoice) -> LanguageModel:
    from redwell.adapters.llm.opening import open_chosen

    return open_chosen(choice)


def sha256_of_model(file: Path) -> str:
    try:
        with open(file, "rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise UserError(f"the model {file} can't be read: {error.strerror}") from None


def _in_child(choice: ModelChoice, settings: Settings, scratch: Path) -> LanguageModel:
    if importlib.util.find_spec("xllamacpp") is None:
        raise UserError("a model in a file needs the extra `model`: pip install 'redwell[model]'")
    if sha256_of_model(Path(choice.file)) != choice.sha256:
        raise UserError(f"{choice.file} is another file than the one that was chosen; choose it again")
    order = GgufOrder(file=choice.file, threads=free_threads(os.cpu_count() or 1, os.getloadavg()[0]))
    return ChildModel(f"gguf {choice.name} {choice.sha256}", order, model_child(settings, Path(choice.file), scratch))


def model_child(settings: Settings, file: Path, scratch: Path) -> ChildConfig:
    modules = discover()
    like = parsers(settings, modules[Profile.PARSER], [file], scratch)
    limits = LaneLimits(wall_s=settings.model_wall_s, rss_mb=settings.model_rss_mb)
    config = of_profile(Profile.MODEL, like, modules[Profile.MODEL])
    return replace(config, small=limits, large=limits, retire_rss_mb=settings.model_rss_mb, life=_LIFE)
