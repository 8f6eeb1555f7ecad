"""A file that pdfium opens: the PDF itself, a copy without its password, or a mended one. Called in a child."""

import warnings
from pathlib import Path
from typing import NamedTuple

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.handler import Source

# what pikepdf lets through on damaged files, beside its own errors
PDF_ERRORS = (ValueError, TypeError, KeyError, AttributeError, IndexError, RuntimeError, NotImplementedError, OSError)

_OTHER_LOCK = 5  # FPDF_ERR_SECURITY


class Shown(NamedTuple):
    path: Path
    pages: int
    reason: str = ""  # why it is not the file itself


def shown(source: Source, scratch: Path, passwords: tuple[str, ...]) -> Shown:
    """Pages that can be shown; PasswordProtected or InvalidFile where there are none."""
    native = source.path()
    pages, refusal = page_count(native)
    if pages:
        return Shown(native, pages)
    copy = scratch / "mended.pdf"
    was_locked = _copied(native, copy, passwords)
    pages, still = page_count(copy)
    if not pages:
        raise InvalidFile(f"no page of it can be shown: {still or refusal or 'it has none'}")
    reason = "a copy without its password" if was_locked else f"mended before it could be shown: {refusal}"
    return Shown(copy, pages, reason)


def page_count(path: Path) -> tuple[int, str]:
    """How many pages pdfium shows of it, the first being one of them; or 0 and why."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if error.err_code == _OTHER_LOCK:
            raise PasswordProtected("encrypted for the holder of a key or a licence; no password opens it") from None
        return 0, str(error)
    try:
        if len(document):
            document[0].close()
        return len(document), ""
    except pypdfium2.PdfiumError as error:
        return 0, str(error)
    finally:
        document.close()


def _copied(native: Path, copy: Path, passwords: tuple[str, ...]) -> bool:
    """Write it anew, without encryption. Whether a password was needed."""
    import pikepdf

    locked = False
    for password in ("", *passwords):
        try:
            with warnings.catch_warnings(action="ignore"), pikepdf.open(native, password=password) as opened:
                locked = locked or bool(password)
                opened.save(copy, encryption=False, deterministic_id=True)
                return locked
        except pikepdf.PasswordError:
            locked = True
        except (pikepdf.PikepdfError, *PDF_ERRORS) as error:
            said = str(error).replace(f"{native}: ", "")  # where it lay is nobody's concern
            raise InvalidFile(f"no reader opens it: {type(error).__name__}: {said}") from None
    raise PasswordProtected("none of the passwords fits" if passwords else "a password is needed")
