"""LibreOffice: many documents to PDF in one process. Called by handlers of the office profile, in the child.

Whether a document was converted is told by the file that is there, never by the exit code, which is 0 for failures too.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from redwell.core.compression import AS_USUAL, Compression, PdfCompression
from redwell.core.errors import Unsupported
from redwell.core.wire import Tool
from redwell.handlers.engines import programs

# The program itself, not the script around it, which would be one more process to end.
_PLACES = (
    "/usr/lib/libreoffice/program/soffice.bin",
    "/usr/lib64/libreoffice/program/soffice.bin",
    "/opt/libreoffice/program/soffice.bin",
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
)
_REMEDY = "apt-get install " + " ".join(f"libreoffice-{part}-nogui" for part in ("writer", "calc", "impress", "draw"))
_OPTIONS = "--headless --invisible --nologo --nodefault --norestore --nolockcheck".split()
_ONCE_MORE = 81  # it has set up its profile and wants to be started again
_STARTS = 3
_PROFILE = "libreoffice"
_PDF = "/org.openoffice.Office.Common/Filter/PDF/Export"
# No macro runs, no link is followed, nothing is asked of a network, no Java is started, no recovery is kept.
_SETTINGS = (
    ("/org.openoffice.Office.Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("/org.openoffice.Office.Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("/org.openoffice.Office.Common/Security/Scripting", "DisableActiveContent", "true"),
    ("/org.openoffice.Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("/org.openoffice.Office.Writer/Content/Update", "Link", "0"),
    ("/org.openoffice.Office.Calc/Content/Update", "Link", "2"),
    ("/org.openoffice.Office.Java/VirtualMachine", "Enable", "false"),
    ("/org.openoffice.Office.Recovery/AutoSave", "Enabled", "false"),
    ("/org.openoffice.Office.Common/Misc", "CrashReport", "false"),
    ("/org.openoffice.Inet/Settings", "ooInetProxyType", "2"),
    ("/org.openoffice.Inet/Settings", "ooInetHTTPProxyName", "127.0.0.1"),
    ("/org.openoffice.Inet/Settings", "ooInetHTTPProxyPort", "9"),
    ("/org.openoffice.Inet/Settings", "ooInetHTTPSProxyName", "127.0.0.1"),
    ("/org.openoffice.Inet/Settings", "ooInetHTTPSProxyPort", "9"),
    # A PDF has hidden slides, pages of notes, comments as annotations (it can't print them), and no fields to fill in.
    (_PDF, "ExportNotes", "true"),
    (_PDF, "ExportNotesPages", "true"),
    (_PDF, "ExportHiddenSlides", "true"),
    (_PDF, "ExportFormFields", "false"),
)


class Died(Exception):
    """LibreOffice ended in the middle; what it had not finished has no result."""


class Document(NamedTuple):
    path: Path
    extension: str  # by which LibreOffice knows what the content does not tell


def tool() -> Tool:
    return Tool(name="libreoffice", version=programs.version_of(programs.found(_PLACES)), remedy=_REMEDY)


def to_pdf(
    documents: Sequence[Document], scratch: Path, compression: Compression = AS_USUAL
) -> Iterator[tuple[int, Path | None]]:
    """The PDF of each document, as `converted`."""
    return converted(documents, scratch, "pdf", compression)


def converted(
    documents: Sequence[Document], scratch: Path, to: str, compression: Compression = AS_USUAL
) -> Iterator[tuple[int, Path | None]]:
    """Each document in another format, in order, as soon as it is finished; None where LibreOffice makes none.

    Died where it ends before the last. Documents and results are below `scratch`, its profile in the folder for
    temporary files: the next call uses it again, which saves a second start.
    """
    program = programs.found(_PLACES)
    if not program:
        raise Unsupported(f"PDFs of this type are made by LibreOffice: {_REMEDY}, then redwell retry --lacking")
    inbox, outbox = scratch / "in", scratch / "out"
    shutil.rmtree(inbox, ignore_errors=True)
    shutil.rmtree(outbox, ignore_errors=True)
    inbox.mkdir(parents=True)
    names = [f"{number:06}.{document.extension or 'bin'}" for number, document in enumerate(documents)]
    for name, document in zip(names, documents, strict=True):
        os.symlink(document.path.absolute(), inbox / name)
    command = [program, *_OPTIONS, f"-env:UserInstallation={_profile(compression).as_uri()}"]
    command += ["--convert-to", to, "--outdir", str(outbox), *(str(inbox / name) for name in names)]
    yield from _results(command, scratch, len(documents), to.partition(":")[0])


def _results(command: Sequence[str], scratch: Path, count: int, extension: str) -> Iterator[tuple[int, Path | None]]:
    done, code = 0, _ONCE_MORE
    for _ in range(_STARTS):
        process = programs.start(command, scratch)
        try:
            for begun in _begun(process):
                for number in range(done, min(begun, count)):
                    yield number, _made(scratch, number, extension)
                done = max(done, min(begun, count))
            code = process.wait()
        finally:
            programs.end(process)
        if code != _ONCE_MORE:
            break
    if code != 0:
        programs.expect_room(scratch)
        for profile in _profiles().glob(f"{_PROFILE}*"):
            shutil.rmtree(profile, ignore_errors=True)
        raise Died(f"LibreOffice ended with {code}")
    for number in range(done, count):
        yield number, _made(scratch, number, extension)


def _begun(process: "subprocess.Popen[bytes]") -> Iterator[int]:
    """The number of each document when it is begun: those before it are finished then."""
    assert process.stdout
    for line in process.stdout:
        words = line.split()
        if words[:1] == [b"convert"] and len(words) > 1:
            stem = words[1].rpartition(b"/")[2].partition(b".")[0]
            if stem.isdigit():
                yield int(stem)


def _made(scratch: Path, number: int, extension: str) -> Path | None:
    programs.expect_room(scratch)
    made = scratch / "out" / f"{number:06}.{extension}"
    return made if made.is_file() and made.stat().st_size else None


def _profiles() -> Path:
    return Path(tempfile.gettempdir()).absolute()


def _profile(compression: Compression) -> Path:
    """Its own: two processes can't share one, and a child has one at a time. It says how pictures are packed, too."""
    folder = _profiles() / (
        _PROFILE if compression == AS_USUAL else f"{_PROFILE}-{compression.how}-{compression.quality}"
    )
    settings = folder / "user" / "registrymodifications.xcu"
    if not settings.exists():
        settings.parent.mkdir(parents=True)
        settings.write_text(_settings(compression))
    return folder


def _packing(compression: Compression) -> Iterator[tuple[str, str, str]]:
    """LibreOffice packs as JPEG of quality 90, with at most 300 dots an inch, where nothing is said."""
    if compression.how is PdfCompression.LOSSLESS:
        yield _PDF, "UseLosslessCompression", "true"
        yield _PDF, "ReduceImageResolution", "false"
    if compression.quality:
        yield _PDF, "Quality", str(compression.quality)


def _settings(compression: Compression) -> str:
    items = "".join(
        f'<item oor:path="{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'
        for path, name, value in (*_SETTINGS, *_packing(compression))
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><oor:items xmlns:oor="http://openoffice.org/2001/registry"'
        f' xmlns:xs="http://www.w3.org/2001/XMLSchema">{items}</oor:items>'
    )
