"""Settings about what is used beside Redwell's own files: stores, queues, search engines, viewers. Part of `Settings`.

By default none of it is used.
"""

from dataclasses import dataclass

from redwell.runtime.bootstrap.configuration.figures import Figures, setting


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSettings(Figures):
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
