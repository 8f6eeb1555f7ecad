"""Opens a PDF with pdfium for its pages and with pikepdf for everything else. Called by the PDF handler in a child."""

import io
import warnings
from pathlib import Path
from typing import Any

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.handler import Piece, Source, Trouble
from redwell.core.outcomes import Code

# what pikepdf lets through on damaged files, beside its own errors
PDF_ERRORS = (ValueError, TypeError, KeyError, AttributeError, IndexError, RuntimeError, NotImplementedError, OSError)
_WRONG_PASSWORD = 4  # FPDF_ERR_PASSWORD
_IN_MEMORY = 32 << 20


class OpenPdf:
    """`pages` is pdfium's document, `structure` pikepdf's or None; `troubles` says what had to be done."""

    def __init__(self, source: Source, passwords: tuple[str, ...]) -> None:
        self.troubles: list[Piece] = []
        self._passwords = passwords
        self._data: bytes | Path = source.path() if source.size > _IN_MEMORY else source.read()
        self.is_locked = False  # pikepdf wants a password, though pdfium may show the pages without
        self.structure = self._open_structure()
        self.pages = self._open_pages()

    def close(self) -> None:
        self.pages.close()
        if self.structure is not None:
            self.structure.close()

    def _open_structure(self) -> Any:
        import pikepdf

        for password in ("", *self._passwords):
            try:
                file = io.BytesIO(self._data) if isinstance(self._data, bytes) else self._data
                return pikepdf.open(file, password=password)
            except pikepdf.PasswordError:
                self.is_locked = True
            except (pikepdf.PikepdfError, *PDF_ERRORS) as error:
                self._note(Code.METADATA_UNAVAILABLE, f"pikepdf: {type(error).__name__}: {error}")
                return None
        return None

    def _open_pages(self) -> Any:
        import pypdfium2

        reason, locked = "", False
        for password in ("", *self._passwords):
            try:
                return pypdfium2.PdfDocument(self._data, password=password or None)
            except pypdfium2.PdfiumError as error:
                reason, locked = str(error), error.err_code == _WRONG_PASSWORD
            if not locked:
                break
        if self.structure is not None:
            self._note(Code.HANDLER_ERROR, f"repaired before reading: {reason}")
            return self._repaired()
        if locked or self.is_locked:
            raise PasswordProtected("none of the passwords fits" if self._passwords else "a password is needed")
        raise InvalidFile(f"no reader opens it: {reason}")

    def _repaired(self) -> Any:
        import pikepdf
        import pypdfium2

        out = io.BytesIO()
        try:
            with warnings.catch_warnings(action="ignore"):  # it has opinions on forms
                self.structure.save(out, encryption=False)
            return pypdfium2.PdfDocument(out.getvalue())
        except (pikepdf.PikepdfError, pypdfium2.PdfiumError, *PDF_ERRORS) as error:
            raise InvalidFile(f"it cannot be repaired: {type(error).__name__}: {error}") from None

    def _note(self, code: Code, detail: str) -> None:
        self.troubles.append(Trouble(code=code, detail=detail, partial=False))
