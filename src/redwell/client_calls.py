"""A method for each operation of the API, written by `make docs` from its description: change that instead.

`Client.calls` has those of the home, `Case.calls` those of a case. An answer is what its JSON says, text, or bytes.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from urllib.parse import quote


class Caller(Protocol):
    def call(self, method: str, path: str, query: Mapping[str, Any] | None = None, body: Any = None) -> Any:
        """A value that is None is not sent."""
        ...


class HomeCalls:
    def __init__(self, caller: Caller, base: str = "") -> None:
        self._caller, self._base = caller, base

    def health(self) -> Any:
        """The process answers."""
        return self._caller.call("GET", self._base + "/health")

    def ready(self) -> Any:
        """The home's own tables can be read."""
        return self._caller.call("GET", self._base + "/ready")

    def metrics(self) -> Any:
        """For Prometheus; no case and no person is named in it."""
        return self._caller.call("GET", self._base + "/metrics")

    def me(self) -> Any:
        return self._caller.call("GET", self._base + "/me")

    def cases(self) -> Any:
        """Those that you are a member of."""
        return self._caller.call("GET", self._base + "/cases")

    def make_case(self, body: Any) -> Any:
        """You are its administrator. An administrator of the home may do this."""
        return self._caller.call("POST", self._base + "/cases", body=body)

    def jobs(self, *, ended: bool | None = None) -> Any:
        """Of your cases, in the order they are served."""
        return self._caller.call("GET", self._base + "/jobs", {"ended": ended})

    def workers(self) -> Any:
        """On your cases."""
        return self._caller.call("GET", self._base + "/workers")

    def users(self) -> Any:
        return self._caller.call("GET", self._base + "/users")

    def add_user(self, body: Any) -> Any:
        """With a link, for one use within a day, at which the person chooses a password."""
        return self._caller.call("POST", self._base + "/users", body=body)

    def disable_user(self, name: str) -> Any:
        """Sessions and tokens end at once. What the person did stays."""
        return self._caller.call("DELETE", self._base + f"/users/{_safe(name)}")

    def enable_user(self, name: str) -> Any:
        return self._caller.call("POST", self._base + f"/users/{_safe(name)}/enable")

    def link_user(self, name: str) -> Any:
        """For one use within a day, to choose another password."""
        return self._caller.call("POST", self._base + f"/users/{_safe(name)}/link")

    def tokens(self) -> Any:
        """Your own."""
        return self._caller.call("GET", self._base + "/tokens")

    def new_token(self, body: Any) -> Any:
        """With no more rights than yours; its secret is in this answer and nowhere else."""
        return self._caller.call("POST", self._base + "/tokens", body=body)

    def revoke_token(self, token: int) -> Any:
        return self._caller.call("DELETE", self._base + f"/tokens/{token}")


class CaseCalls:
    def __init__(self, caller: Caller, base: str = "") -> None:
        self._caller, self._base = caller, base

    def case(self) -> Any:
        return self._caller.call("GET", self._base + "")

    def batches(self) -> Any:
        return self._caller.call("GET", self._base + "/batches")

    def begin(self, body: Any) -> Any:
        """Registered at once; a worker reads it."""
        return self._caller.call("POST", self._base + "/batches", body=body)

    def batch_status(self, batch: int) -> Any:
        return self._caller.call("GET", self._base + f"/batches/{batch}")

    def cancel(self, batch: int) -> Any:
        """What was done stays; what was not ends as CANCELLED."""
        return self._caller.call("POST", self._base + f"/batches/{batch}/cancel")

    def exceptions(
        self,
        *,
        limit: int | None = None,
        outcome: str | None = None,
        batch: int | None = None,
        after: str | None = None,
    ) -> Any:
        """Of so many documents, one row per problem, with its remedy; counts of all of them."""
        return self._caller.call(
            "GET", self._base + "/exceptions", {"limit": limit, "outcome": outcome, "batch": batch, "after": after}
        )

    def retry(self, body: Any) -> Any:
        """Everything that ended so is read again; a worker does it."""
        return self._caller.call("POST", self._base + "/retry", body=body)

    def parked(self) -> Any:
        """Contents on which every attempt failed."""
        return self._caller.call("GET", self._base + "/parked")

    def operations(self) -> Any:
        """Jobs in order, workers, what waits by kind, what is parked, documents over time, disk."""
        return self._caller.call("GET", self._base + "/operations")

    def report(self) -> Any:
        """What came in, what became of it, with which versions and settings."""
        return self._caller.call("GET", self._base + "/report")

    def audit(self, *, before: int | None = None, limit: int | None = None) -> Any:
        """Who did what, the newest first."""
        return self._caller.call("GET", self._base + "/audit", {"before": before, "limit": limit})

    def members(self) -> Any:
        return self._caller.call("GET", self._base + "/members")

    def set_member(self, name: str, body: Any) -> Any:
        return self._caller.call("PUT", self._base + f"/members/{_safe(name)}", body=body)

    def remove_member(self, name: str) -> Any:
        return self._caller.call("DELETE", self._base + f"/members/{_safe(name)}")

    def documents(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        outcome: str | None = None,
        batch: int | None = None,
    ) -> Any:
        """Every exhibit, by control number."""
        return self._caller.call(
            "GET", self._base + "/documents", {"after": after, "limit": limit, "outcome": outcome, "batch": batch}
        )

    def document(self, document: int) -> Any:
        return self._caller.call("GET", self._base + f"/documents/{document}")

    def family(self, document: int) -> Any:
        return self._caller.call("GET", self._base + f"/documents/{document}/family")

    def copies(self, document: int) -> Any:
        """Other places of the same content."""
        return self._caller.call("GET", self._base + f"/documents/{document}/copies")

    def thread(self, document: int) -> Any:
        """Of a mail: all mails of its thread as they were written; `inclusive` are those that have to be read."""
        return self._caller.call("GET", self._base + f"/documents/{document}/thread")

    def near(self, document: int) -> Any:
        """Documents whose texts are nearly the same, where `redwell near` has looked for them."""
        return self._caller.call("GET", self._base + f"/documents/{document}/near")

    def text(self, document: int) -> Any:
        """The very text that is indexed."""
        return self._caller.call("GET", self._base + f"/documents/{document}/text")

    def native(self, document: int) -> Any:
        """The bytes as they came in, or a part of them. A browser stores them and never shows them."""
        return self._caller.call("GET", self._base + f"/documents/{document}/native")

    def history(self, document: int, *, limit: int | None = None) -> Any:
        return self._caller.call("GET", self._base + f"/documents/{document}/history", {"limit": limit})

    def add_note(self, document: int, body: Any) -> Any:
        return self._caller.call("POST", self._base + f"/documents/{document}/notes", body=body)

    def pages(self, document: int, *, after: int | None = None, limit: int | None = None) -> Any:
        return self._caller.call("GET", self._base + f"/documents/{document}/pages", {"after": after, "limit": limit})

    def ask_for_pages(self, document: int) -> Any:
        """A worker makes them; `GET` tells when they are there."""
        return self._caller.call("POST", self._base + f"/documents/{document}/pages")

    def pdf(self, document: int, *, what: str | None = None) -> Any:
        return self._caller.call("GET", self._base + f"/documents/{document}/pdf", {"what": what})

    def page_image(self, document: int, page: int, *, ahead: bool | None = None) -> Any:
        return self._caller.call("GET", self._base + f"/documents/{document}/pages/{page}/image", {"ahead": ahead})

    def page_words(self, document: int, page: int) -> Any:
        """Where the words stand, as fractions of the page."""
        return self._caller.call("GET", self._base + f"/documents/{document}/pages/{page}/words")

    def page_marks(self, document: int, page: int, *, q: str | None = None) -> Any:
        return self._caller.call("GET", self._base + f"/documents/{document}/pages/{page}/marks", {"q": q})

    def search_histogram(
        self,
        *,
        q: str | None = None,
        sort: str | None = None,
        after: str | None = None,
        limit: int | None = None,
        tag: Sequence[int] | None = None,
        without: Sequence[int] | None = None,
        seen: str | None = None,
        round: int | None = None,
    ) -> Any:
        """Hits with a date, by month or year; exact."""
        return self._caller.call(
            "GET",
            self._base + "/search/histogram",
            {
                "q": q,
                "sort": sort,
                "after": after,
                "limit": limit,
                "tag": tag,
                "without": without,
                "seen": seen,
                "round": round,
            },
        )

    def search_case(
        self,
        *,
        q: str | None = None,
        sort: str | None = None,
        after: str | None = None,
        limit: int | None = None,
        tag: Sequence[int] | None = None,
        without: Sequence[int] | None = None,
        seen: str | None = None,
        round: int | None = None,
    ) -> Any:
        return self._caller.call(
            "GET",
            self._base + "/search",
            {
                "q": q,
                "sort": sort,
                "after": after,
                "limit": limit,
                "tag": tag,
                "without": without,
                "seen": seen,
                "round": round,
            },
        )

    def export(
        self,
        *,
        format: str | None = None,
        q: str | None = None,
        sort: str | None = None,
        after: str | None = None,
        limit: int | None = None,
        tag: Sequence[int] | None = None,
        without: Sequence[int] | None = None,
        seen: str | None = None,
        round: int | None = None,
    ) -> Any:
        """Every hit, streamed, however many there are."""
        return self._caller.call(
            "GET",
            self._base + "/export",
            {
                "format": format,
                "q": q,
                "sort": sort,
                "after": after,
                "limit": limit,
                "tag": tag,
                "without": without,
                "seen": seen,
                "round": round,
            },
        )

    def tags(self) -> Any:
        return self._caller.call("GET", self._base + "/tags")

    def make_tag(self, body: Any) -> Any:
        return self._caller.call("POST", self._base + "/tags", body=body)

    def preview_coding(self, body: Any) -> Any:
        """How many documents it would change, and how many others decided otherwise."""
        return self._caller.call("POST", self._base + "/coding/preview", body=body)

    def code(self, body: Any) -> Any:
        """One change, which can be undone as one."""
        return self._caller.call("POST", self._base + "/coding", body=body)

    def undo(self, change: int) -> Any:
        """Of your own changes; what others have changed since stays."""
        return self._caller.call("POST", self._base + f"/coding/{change}/undo")

    def saved_searches(self) -> Any:
        return self._caller.call("GET", self._base + "/searches")

    def save_search(self, body: Any) -> Any:
        return self._caller.call("POST", self._base + "/searches", body=body)

    def drop_search(self, saved: int) -> Any:
        return self._caller.call("DELETE", self._base + f"/searches/{saved}")

    def term_sets(self) -> Any:
        """Marked on every document, each in its colour."""
        return self._caller.call("GET", self._base + "/term-sets")

    def set_terms(self, body: Any) -> Any:
        """In place of the set of this name. A line that can't be read is refused."""
        return self._caller.call("PUT", self._base + "/term-sets", body=body)

    def rounds(self) -> Any:
        return self._caller.call("GET", self._base + "/rounds")

    def make_round(self, body: Any) -> Any:
        """Of all that the search finds now; documents that come later are not in it."""
        return self._caller.call("POST", self._base + "/rounds", body=body)

    def make_second_look(self, number: int, body: Any) -> Any:
        return self._caller.call("POST", self._base + f"/rounds/{number}/second", body=body)

    def portion(self, number: int) -> Any:
        """What you have still, else the next that nobody has; yours until `ends_ms`."""
        return self._caller.call("POST", self._base + f"/rounds/{number}/portion")

    def done(self, number: int, document: int) -> Any:
        """Looked at. `conflict` where your time was over and somebody else has it."""
        return self._caller.call("POST", self._base + f"/rounds/{number}/documents/{document}/done")

    def give_back(self, number: int) -> Any:
        return self._caller.call("POST", self._base + f"/rounds/{number}/give-back")

    def drop_round(self, number: int) -> Any:
        """The decisions stay."""
        return self._caller.call("DELETE", self._base + f"/rounds/{number}")

    def report_terms(self, body: Any) -> Any:
        """Documents, families, and those that no other line finds; the last row is of all lines together."""
        return self._caller.call("POST", self._base + "/terms", body=body)

    def begin_post(self) -> Any:
        return self._caller.call("POST", self._base + "/uploads")

    def uploads(self) -> Any:
        """Your own that are not an import yet."""
        return self._caller.call("GET", self._base + "/uploads")

    def upload_state(self, upload: str) -> Any:
        """Every file of it, and how far it is."""
        return self._caller.call("GET", self._base + f"/uploads/{_safe(upload)}")

    def drop_upload(self, upload: str) -> Any:
        """What has arrived is taken away. One that is an import already goes when the import has read it."""
        return self._caller.call("DELETE", self._base + f"/uploads/{_safe(upload)}")

    def import_it(self, upload: str, body: Any) -> Any:
        """One import of all its files; a worker reads them. Asked again, it is the same one."""
        return self._caller.call("POST", self._base + f"/uploads/{_safe(upload)}/import", body=body)

    def replace_file(self, document: int, body: Any) -> Any:
        return self._caller.call("POST", self._base + f"/documents/{document}/replacement", body=body)

    def schemas(self) -> Any:
        return self._caller.call("GET", self._base + "/schemas")

    def standing(self) -> Any:
        """Documents by state, and the model that the case uses."""
        return self._caller.call("GET", self._base + "/data")

    def next_doubt(self, *, after: int | None = None) -> Any:
        """The most doubtful document that nobody else has open; it is yours for a quarter of an hour."""
        return self._caller.call("POST", self._base + "/data/next", {"after": after})

    def document_data(self, document: int) -> Any:
        """What is known of it, with the evidence of each value, and every ingestion that there was."""
        return self._caller.call("GET", self._base + f"/documents/{document}/data")

    def decide(self, ingestion: int, body: Any) -> Any:
        """The document's data follow at once."""
        return self._caller.call("POST", self._base + f"/data/{ingestion}/decisions", body=body)

    def one_ingestion(self, ingestion: int) -> Any:
        return self._caller.call("GET", self._base + f"/data/{ingestion}")

    def sources(self) -> Any:
        return self._caller.call("GET", self._base + "/sources")

    def arrive(self, source: int, body: Any) -> Any:
        return self._caller.call("POST", self._base + f"/sources/{source}/arrivals", body=body)

    def document_file(self, document: int, ending: str) -> Any:
        """The bytes that came in, of a document that was asked about."""
        return self._caller.call("GET", self._base + f"/views/documents/{document}.{_safe(ending)}")

    def transcription_file(self, ingestion: str) -> Any:
        """The text that was understood: read from the document, or recognised on its pages."""
        return self._caller.call("GET", self._base + f"/views/ingestions/{_safe(ingestion)}/transcription-output.txt")

    def other_transcription_file(self, ingestion: str, *, page: int | None = None) -> Any:
        """What another try read on a page, which was not kept."""
        return self._caller.call(
            "GET", self._base + f"/views/ingestions/{_safe(ingestion)}/transcription-output-other.txt", {"page": page}
        )

    def preprocessed_file(self, ingestion: str, *, page: int | None = None) -> Any:
        """The picture that a page which read badly was made into before it was read again."""
        return self._caller.call(
            "GET", self._base + f"/views/ingestions/{_safe(ingestion)}/preprocessed.png", {"page": page}
        )

    def redactions(self, document: int) -> Any:
        """Those in force, by page."""
        return self._caller.call("GET", self._base + f"/documents/{document}/redactions")

    def redact(self, document: int, body: Any) -> Any:
        """One box, as one change."""
        return self._caller.call("POST", self._base + f"/documents/{document}/redactions", body=body)

    def unredact(self, redaction: int) -> Any:
        return self._caller.call("DELETE", self._base + f"/redactions/{redaction}")

    def undo_post(self, change: int) -> Any:
        return self._caller.call("POST", self._base + f"/redactions/changes/{change}/undo")

    def productions(self) -> Any:
        return self._caller.call("GET", self._base + "/productions")

    def create(self, body: Any) -> Any:
        """A frozen set. Where PDFs are lacking they are asked for, and the answer is 409 until they are there."""
        return self._caller.call("POST", self._base + "/productions", body=body)

    def check(self, *, name: str) -> Any:
        """What stands against letting it go."""
        return self._caller.call("GET", self._base + "/productions/check", {"name": name})

    def bulk(self, body: Any) -> Any:
        """409 where pages are made first, or where something else is found than was seen."""
        return self._caller.call("POST", self._base + "/redactions/bulk", body=body)

    def volume(self, *, name: str) -> Any:
        """How far the writing of it is: none, writing, stopped with a reason, written."""
        return self._caller.call("GET", self._base + "/productions/volume", {"name": name})

    def write(self, body: Any) -> Any:
        """Begins to write it, or goes on. 409 where it is being written, is written, or pages are made first."""
        return self._caller.call("POST", self._base + "/productions/volume", body=body)

    def archive(self, *, name: str) -> Any:
        """The written volume as a ZIP."""
        return self._caller.call("GET", self._base + "/productions/volume/archive", {"name": name})

    def look(self, *, source: str) -> Any:
        """What is wrong with a volume that the server sees, and which column is which field."""
        return self._caller.call("GET", self._base + "/volumes", {"source": source})

    def make_link(self, document: int, body: Any) -> Any:
        return self._caller.call("POST", self._base + f"/documents/{document}/link", body=body)


def _safe(name: str) -> str:
    return quote(name, safe="")
