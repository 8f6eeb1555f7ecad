"""The viewing engine that the settings name, and addresses of files for it. Part of bootstrap's joining."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path

from redwell.adapters.threads.uploader_compute import LocalCompute
from redwell.core.access.links import LONGEST_S, Link, signature
from redwell.core.errors import UserError
from redwell.ports.viewing.uploader_compute import ComputeSpec, UploaderCompute
from redwell.ports.viewing.viewing_engine import ViewingEngine
from redwell.runtime.bootstrap.open_accounts import open_people
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.bootstrap.vendors import aws_adapter

ENGINE = 0  # no account has this number: links that the server signs for its viewing engine


def open_engine(settings: Settings) -> ViewingEngine:
    if not settings.viewer_url.startswith(("http://", "https://")):
        raise UserError("viewer=nutrient needs viewer_url, such as http://127.0.0.1:5000")
    if not settings.viewer_token:
        raise UserError("viewer=nutrient needs viewer_token, the engine's API_AUTH_TOKEN: set REDWELL_VIEWER_TOKEN")
    module = import_module("redwell.adapters.nutrient.engine")  # its library is loaded where it is used alone
    engine: ViewingEngine = module.NutrientEngine(settings.viewer_url, settings.viewer_token, settings.flatten_s)
    return engine


Task = Callable[[ComputeSpec, threading.Event], None]


@contextmanager
def open_compute(home: Path, task: Task, is_ready: Callable[[], bool]) -> Iterator[UploaderCompute]:
    """What runs the tasks of uploaders; those of this process end with it."""
    with closing(LocalCompute(home, task, is_ready)) as compute:
        yield compute


@contextmanager
def open_stacks(settings: Settings) -> Iterator[UploaderCompute]:
    """The same as stacks of a template, which outlive this process."""
    if not settings.uploader_template.startswith(("http://", "https://")):
        raise UserError("uploader_template is the URL of a template in a bucket, https://…, as deploy/aws makes it")
    if settings.queue != "sqs":
        raise UserError("uploader_template needs queue=sqs: its stacks take documents from there")
    made = aws_adapter("uploader_stacks").StackCompute
    place = (settings.name_prefix, settings.uploader_template, settings.uploader_role)
    with closing(made(*place, settings.patience)) as compute:
        yield compute


def file_links(home: Path, settings: Settings) -> Callable[[str], str]:
    """Signed addresses at the file service, where the engine fetches files itself (SPEC E3); else none."""
    if not settings.viewer_files:
        return lambda _: ""
    with open_people(home, settings) as opened:
        key = opened.credentials.signing_key()

    def link(file: str) -> str:
        made = Link(file=file, ext="pdf", account=ENGINE, ends_s=int(time.time()) + LONGEST_S - 60)
        asked = f"ext={made.ext}&by={ENGINE}&until={made.ends_s}&sig={signature(key, made)}"
        return f"{settings.viewer_files.rstrip('/')}/documents/{file}?{asked}"

    return link
