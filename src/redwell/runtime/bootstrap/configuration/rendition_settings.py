"""Settings about PDFs, images of pages and recognised text. Part of `Settings`."""

from dataclasses import dataclass

from redwell.runtime.bootstrap.configuration.figures import setting
from redwell.runtime.bootstrap.configuration.service_settings import ServiceSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class RenditionSettings(ServiceSettings):
    pdf: str = setting(
        "lazy",
        "PDFs of documents: eager makes them with the import, lazy when they are first asked for, none never",
        ("eager", "lazy", "none"),
    )
    pages: str = setting(
        "lazy", "images of pages, likewise; where they are eager, PDFs are too", ("eager", "lazy", "none")
    )
    ocr: str = setting(
        "auto",
        "auto recognises pictures and pages that are pictures of text, all every page of a PDF, none nothing",
        ("auto", "all", "none"),
    )
    ocr_inline: str = setting("no", "yes: pictures inside Office documents are recognised too", ("no", "yes"))
    ocr_languages: str = setting("eng", "languages to recognise, by Tesseract's names, joined by `+`")
    ocr_dpi: int = setting(300, "dots per inch at which pages are drawn to be recognised")
    ocr_second: str = setting("no", "yes: a second engine tries the pages that came out worst", ("no", "yes"))
    ocr_tries: str = setting(
        "keep",
        "of a page that read badly and was cleaned and read again: keep stores the cleaned picture (2 to 8 MB) and the"
        " reading that was not taken, drop neither",
        ("keep", "drop"),
    )
    page_dpi: int = setting(96, "dots per inch of page images")
    sheet_pages: int = setting(10_000, "pages of a spreadsheet's PDF, at most")
    pdf_compression: str = setting(
        "auto",
        "of pictures that are packed anew in PDFs: lossless (as they are, to the last bit), jpeg (small), or auto"
        " (jpeg where the picture had a loss already or is a scan, else lossless)",
        ("auto", "lossless", "jpeg"),
    )
    jpeg_quality: int = setting(
        0,
        "of JPEGs that are made, 1 to 100; 0: 92 in PDFs of pictures, 90 in those of LibreOffice, 85 behind recognised"
        " words, 82 in productions",
        most=100,
    )
    tiff_compression: str = setting(
        "group4",
        "of TIFFs in productions, where their option `tiff` says nothing",
        ("group4", "lzw", "deflate", "none"),
    )
    render_wall_s: int = setting(240, "seconds that LibreOffice or the browser may take for a document")
