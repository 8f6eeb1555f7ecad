"""One typed settings object, read once at the edge and passed down.

A key's value comes from --set KEY=VALUE, else from REDWELL_KEY in the environment, else from the file of settings
(config_file), else its default.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from redwell.core.configuration import Given, nearest
from redwell.core.errors import UserError
from redwell.runtime.bootstrap.configuration.config_file import from_file
from redwell.runtime.bootstrap.configuration.figures import setting
from redwell.runtime.bootstrap.configuration.rendition_settings import RenditionSettings
from redwell.runtime.bootstrap.configuration.secret_values import LookedUp

MASK = "***"
RETIRED = {"events": "events about every document and task are always written; leave it out"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(RenditionSettings):
    slots: int = setting(0, "children that work at once; 0: one per core")
    sandbox: str = setting(
        "required",
        "required refuses to start without the sandbox, best takes what the kernel gives",
        ("required", "best"),
    )
    small_wall_s: int = setting(60, "seconds a document may take before it is tried again as a large one")
    large_wall_s: int = setting(600, "seconds a large document may take before it is TIMED_OUT")
    small_rss_mb: int = setting(1024, "memory of a child on a small document, with all its processes")
    large_rss_mb: int = setting(4096, "memory of a child on a large document, with all its processes")
    child_life: int = setting(600, "units after which a child is replaced; a small document is 1, a large one 5")
    spool_mb: int = setting(65_536, "MB that may come out of one document, or lie in its temporary files")
    message_documents: int = setting(100, "small documents that travel to a child together")
    message_mb: int = setting(16, "bytes of documents that travel to a child together")
    large_mb: int = setting(64, "documents above this size start as large and travel alone")
    chunk: int = setting(250, "rows written in one transaction")
    small_blob_kb: int = setting(256, "blobs up to this size go into pack files")
    max_depth: int = setting(32, "containers inside containers that are opened")
    max_copies: int = setting(10_000, "times that one archive's content is opened below one file")
    max_members: int = setting(1_000_000, "members taken out of one container")
    max_member_mb: int = setting(4096, "size of one member")
    max_total_mb: int = setting(65_536, "bytes taken out of one container")
    max_ratio: int = setting(1_000, "unpacked bytes per packed byte of an archive; 64 MB are free")
    max_text_chars: int = setting(50_000_000, "characters of text kept of one document")
    embedded_images: str = setting(
        "none",
        "children: pictures inside Office and OpenDocument files, RTF, EPUB and PDF are documents of their own",
        ("none", "children"),
    )
    loadfile_text: str = setting(
        "given",
        "of records of load files: given takes the text that came with a record, extracted reads the native instead",
        ("given", "extracted"),
    )
    understand: str = setting(
        "arrivals",
        "arrivals: what comes into a case with schemas is understood by itself; asked: by `redwell understand` alone",
        ("arrivals", "asked"),
    )
    model_wall_s: int = setting(900, "seconds that a model in a file may take for one answer")
    model_away_s: int = setting(
        3600, "seconds that a model that does not answer is waited for; then its documents wait for a worker to come"
    )
    model_rss_mb: int = setting(6144, "memory of the child that holds a model in a file")
    dedupe: str = setting(
        "global",
        "copies of families: one in the case is kept in front, one of each custodian, or none is looked for; the same"
        " for all batches of a case",
        ("global", "custodian", "none"),
    )
    dedupe_mail: str = setting(
        "recipe",
        "how copies of mails are known: by the normalised recipe, or by EDRM's hash of the Message-ID",
        ("recipe", "mih"),
    )
    include: str = setting("", "paths to import, as patterns parted by `;`; others are FILTERED")
    exclude: str = setting("", "paths that are FILTERED, as patterns parted by `;`, such as `*.tmp;*/cache/*`")
    include_types: str = setting(
        "", "media types to process, as patterns parted by `;`; other loose files are FILTERED"
    )
    exclude_types: str = setting("", "media types of loose files that are FILTERED, such as `video/*;audio/*`")
    modified_from: str = setting("", "loose files that were modified before this day (UTC) are FILTERED")
    modified_to: str = setting("", "loose files that were modified after this day (UTC) are FILTERED")
    min_file_kb: int = setting(0, "smaller loose files are FILTERED")
    max_file_kb: int = setting(0, "larger loose files are FILTERED; 0: none")
    nist: str = setting(
        "",
        "file of known hashes, made by `redwell nist build`, here or as `s3://bucket/name`; or `s3://bucket/prefix/`,"
        " below which an object is named by each MD5; loose files in it are FILTERED",
    )
    index_documents: int = setting(20_000, "documents between two commits of the search index, at most")
    index_s: int = setting(2, "seconds between two commits of the search index; in a long run up to ten times that")
    reserve_mb: int = setting(512, "free disk space below which an import stops cleanly")
    ageing_s: int = setting(600, "seconds that a waiting job waits before it gains one step of priority; 0: never")
    lease_s: int = setting(300, "seconds after which a worker that gives no sign of life loses what it holds")
    drain_s: int = setting(600, "seconds that a worker that is told to stop has for what it is at; then others do it")
    spot_drain_s: int = setting(100, "the same with --spot, at most: the machine goes two minutes after it was told")
    empty_polls: int = setting(3, "looks without work after which a worker with --cluster ends")
    metrics: str = setting(
        "none", "where workers publish how much of them is used and what waits, every minute", ("none", "cloudwatch")
    )
    scaling: str = setting(
        "none",
        "who starts and ends workers of services: somebody else, or ecs: an import starts as many tasks of its service"
        " as its job may have workers, and the last job to end takes them away",
        ("none", "ecs"),
    )
    service_tasks: int = setting(2, "workers of a service at first where its job names no limit (scaling=ecs)")
    shared_sources: str = setting(
        "no",
        "yes: every machine sees the files that an import names (sources, passwords, known files) under the same paths,"
        " and may read them",
        ("no", "yes"),
    )
    log_format: str = setting("text", "of what workers and imports log on stderr", ("text", "json"))
    webhook: str = setting(
        "",
        "URL that is told what becomes of batches; it may name `{case}` and `{batch}` (numbers), and without the latter"
        " it is the URL below which /batches/update/{batch} lies; empty: nobody is told",
    )
    webhook_secret: str = setting("", "with which the webhook signs what it says; it has to have one", secret=True)
    webhook_digest: str = setting("sha256", "of the webhook's signature; sha1 for old endpoints", ("sha256", "sha1"))
    timezone: str = setting(
        "", "of a new case, fixed with it, as an IANA name such as Europe/Berlin; empty: UTC, or what the case has"
    )
    monitor: str = setting(
        "asked",
        "when events are written to files for analysis: asked (when somebody asks, `redwell events`), or live (as they"
        " come, by whoever works on a case)",
        ("asked", "live"),
    )
    monitor_files: str = setting("", "s3://bucket/prefix of the files of events; empty: the folder monitor of the home")
    monitor_rate: int = setting(
        50_000, "events a second that the files of events take; above nine tenths of it an alarm is raised"
    )
    webhook_wait_s: int = setting(
        10, "seconds that an import or worker that ends waits for the webhook's endpoint, or the bus, to take the rest"
    )
    outage_s: int = setting(
        300,
        "seconds that an import waits for queues that are away before it ends with exit code 9; workers go on waiting",
    )
    control_prefix: str = setting(
        "", "letters before the digits of control numbers, fixed when a case is made; empty: RW, or what the case has"
    )
    idle_s: int = setting(
        300, "seconds without any work after which the worker beside `redwell serve` makes PDFs that are lazy; 0: never"
    )
    open_cases: int = setting(100, "cases that the server keeps open at once, at most")

    def shown(self) -> dict[str, Any]:
        """Every value as people, reports and the ledger may see it."""
        values = self.as_given()
        return {**values, **{f.name: MASK for f in fields(self) if f.metadata["secret"] and values[f.name]}}

    def as_given(self) -> dict[str, Any]:
        """Where a secret is a reference, that."""
        return {f.name: LookedUp.as_given(self, f.name) for f in fields(self)}

    def with_overrides(self, overrides: Mapping[str, str]) -> "Settings":
        """A copy with these keys changed; a wrong key or value is the user's to mend."""
        known = {f.name: f for f in fields(self)}
        values = self.as_given()
        for key, raw in overrides.items():
            if key in RETIRED:
                raise UserError(f"setting {key!r} is gone: {RETIRED[key]}")
            if key not in known:
                meant = nearest(key, list(known))
                raise UserError(f"unknown setting {key!r}{meant}; docs/settings.md and `redwell config show` list them")
            values[key] = _parse(key, raw, type(values[key]), known[key].metadata)
        return Settings(**values)


for _field in fields(Settings):
    if _field.metadata["secret"]:
        setattr(Settings, _field.name, LookedUp(_field.name, getattr(Settings, _field.name)))


def _parse(key: str, raw: str, kind: type, said: Mapping[str, Any]) -> Any:
    choices, least, most = said["choices"], said["least"], said["most"]
    if choices and raw not in choices:
        raise UserError(f"setting {key} is one of {', '.join(choices)}, not {raw!r}")
    if kind is not int:
        return raw
    try:
        value = int(raw)
    except ValueError:
        raise UserError(f"setting {key} needs a whole number, not {raw!r}") from None
    if value < 0:
        raise UserError(f"setting {key} can't be negative")
    if value < least:
        raise UserError(f"setting {key} is at least {least}, not {value}")
    if value > most:
        raise UserError(f"setting {key} is at most {most}, not {value}")
    return value


def load_settings(assignments: Iterable[str] = (), environ: Mapping[str, str] = os.environ) -> Settings:
    """Defaults, then the file of settings, then the environment, then KEY=VALUE assignments."""
    given = given_settings(assignments, environ)
    return Settings().with_overrides({key: each.value for key, each in given.items()})


def given_settings(assignments: Iterable[str] = (), environ: Mapping[str, str] = os.environ) -> dict[str, Given]:
    """What somebody has said of settings, and where; a reference to a secret is not looked up."""
    names = {f.name for f in fields(Settings)} | set(RETIRED)
    variables = {name: f"REDWELL_{name.upper()}" for name in sorted(names)}
    given = from_file(environ, home_folder(environ))
    given |= {name: Given(environ[v], v) for name, v in variables.items() if v in environ}
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        if not equals:
            raise UserError(f"--set takes KEY=VALUE, not {assignment!r}")
        given[key.strip()] = Given(value.strip(), "--set")
    return given


def misspelt_variables(environ: Mapping[str, str] = os.environ) -> list[str]:
    """Variables that were probably meant to be settings, and what was meant; they change nothing."""
    names = [f.name for f in fields(Settings)]
    others = {"home", "config", "environment", "region", *names, *RETIRED}
    said = [name.removeprefix("REDWELL_").lower() for name in sorted(environ) if name.startswith("REDWELL_")]
    return [
        f"REDWELL_{key.upper()} is no setting{meant}"
        for key in said
        if key not in others and (meant := nearest(key, names))
    ]


def home_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """REDWELL_HOME, else a folder in the user's own data folder."""
    if home := environ.get("REDWELL_HOME"):
        return Path(home).absolute()
    return Path(environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share").absolute() / "redwell"
