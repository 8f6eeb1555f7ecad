"""Opens a PDF with pdfium for its pages and with pikepdf for everything else. Called by the PDF handler in a child."""

import io
import re
import warnings
from pathlib import Path
from typing import Any

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.handler import Piece, Source, Trouble, tell_opened
from redwell.core.outcomes import Code
from redwell.handlers.pdf.pdf_fonts import with_letters
from redwell.handlers.pdf.pdf_objects import array, dictionary

# what pikepdf lets through on damaged files, beside its own errors
PDF_ERRORS = (ValueError, TypeError, KeyError, AttributeError, IndexError, RuntimeError, NotImplementedError, OSError)
_WRONG_PASSWORD, _OTHER_LOCK = 4, 5  # FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY
_IN_MEMORY = 32 << 20
_TAIL = 2048
_WHOLE_LENGTH = re.compile(rb"/Linearized.{0,200}?/L\s+(\d{1,15})", re.S)


def _is_cut_off(source: Source) -> bool:
    """A PDF ends by saying where its table of objects is; one made for the web also says early how long it is."""
    with source.open() as file:
        told = _WHOLE_LENGTH.search(file.read(_TAIL))
        file.seek(max(0, source.size - _TAIL))
        tail = file.read()
    has_end = b"startxref" in tail or b"%%EOF" in tail
    return not has_end or (told is not None and int(told[1]) > source.size)


class OpenPdf:
    """`pages` is pdfium's document, `structure` pikepdf's or None; `troubles` says what had to be done."""

    def __init__(self, source: Source, passwords: tuple[str, ...]) -> None:
        self.troubles: list[Piece] = []
        self._passwords = passwords
        self._data: bytes | Path = source.path() if source.size > _IN_MEMORY else source.read()
        self.is_locked = False  # pikepdf wants a password, though pdfium may show the pages without
        self.structure = self._open_structure()
        declared = self._declared_pages()
        self.pages = self._open_pages()
        self._miss_pages(declared, source)
        self._give_letters()

    def close(self) -> None:
        self.pages.close()
        if self.structure is not None:
            self.structure.close()

    def _declared_pages(self) -> int:
        """What the page tree says before anything counts its leaves and mends the number."""
        if self.structure is None:
            return 0
        count = dictionary(self.structure.Root.get("/Pages")).get("/Count")
        return count if isinstance(count, int) else 0

    def _real_pages(self) -> int:
        """pdfium believes the page tree's count; pikepdf counts the pages that are there."""
        import pikepdf

        shown = len(self.pages)
        if self.structure is None:
            return shown
        try:
            return min(shown, len(self.structure.pages))
        except (pikepdf.PikepdfError, *PDF_ERRORS):
            return shown

    def _miss_pages(self, declared: int, source: Source) -> None:
        found = self._real_pages()
        if max(declared, len(self.pages)) > found:
            declared = max(declared, len(self.pages))
            detail = f"the file declares {declared} pages, {found} could be recovered"
        elif _is_cut_off(source):
            detail = f"the end of the file is missing; {found} pages could be recovered"
        else:
            return
        self.troubles.append(Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=detail))

    def _give_letters(self) -> None:
        """Pages whose fonts do not tell their letters are read from a copy where they do."""
        import pikepdf
        import pypdfium2

        if self.structure is None or not isinstance(self._data, bytes):
            return
        try:
            with warnings.catch_warnings(action="ignore"):
                copy = with_letters(self.structure)
            pages = pypdfium2.PdfDocument(copy) if copy else None
        except (pikepdf.PikepdfError, pypdfium2.PdfiumError, *PDF_ERRORS):
            return  # what the file itself gives stands
        if pages is not None and len(pages) == len(self.pages):
            self.pages.close()
            self.pages = pages

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

        reason, locked, is_sealed = "", False, False
        for password in ("", *self._passwords):
            try:
                pages = pypdfium2.PdfDocument(self._data, password=password or None)
            except pypdfium2.PdfiumError as error:
                reason, locked = str(error), error.err_code == _WRONG_PASSWORD
                is_sealed = error.err_code == _OTHER_LOCK
            else:
                if password:
                    tell_opened(self._passwords)
                return pages
            if not locked:
                break
        if self.structure is not None:
            if self._is_blank():
                self._note(Code.TEXT_UNAVAILABLE, "the file has no pages")
                return pypdfium2.PdfDocument.new()
            self._note(Code.HANDLER_ERROR, f"repaired before reading: {reason}")
            return self._repaired()
        if is_sealed:
            raise PasswordProtected("encrypted for the holder of a private key or a licence; no password opens it")
        if locked or self.is_locked:
            raise PasswordProtected("none of the passwords fits" if self._passwords else "a password is needed")
        raise InvalidFile(f"no reader opens it: {reason}")

    def _is_blank(self) -> bool:
        """Whether the file is whole and has no pages, which pdfium takes for damage; others may be attached to it."""
        tree = dictionary(self.structure.Root.get("/Pages"))
        return tree.get("/Count") == 0 and not array(tree.get("/Kids")) and not self.structure.get_warnings()

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
