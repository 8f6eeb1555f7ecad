"""The part of the client that is written from the API's own description: a method for each of its operations.

`make docs` writes src/redwell/client_calls.py; a test fails when it differs from the description. Left out are streams
of events, and the calls of the tus protocol, which the client makes itself (redwell.client).
"""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from fastapi import FastAPI

from redwell.entrypoints.http.app import make_app

TARGET = Path(__file__).parents[1] / "src" / "redwell" / "client_calls.py"
HEAD = '''"""A method for each operation of the API, written by `make docs` from its description: change that instead.

`Client.calls` has those of the home, `Case.calls` those of a case. An answer is what its JSON says, text, or bytes.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from urllib.parse import quote


class Caller(Protocol):
    def call(self, method: str, path: str, query: Mapping[str, Any] | None = None, body: Any = None) -> Any:
        """A value that is None is not sent."""
        ...
'''
TAIL = """

def _safe(name: str) -> str:
    return quote(name, safe="")
"""
CLASS = """

class {name}:
    def __init__(self, caller: Caller, base: str = "") -> None:
        self._caller, self._base = caller, base
"""
_CASE = "/api/v1/cases/{case}"
_TYPES = {"integer": "int", "string": "str", "boolean": "bool", "number": "float"}
_OURS = {"get", "post", "put", "delete"}


def application() -> FastAPI:
    """Routes only: nothing is opened."""
    home: Any = SimpleNamespace(signing_key=b"")
    return make_app(home)


def written() -> str:
    paths = application().openapi()["paths"]
    home = [each for each in _methods(paths) if not each[0].startswith(_CASE)]
    case = [(path.removeprefix(_CASE), *rest) for path, *rest in _methods(paths) if path.startswith(_CASE)]
    parts = [HEAD, *_class("HomeCalls", [(path.removeprefix("/api/v1"), *rest) for path, *rest in home])]
    return _formatted("".join([*parts, *_class("CaseCalls", case), TAIL]))


def _methods(paths: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for path, operations in paths.items():
        for method, operation in operations.items():
            is_ours = path.startswith("/api/v1/") and method in _OURS and not path.endswith("/events")
            if is_ours and "/uploads/{upload}/files" not in path:
                yield path, method, operation


def _class(name: str, methods: list[Any]) -> Iterator[str]:
    yield CLASS.format(name=name)
    seen = set[str]()
    for path, method, operation in methods:
        called = operation["summary"].lower().replace(" ", "_")
        called = f"{called}_{method}" if called in seen else called
        seen.add(called)
        yield _method(called, path, method, operation)


def _method(name: str, path: str, method: str, operation: Mapping[str, Any]) -> str:
    given = [each for each in operation.get("parameters", ()) if each["name"] != "case"]
    placed = [each for each in given if each["in"] == "path"]
    query = [each for each in given if each["in"] == "query"]
    body = operation.get("requestBody")
    arguments = [f"{each['name']}: {_type(each['schema'])}" for each in placed]
    arguments += ["body: Any"] if body and body.get("required") else ["body: Any = None"] if body else []
    arguments += ["*", *(_keyword(each) for each in query)] if query else []
    sent = ", ".join(f'"{each["name"]}": {each["name"]}' for each in query)
    told = " ".join(operation.get("description", "").split("\n\n")[0].split()).replace('"', "'")
    doc = f'        """{told[:100]}"""\n' if told and len(told) <= 100 else ""
    for each in placed:
        if _type(each["schema"]) == "str":
            path = path.replace(f"{{{each['name']}}}", f"{{_safe({each['name']})}}")
    mark = "f" if placed else ""
    calls = f'"{method.upper()}", self._base + {mark}"{path}"' + (f", {{{sent}}}" if query else "")
    calls += ", body=body" if body else ""
    signature = ", ".join(["self", *arguments])
    return f"\n    def {name}({signature}) -> Any:\n{doc}        return self._caller.call({calls})\n"


def _keyword(parameter: Mapping[str, Any]) -> str:
    kind = _type(parameter["schema"])
    return f"{parameter['name']}: {kind}" + ("" if parameter.get("required") else " | None = None")


def _type(schema: Mapping[str, Any]) -> str:
    options = [each for each in schema.get("anyOf", [schema]) if each.get("type") != "null"]
    kind = options[0]
    if kind.get("type") == "array":
        return f"Sequence[{_type(kind['items'])}]"
    return _TYPES.get(kind.get("type", "string"), "str")


def _formatted(text: str) -> str:
    ruff = Path(sys.executable).parent / "ruff"
    command = [ruff, "format", "--stdin-filename", TARGET.name, "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=TARGET.parents[2]).stdout


def main() -> int:
    TARGET.write_text(written())
    return 0


if __name__ == "__main__":
    sys.exit(main())
