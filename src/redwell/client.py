"""A typed client of the API, for programs: `Client(address, token=…)`. It needs nothing of Redwell but this module."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import httpx


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
