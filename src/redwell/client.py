"""A typed client of the API, for programs: `Client(address, token=…)`. It needs nothing of Redwell but this module
and client_calls, which has a method for each operation."""

import base64
import hashlib
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from redwell.client_calls import CaseCalls, HomeCalls

PIECE = 8 << 20  # bytes of a file in one request


class ApiError(Exception):
    """What the server refused; `code` stays the same from release to release."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.status, self.code, self.detail = status, code, detail


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    id: int
    control_number: str
    title: str
    snippet: str
    positions: Sequence[tuple[int, int]]  # in the text
    tags: Sequence[str]
    document: dict[str, Any]


class Client:
    def __init__(self, address: str, token: str, timeout_s: float = 60.0) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        self._http = httpx.Client(base_url=f"{address.rstrip('/')}/api/v1", headers=headers, timeout=timeout_s)

    def cases(self) -> list["Case"]:
        return [Case(self, row["case"], row["name"]) for row in self.get("/cases")["cases"]]

    def case(self, name: str) -> "Case":
        """LookupError where you are a member of none of this name."""
        found = next((case for case in self.cases() if case.name == name), None)
        if found is None:
            raise LookupError(f"there is no case {name!r}, or this token may not see it")
        return found

    def get(self, path: str, **params: Any) -> Any:
        return self._answer(self._http.get(path, params=params)).json()

    def post(self, path: str, body: Any = None) -> Any:
        return self._answer(self._http.post(path, json=body)).json()

    @property
    def calls(self) -> HomeCalls:
        """Every operation of the home."""
        return HomeCalls(self)

    def call(self, method: str, path: str, query: Mapping[str, Any] | None = None, body: Any = None) -> Any:
        """What the answer says: of JSON its value, of text a string, of anything else its bytes."""
        params = {name: value for name, value in (query or {}).items() if value is not None}
        answer = self._answer(self._http.request(method, path, params=params, json=body))
        kind = answer.headers.get("content-type", "")
        if not answer.content:
            return None
        return answer.json() if "json" in kind else answer.text if kind.startswith("text/") else answer.content

    def send(self, method: str, path: str, body: bytes, **headers: str) -> httpx.Response:
        """By the tus protocol; a server that asks for patience gets it."""
        while True:
            told = {"Tus-Resumable": "1.0.0", **headers}
            answer = self._http.request(method, path, content=body, headers=told)
            if answer.status_code != 429:
                return self._answer(answer)
            time.sleep(float(answer.headers.get("Retry-After", "1")))

    def bytes(self, path: str) -> bytes:
        return self._answer(self._http.get(path)).content

    def _answer(self, answer: httpx.Response) -> httpx.Response:
        if answer.is_success:
            return answer
        told = answer.json() if "json" in answer.headers.get("content-type", "") else {}
        raise ApiError(answer.status_code, told.get("code", "unknown"), told.get("detail", answer.reason_phrase))

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class Case:
    client: Client
    number: int
    name: str

    @property
    def calls(self) -> CaseCalls:
        """Every operation of the case."""
        return CaseCalls(self.client, f"/cases/{self.number}")

    def search(self, query: str = "", *, tags: Sequence[int] = (), limit: int = 100) -> Iterator[Hit]:
        """Every hit, page by page."""
        after: str | None = ""
        while after is not None:
            page = self.get("/search", q=query, tag=list(tags), limit=limit, after=after)
            yield from (_hit(row) for row in page["hits"])
            after = page["next"]

    def documents(self, limit: int = 500) -> Iterator[dict[str, Any]]:
        after: str | None = None
        while True:
            page = self.get("/documents", limit=limit, **({"after": after} if after else {}))
            yield from page["documents"]
            after = page["next"]
            if after is None:
                return

    def text(self, document: int) -> str:
        return self.client.bytes(f"/cases/{self.number}/documents/{document}/text").decode()

    def native(self, document: int) -> bytes:
        return self.client.bytes(f"/cases/{self.number}/documents/{document}/native")

    def add_import(self, *sources: str, custodian: str | None = None) -> int:
        """The number of the batch; the server's worker reads it."""
        return int(self.post("/batches", {"sources": list(sources), "custodian": custodian})["batch"])

    def upload(self, *files: Path, custodian: str | None = None, upload: str = "", **options: str) -> int:
        """Files and whole folders become one import; the number of the batch. What an `upload` that was interrupted has
        of them already is not sent again."""
        upload = upload or self.begin_upload()
        there = {each["path"]: each for each in self.get(f"/uploads/{upload}")["files"]}
        for path, name in _walked(files):
            self._send(upload, path, name, there.get(name))
        return self.import_upload(upload, custodian=custodian, **options)

    def begin_upload(self) -> str:
        return str(self.post("/uploads")["upload"])

    def import_upload(self, upload: str, *, custodian: str | None = None, **options: str) -> int:
        return int(self.post(f"/uploads/{upload}/import", {"custodian": custodian, "options": options})["batch"])

    def replace_file(self, document: int, file: Path) -> dict[str, Any]:
        """A whole file in place of a damaged one; both stay."""
        upload = self.begin_upload()
        self._send(upload, file, file.name, None)
        made: dict[str, Any] = self.post(f"/documents/{document}/replacement", {"upload": upload})
        return made

    def _send(self, upload: str, path: Path, name: str, there: dict[str, Any] | None) -> None:
        """In pieces, each with its checksum; from where it was interrupted."""
        with open(path, "rb") as file:
            length = os.fstat(file.fileno()).st_size
            if there is None or there["length"] != length:
                told = {"relativePath": name, "modified": str(int(os.fstat(file.fileno()).st_mtime * 1000))}
                pairs = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in told.items())
                headers = {"Upload-Length": str(length), "Upload-Metadata": pairs}
                made = self.client.send("POST", f"/cases/{self.number}/uploads/{upload}/files", b"", **headers)
                place, offset = made.headers["Location"].partition("/api/v1")[2], 0
            else:
                place, offset = f"/cases/{self.number}/uploads/{upload}/files/{there['id']}", there["offset"]
            file.seek(offset)
            while piece := file.read(PIECE):
                digest = base64.b64encode(hashlib.sha256(piece).digest()).decode()
                headers = {"Upload-Offset": str(offset), "Upload-Checksum": f"sha256 {digest}"}
                self.client.send(
                    "PATCH", place, piece, **headers, **{"Content-Type": "application/offset+octet-stream"}
                )
                offset += len(piece)

    def batch(self, number: int) -> dict[str, Any]:
        status: dict[str, Any] = self.get(f"/batches/{number}")
        return status

    def tag(self, tag: int, documents: Sequence[int], *, on: bool = True) -> int:
        """The change, by which it can be undone; 0: all of them were so already."""
        return int(self.post("/coding", {"tag": tag, "on": on, "documents": list(documents)})["change"])

    def undo(self, change: int) -> dict[str, Any]:
        undone: dict[str, Any] = self.post(f"/coding/{change}/undo")
        return undone

    def get(self, path: str, **params: Any) -> Any:
        return self.client.get(f"/cases/{self.number}{path}", **params)

    def post(self, path: str, body: Any = None) -> Any:
        return self.client.post(f"/cases/{self.number}{path}", body)


def _walked(files: Sequence[Path]) -> Iterator[tuple[Path, str]]:
    """Each file, and its path as the server keeps it."""
    for each in files:
        if not each.is_dir():
            yield each, each.name
            continue
        for path in sorted(each.rglob("*")):
            if path.is_file() and not path.is_symlink():
                yield path, path.relative_to(each.parent).as_posix()


def _hit(row: dict[str, Any]) -> Hit:
    return Hit(
        id=row["document"]["id"],
        control_number=row["document"]["control_number"],
        title=row["title"],
        snippet=row["snippet"],
        positions=[(each["start"], each["end"]) for each in row["positions"]],
        tags=row["tags"],
        document=row["document"],
    )
