"""PDFs side by side with what a script would do: `python -m benchmarks.rendition_peers FOLDER [--weasyprint PYTHON]`.

Office documents against a soffice for each file, mails against WeasyPrint over their own HTML; by seconds of CPU of all
processes, since a busy machine stretches the others. WeasyPrint is a peer and no dependency: PYTHON is one that has it.
"""

import argparse
import email
import email.policy
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil

from benchmarks.renditions import rendered_by
from redwell.core.work.renderers import MAIL, OFFICE, RENDERERS
from redwell.handlers.detect.detect import detect

_EACH_S = 240
_LOOK_S = 0.05
_HEAD = "| what | files | ours, PDFs | ours, CPU s | peer | PDFs | CPU s | ours / peer |"
_WEASYPRINT = "import sys, weasyprint; weasyprint.HTML(filename=sys.argv[1]).write_pdf(sys.argv[2])"


class Cost(NamedTuple):
    made: int
    cpu_s: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--weasyprint", default="")
    parser.add_argument("--most", type=int, default=30)
    told = parser.parse_args()
    print(f"{_HEAD}\n{'|---' * 8}|")
    office = _of_types(told.folder, OFFICE)[: told.most]
    _row("office", office, "a soffice for each file", _each_by_soffice)
    if told.weasyprint:
        mails = [path for path in _of_types(told.folder, MAIL) if _html_of(path)][: told.most]
        _row(
            "mail with HTML",
            mails,
            "WeasyPrint, one process a mail",
            lambda paths: _each_by_weasyprint(told.weasyprint, paths),
        )


def _row(what: str, paths: Sequence[Path], peer: str, by_peer: Callable[[Sequence[Path]], int]) -> None:
    ours, theirs = _cost(lambda: _ours(paths)), _cost(lambda: by_peer(paths))
    ratio = ours.cpu_s / theirs.cpu_s
    counts = (
        f"{len(paths)} | {ours.made} | {ours.cpu_s:.1f} | {peer} | {theirs.made} | {theirs.cpu_s:.1f} | {ratio:.2f}"
    )
    print(f"| {what} | {counts} |", flush=True)


def _cost(work: Callable[[], int]) -> Cost:
    """Of every process below this one as it was last seen: some end without being waited for."""
    seen: dict[int, float] = {}
    over = threading.Event()
    watch = threading.Thread(target=_watch, args=(seen, over))
    own = time.process_time()
    watch.start()
    try:
        made = work()
    finally:
        over.set()
        watch.join()
    return Cost(made, sum(seen.values()) + time.process_time() - own)


def _watch(seen: dict[int, float], over: threading.Event) -> None:
    while not over.wait(_LOOK_S):
        for each in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                times = each.cpu_times()
                seen[each.pid] = times.user + times.system


def _of_types(folder: Path, types: frozenset[str]) -> list[Path]:
    files = sorted(each for each in folder.rglob("*") if each.is_file())
    return [path for path in files if _type_of(path) in types]


def _type_of(path: Path) -> str:
    return detect(lambda: path.open("rb"), path.stat().st_size, path.name)


def _ours(paths: Sequence[Path]) -> int:
    made = 0
    for row in RENDERERS:
        mine = [path for path in paths if _renderer_of(path) == row.name]
        if mine:
            with tempfile.TemporaryDirectory() as scratch:
                made += sum(told.pages > 0 for told in rendered_by(row, mine, Path(scratch), None))
    return made


def _renderer_of(path: Path) -> str:
    media_type = _type_of(path)
    return next(row.name for row in RENDERERS if media_type in row.media_types)


def _each_by_soffice(paths: Sequence[Path]) -> int:
    made = 0
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            profile = f"-env:UserInstallation=file://{folder}/profile"
            command = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", folder, str(path)]
            _run(command)
            made += any(Path(folder).glob("*.pdf"))
    return made


def _each_by_weasyprint(python: str, paths: Sequence[Path]) -> int:
    made = 0
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            page, target = Path(folder) / "body.html", Path(folder) / "body.pdf"
            page.write_text(_html_of(path), "utf-8")
            _run([python, "-c", _WEASYPRINT, str(page), str(target)])
            made += target.exists()
    return made


def _html_of(path: Path) -> str:
    """The HTML body of a mail by Python's own reader; empty where there is none."""
    try:
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        body = message.get_body(("html",))
        return str(body.get_content()) if body is not None else ""
    except (ValueError, LookupError, AttributeError, TypeError):
        return ""


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, capture_output=True, timeout=_EACH_S, check=False)
    except subprocess.TimeoutExpired:
        print(f"{command[-1]}: not within {_EACH_S} s", file=sys.stderr)


if __name__ == "__main__":
    main()
