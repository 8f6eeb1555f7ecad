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
from redwell.runtime.bootstrap.configuration.figures import Figures, setting
from redwell.runtime.bootstrap.configuration.secret_values import LookedUp

MASK = "***"
RETIRED = {"events": "events about every document and task are always written; leave it out"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(Figures):
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
    pdf: str = setting(
        "lazy",
        "PDFs of documents: eager makes them with the import, lazy when they are first asked for, none never",
        ("eager", "lazy", "none"),
    )
    pages: str = setting(
        "lazy", "images of pages, likewise; where they are eager, PDFs are too", ("eager", "lazy", "none")
    )
    ocr: str = setting(
        "auto",
        "auto recognises pictures and pages that are pictures of text, all every page of a PDF, none nothing",
        ("auto", "all", "none"),
    )
    ocr_inline: str = setting("no", "yes: pictures inside Office documents are recognised too", ("no", "yes"))
    ocr_languages: str = setting("eng", "languages to recognise, by Tesseract's names, joined by `+`")
    ocr_dpi: int = setting(300, "dots per inch at which pages are drawn to be recognised")
    ocr_second: str = setting("no", "yes: a second engine tries the pages that came out worst", ("no", "yes"))
    ocr_tries: str = setting(
        "keep",
        "of a page that read badly and was cleaned and read again: keep stores the cleaned picture (2 to 8 MB) and the"
        " reading that was not taken, drop neither",
        ("keep", "drop"),
    )
    page_dpi: int = setting(96, "dots per inch of page images")
    sheet_pages: int = setting(10_000, "pages of a spreadsheet's PDF, at most")
    pdf_compression: str = setting(
        "auto",
        "of pictures that are packed anew in PDFs: lossless (as they are, to the last bit), jpeg (small), or auto"
        " (jpeg where the picture had a loss already or is a scan, else lossless)",
        ("auto", "lossless", "jpeg"),
    )
    jpeg_quality: int = setting(
        0,
        "of JPEGs that are made, 1 to 100; 0: 92 in PDFs of pictures, 90 in those of LibreOffice, 85 behind recognised"
        " words, 82 in productions",
        most=100,
    )
    tiff_compression: str = setting(
        "group4",
        "of TIFFs in productions, where their option `tiff` says nothing",
        ("group4", "lzw", "deflate", "none"),
    )
    render_wall_s: int = setting(240, "seconds that LibreOffice or the browser may take for a document")
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
    blobs: str = setting("", "s3://bucket/prefix below which new cases keep their bytes; empty: in their folders")
    cache_mb: int = setting(4096, "local copies of a worker's blobs where these are in S3")
    queue: str = setting(
        "ledger",
        "how documents reach workers: ledger (they look themselves), or as messages through queues, which are sql"
        " (in `database`, else a file in the home) or sqs",
        ("ledger", "sql", "sqs"),
    )
    delay_percent: int = setting(
        1, "of the minutes that polls of queues wait, and empty ones before they are taken down; 100: all of them"
    )
    bus: str = setting("sql", "where events go: sql likewise, or sns, which delivers to sqs", ("sql", "sns"))
    bus_events: int = setting(
        100, "events of one type and batch that may travel as one message, a line each; 1: each by itself", least=1
    )
    registry: str = setting("sql", "where worker services are registered: sql or dynamodb", ("sql", "dynamodb"))
    name_prefix: str = setting(
        "redwell",
        "what the names of queues, topic, table and their schema begin with; the same on machines that share cases,"
        " another for every other home",
    )
    search: str = setting(
        "tantivy",
        "where cases are indexed: tantivy (in their folders, searched on the machine that keeps them) or opensearch",
        ("tantivy", "opensearch"),
    )
    opensearch: str = setting("", "URL of the OpenSearch cluster, with name and password if it wants them", secret=True)
    opensearch_s: int = setting(180, "seconds that OpenSearch may take for an answer")
    opensearch_retries: int = setting(3, "times that it is asked again, after 2, 4, 8 … seconds")
    opensearch_bulk: int = setting(50, "documents that are sent to it at once")
    idle_s: int = setting(
        300, "seconds without any work after which the worker beside `redwell serve` makes PDFs that are lazy; 0: never"
    )
    serve_sources: str = setting(
        "",
        "folders, parted by `;`, that imports begun at the review page or by the API may read; empty: any, and only"
        " where the server listens on this machine alone",
    )
    viewer: str = setting(
        "builtin",
        "who shows PDFs: builtin (flattened with the import, nothing leaves the machine), or nutrient: each is handed"
        " to a Nutrient Document Engine at `viewer_url`",
        ("builtin", "nutrient"),
    )
    viewer_url: str = setting("", "of the Nutrient Document Engine, such as http://127.0.0.1:5000")
    viewer_token: str = setting("", "by which the engine knows Redwell (its API_AUTH_TOKEN)", secret=True)
    viewer_files: str = setting(
        "",
        "URL at which the engine finds Redwell's file service and fetches PDFs itself; empty: it is sent their bytes",
    )
    flatten_s: int = setting(240, "seconds that the engine may take to flatten a PDF; then it is left as it is")
    uploader_template: str = setting(
        "",
        "URL of the CloudFormation template that deploy/aws made (https://…): the uploader of each import is a stack of"
        " it, with an engine of its own; empty: the tasks run here, beside the work on the case",
    )
    uploader_role: str = setting("", "ARN of the role as which CloudFormation makes those stacks; empty: the caller's")
    uploader_tasks: int = setting(10, "tasks that hand PDFs of one import to the engine, at most")
    uploader_connections: int = setting(10, "connections that a task is counted for")
    uploader_ceiling: int = setting(200, "connections in use above which another import's uploader waits")
    upload_mb: int = setting(102_400, "size of one file that is uploaded to the server, at most")
    database: str = setting(
        "", "postgresql:// URL of the database that new cases are kept in; empty: a SQLite file each", secret=True
    )
    database_reader: str = setting(
        "", "URL of the same database for those who only look, such as a read replica; empty: `database`", secret=True
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
        setattr(Settings, _field.name, LookedUp(_field.name, Settings.__dict__[_field.name]))


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
