"""One typed settings object, read once at the edge and passed down.

A key's value comes from --set KEY=VALUE, else from REDWELL_KEY in the environment, else from the file of settings
(config_file), else its default.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from redwell.core.configuration import Given, nearest
from redwell.core.errors import UserError
from redwell.runtime.bootstrap.config_file import from_file
from redwell.runtime.bootstrap.secret_values import looked_up


def _setting(default: Any, doc: str, choices: tuple[str, ...] = (), *, secret: bool = False) -> Any:
    return field(default=default, metadata={"doc": doc, "choices": choices, "secret": secret}, repr=not secret)


MASK = "***"
RETIRED = {"events": "events about every document and task are always written; leave it out"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    slots: int = _setting(0, "children that work at once; 0: one per core")
    sandbox: str = _setting(
        "required",
        "required refuses to start without the sandbox, best takes what the kernel gives",
        ("required", "best"),
    )
    small_wall_s: int = _setting(60, "seconds a document may take before it is tried again as a large one")
    large_wall_s: int = _setting(600, "seconds a large document may take before it is TIMED_OUT")
    small_rss_mb: int = _setting(1024, "memory of a child on a small document, with all its processes")
    large_rss_mb: int = _setting(4096, "memory of a child on a large document, with all its processes")
    child_life: int = _setting(600, "units after which a child is replaced; a small document is 1, a large one 5")
    spool_mb: int = _setting(65_536, "MB that may come out of one document, or lie in its temporary files")
    message_documents: int = _setting(100, "small documents that travel to a child together")
    message_mb: int = _setting(16, "bytes of documents that travel to a child together")
    large_mb: int = _setting(64, "documents above this size start as large and travel alone")
    chunk: int = _setting(250, "rows written in one transaction")
    small_blob_kb: int = _setting(256, "blobs up to this size go into pack files")
    max_depth: int = _setting(32, "containers inside containers that are opened")
    max_copies: int = _setting(10_000, "times that one archive's content is opened below one file")
    max_members: int = _setting(1_000_000, "members taken out of one container")
    max_member_mb: int = _setting(4096, "size of one member")
    max_total_mb: int = _setting(65_536, "bytes taken out of one container")
    max_ratio: int = _setting(1_000, "unpacked bytes per packed byte of an archive; 64 MB are free")
    max_text_chars: int = _setting(50_000_000, "characters of text kept of one document")
    embedded_images: str = _setting(
        "none",
        "children: pictures inside Office and OpenDocument files, RTF, EPUB and PDF are documents of their own",
        ("none", "children"),
    )
    loadfile_text: str = _setting(
        "given",
        "of records of load files: given takes the text that came with a record, extracted reads the native instead",
        ("given", "extracted"),
    )
    pdf: str = _setting(
        "lazy",
        "PDFs of documents: eager makes them with the import, lazy when they are first asked for, none never",
        ("eager", "lazy", "none"),
    )
    pages: str = _setting(
        "lazy", "images of pages, likewise; where they are eager, PDFs are too", ("eager", "lazy", "none")
    )
    ocr: str = _setting(
        "auto",
        "auto recognises pictures and pages that are pictures of text, all every page of a PDF, none nothing",
        ("auto", "all", "none"),
    )
    ocr_inline: str = _setting("no", "yes: pictures inside Office documents are recognised too", ("no", "yes"))
    ocr_languages: str = _setting("eng", "languages to recognise, by Tesseract's names, joined by `+`")
    ocr_dpi: int = _setting(300, "dots per inch at which pages are drawn to be recognised")
    ocr_second: str = _setting("no", "yes: a second engine tries the pages that came out worst", ("no", "yes"))
    page_dpi: int = _setting(96, "dots per inch of page images")
    sheet_pages: int = _setting(10_000, "pages of a spreadsheet's PDF, at most")
    render_wall_s: int = _setting(240, "seconds that LibreOffice or the browser may take for a document")
    understand: str = _setting(
        "arrivals",
        "arrivals: what comes into a case with schemas is understood by itself; asked: by `redwell understand` alone",
        ("arrivals", "asked"),
    )
    model_wall_s: int = _setting(900, "seconds that a model in a file may take for one answer")
    model_rss_mb: int = _setting(6144, "memory of the child that holds a model in a file")
    dedupe: str = _setting(
        "global",
        "copies of families: one in the case is kept in front, one of each custodian, or none is looked for; the same"
        " for all batches of a case",
        ("global", "custodian", "none"),
    )
    dedupe_mail: str = _setting(
        "recipe",
        "how copies of mails are known: by the normalised recipe, or by EDRM's hash of the Message-ID",
        ("recipe", "mih"),
    )
    include: str = _setting("", "paths to import, as patterns parted by `;`; others are FILTERED")
    exclude: str = _setting("", "paths that are FILTERED, as patterns parted by `;`, such as `*.tmp;*/cache/*`")
    include_types: str = _setting(
        "", "media types to process, as patterns parted by `;`; other loose files are FILTERED"
    )
    exclude_types: str = _setting("", "media types of loose files that are FILTERED, such as `video/*;audio/*`")
    modified_from: str = _setting("", "loose files that were modified before this day (UTC) are FILTERED")
    modified_to: str = _setting("", "loose files that were modified after this day (UTC) are FILTERED")
    min_file_kb: int = _setting(0, "smaller loose files are FILTERED")
    max_file_kb: int = _setting(0, "larger loose files are FILTERED; 0: none")
    nist: str = _setting(
        "",
        "file of known hashes, made by `redwell nist build`, here or as `s3://bucket/name`; or `s3://bucket/prefix/`,"
        " below which an object is named by each MD5; loose files in it are FILTERED",
    )
    index_documents: int = _setting(20_000, "documents between two commits of the search index, at most")
    index_s: int = _setting(2, "seconds between two commits of the search index; in a long run up to ten times that")
    reserve_mb: int = _setting(512, "free disk space below which an import stops cleanly")
    ageing_s: int = _setting(600, "seconds that a waiting job waits before it gains one step of priority; 0: never")
    lease_s: int = _setting(300, "seconds after which a worker that gives no sign of life loses what it holds")
    drain_s: int = _setting(
        600, "seconds that a worker that is told to stop has for what it is at (100 with --spot); then others do it"
    )
    metrics: str = _setting(
        "none", "where workers publish how much of them is used and what waits, every minute", ("none", "cloudwatch")
    )
    shared_sources: str = _setting(
        "no",
        "yes: every machine sees the files that an import names (sources, passwords, known files) under the same paths,"
        " and may read them",
        ("no", "yes"),
    )
    log_format: str = _setting("text", "of what workers and imports log on stderr", ("text", "json"))
    webhook: str = _setting(
        "",
        "URL that is told what becomes of batches; it may name `{case}` and `{batch}` (numbers), and without the latter"
        " it is the URL below which /batches/update/{batch} lies; empty: nobody is told",
    )
    webhook_secret: str = _setting("", "with which the webhook signs what it says; it has to have one", secret=True)
    webhook_digest: str = _setting("sha256", "of the webhook's signature; sha1 for old endpoints", ("sha256", "sha1"))
    timezone: str = _setting(
        "", "of a new case, fixed with it, as an IANA name such as Europe/Berlin; empty: UTC, or what the case has"
    )
    monitor: str = _setting(
        "asked",
        "when events are written to files for analysis: asked (when somebody asks, `redwell events`), or live (as they"
        " come, by whoever works on a case)",
        ("asked", "live"),
    )
    monitor_files: str = _setting(
        "", "s3://bucket/prefix of the files of events; empty: the folder monitor of the home"
    )
    webhook_wait_s: int = _setting(
        10, "seconds that an import or worker that ends waits for the webhook's endpoint, or the bus, to take the rest"
    )
    outage_s: int = _setting(
        300,
        "seconds that an import waits for queues that are away before it ends with exit code 9; workers go on waiting",
    )
    control_prefix: str = _setting(
        "", "letters before the digits of control numbers, fixed when a case is made; empty: RW, or what the case has"
    )
    blobs: str = _setting("", "s3://bucket/prefix below which new cases keep their bytes; empty: in their folders")
    cache_mb: int = _setting(4096, "local copies of a worker's blobs where these are in S3")
    queue: str = _setting(
        "ledger",
        "how documents reach workers: ledger (they look themselves), or as messages through queues, which are sql"
        " (in `database`, else a file in the home) or sqs",
        ("ledger", "sql", "sqs"),
    )
    delay_percent: int = _setting(
        1, "of the minutes that polls of queues wait, and empty ones before they are taken down; 100: all of them"
    )
    bus: str = _setting("sql", "where events go: sql likewise, or sns, which delivers to sqs", ("sql", "sns"))
    registry: str = _setting("sql", "where worker services are registered: sql or dynamodb", ("sql", "dynamodb"))
    name_prefix: str = _setting(
        "redwell",
        "what the names of queues, topic, table and their schema begin with; the same on machines that share cases,"
        " another for every other home",
    )
    search: str = _setting(
        "tantivy",
        "where cases are indexed: tantivy (in their folders, searched on the machine that keeps them) or opensearch",
        ("tantivy", "opensearch"),
    )
    opensearch: str = _setting(
        "", "URL of the OpenSearch cluster, with name and password if it wants them", secret=True
    )
    serve_sources: str = _setting(
        "",
        "folders, parted by `;`, that imports begun at the review page or by the API may read; empty: any, and only"
        " where the server listens on this machine alone",
    )
    viewer: str = _setting(
        "builtin",
        "who shows PDFs: builtin (flattened with the import, nothing leaves the machine), or nutrient: each is handed"
        " to a Nutrient Document Engine at `viewer_url`",
        ("builtin", "nutrient"),
    )
    viewer_url: str = _setting("", "of the Nutrient Document Engine, such as http://127.0.0.1:5000")
    viewer_token: str = _setting("", "by which the engine knows Redwell (its API_AUTH_TOKEN)", secret=True)
    viewer_files: str = _setting(
        "",
        "URL at which the engine finds Redwell's file service and fetches PDFs itself; empty: it is sent their bytes",
    )
    flatten_s: int = _setting(240, "seconds that the engine may take to flatten a PDF; then it is left as it is")
    uploader_tasks: int = _setting(10, "tasks that hand PDFs of one import to the engine, at most")
    uploader_connections: int = _setting(10, "connections that a task is counted for")
    uploader_ceiling: int = _setting(200, "connections in use above which another import's uploader waits")
    upload_mb: int = _setting(102_400, "size of one file that is uploaded to the server, at most")
    database: str = _setting(
        "", "postgresql:// URL of the database that new cases are kept in; empty: a SQLite file each", secret=True
    )
    database_reader: str = _setting(
        "", "URL of the same database for those who only look, such as a read replica; empty: `database`", secret=True
    )
    open_cases: int = _setting(100, "cases that the server keeps open at once, at most")

    def shown(self) -> dict[str, Any]:
        """Every value as people, reports and the ledger may see it."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return {**values, **{f.name: MASK for f in fields(self) if f.metadata["secret"] and values[f.name]}}

    def with_overrides(self, overrides: Mapping[str, str]) -> "Settings":
        """A copy with these keys changed; a wrong key or value is the user's to mend."""
        known = {f.name: f for f in fields(self)}
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        for key, raw in overrides.items():
            if key in RETIRED:
                raise UserError(f"setting {key!r} is gone: {RETIRED[key]}")
            if key not in known:
                meant = nearest(key, list(known))
                raise UserError(f"unknown setting {key!r}{meant}; docs/settings.md and `redwell config show` list them")
            values[key] = _parse(key, raw, type(values[key]), known[key].metadata["choices"])
        return Settings(**values)


def _parse(key: str, raw: str, kind: type, choices: tuple[str, ...]) -> Any:
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
    return value


def load_settings(assignments: Iterable[str] = (), environ: Mapping[str, str] = os.environ) -> Settings:
    """Defaults, then the file of settings, then the environment, then KEY=VALUE assignments."""
    given = given_settings(assignments, environ)
    found = Settings().with_overrides({key: each.value for key, each in given.items()})
    named = {f.name for f in fields(Settings) if f.metadata["secret"]} & given.keys()
    return found.with_overrides({key: looked_up(getattr(found, key)) for key in named})


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


def home_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """REDWELL_HOME, else a folder in the user's own data folder."""
    if home := environ.get("REDWELL_HOME"):
        return Path(home).absolute()
    return Path(environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share").absolute() / "redwell"
