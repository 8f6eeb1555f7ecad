"""Every metadata field that the built-in handlers yield: its name, what it means, where it comes from.

docs/fields.md is written from this table, and the handler tests fail on a field that is not in it.
"""

from collections.abc import Iterable

CUSTOM = "custom."  # fields that the document's maker named: `custom.Matter`
_OFFICE = "Word, Excel, PowerPoint, OpenDocument"
_WITH_PROPERTIES = f"{_OFFICE}, RTF, Visio, Publisher, OLE files"
_SELF_DESCRIBED = f"{_WITH_PROPERTIES}, PDF, HTML, EPUB, iWork, OneNote, recordings, pictures"
_DATED = f"{_WITH_PROPERTIES}, PDF, EPUB, pictures, programs"

FIELDS: dict[str, tuple[str, str]] = {
    # what a document says of itself
    "title": ("title that the document states", f"{_SELF_DESCRIBED}, calendars"),
    "subject": ("subject of a mail; subject field of a document", f"mail, {_WITH_PROPERTIES}, PDF, pictures"),
    "author": ("who made it, as the document states", _SELF_DESCRIBED),
    "authors": ("everyone whose name stands beside words of a notebook", "OneNote"),
    "last_modified_by": ("who saved it last", _WITH_PROPERTIES),
    "keywords": ("keywords", f"{_WITH_PROPERTIES}, PDF, HTML, EPUB, iWork, pictures"),
    "comments": ("comment field of the properties, not comments in the text", _SELF_DESCRIBED),
    "description": ("description", "HTML, pictures, programs"),
    "category": ("category", _WITH_PROPERTIES),
    "company": ("company of the author; maker of a program", f"{_WITH_PROPERTIES}, programs"),
    "manager": ("manager", _WITH_PROPERTIES),
    "content_status": ("status, such as Draft or Final", _WITH_PROPERTIES),
    "copyright": ("copyright notice", "pictures, iWork, programs"),
    "publisher": ("publisher", "EPUB"),
    "identifier": ("ISBN or other identifier", "EPUB"),
    "revision": ("how often it was saved, as the document counts", _WITH_PROPERTIES),
    "edit_minutes": ("minutes of editing, as the document counts", "Word, PowerPoint"),
    "template": ("template it was made from", _WITH_PROPERTIES),
    "application": ("program that wrote it", f"{_WITH_PROPERTIES}, recordings, metafiles"),
    "application_version": ("version of that program", "Word, Excel, PowerPoint"),
    "creator": ("program that made the original of a PDF", "PDF"),
    "producer": ("program that made the PDF", "PDF"),
    "software": ("program that wrote a picture", "pictures"),
    "format_version": ("version of the format or of a program", "WordPerfect, Access, programs"),
    "pdf_version": ("version of PDF", "PDF"),
    "stated_pages": ("pages, as the document's properties count them", _WITH_PROPERTIES),
    "stated_words": ("words, as the document's properties count them", "Word, PowerPoint, RTF"),
    "stated_slides": ("slides, as the document's properties count them", "PowerPoint"),
    "stated_language": ("language that the document claims", f"{_OFFICE}, EPUB"),
    "language": ("language of the text, detected: an ISO 639 code; absent where none is clear", "all with text"),
    "encoding": ("character encoding, detected or declared", "plain text, HTML, dBASE"),
    "encrypted": ("the document was opened with a password, or restricts what may be done", "Office, PDF"),
    "protected_type": ("type of the document inside its encryption", "Office"),
    # dates; each may have `_raw` and `_has_zone` beside it
    "created": ("when it was made, by the document's own account; UTC where a zone is known", _DATED),
    "modified": ("when it was last changed, by the document's own account", f"{_WITH_PROPERTIES}, PDF, pictures"),
    "last_printed": ("when it was last printed, by the document's own account", _WITH_PROPERTIES),
    "recorded": ("year or date of a recording, as written", "recordings"),
    "file_modified": ("when an archive says that the member was changed", "members of archives"),
    # mail
    "from": ("senders", "mail"),
    "sender": ("who sent it for the sender", "mail"),
    "to": ("recipients", "mail"),
    "cc": ("recipients of copies", "mail"),
    "bcc": ("recipients of hidden copies", "mail"),
    "reply_to": ("where replies go", "mail"),
    "date": ("when it was sent; UTC where a zone is known", "mail"),
    "date_received": ("when the last server received it, UTC", "mail"),
    "message_id": ("message id", "mail"),
    "in_reply_to": ("message id that it answers", "mail"),
    "references": ("message ids of its thread", "mail"),
    "importance": ("high, normal or low", "mail"),
    "sensitivity": ("sensitivity, such as private", "mail"),
    "x_mailer": ("program that sent it", "mail"),
    "thread_topic": ("topic of the thread", "mail"),
    "thread_index": ("index of the thread, base64", "mail"),
    "list_id": ("mailing list", "mail"),
    "attachment_count": ("attachments, inline pictures not counted", "mail"),
    "inline_count": ("inline parts", "mail"),
    "content_type": ("media type that a mail states for a part", "parts of mails"),
    "content_id": ("id by which a mail's text refers to a part", "parts of mails"),
    # what is hidden or easily overlooked; only said where true
    "has_hidden": ("words, sheets, rows, columns, slides or layers are hidden", f"{_OFFICE}, RTF, PDF, dBASE"),
    "has_hidden_text": ("words are formatted as hidden", "Word, OpenDocument, RTF"),
    "has_hidden_rows": ("rows are hidden or filtered out", "Excel, OpenDocument"),
    "has_hidden_columns": ("columns are hidden", "Excel, OpenDocument"),
    "hidden_sheets": ("names of hidden sheets", "Excel, OpenDocument"),
    "hidden_slides": ("number of hidden slides", "PowerPoint, OpenDocument"),
    "layers": ("names of layers", "PDF"),
    "hidden_layers": ("names of layers that are off when the file is opened", "PDF"),
    "deleted_rows": ("rows that are marked as deleted and still there", "dBASE"),
    "has_tracked_changes": ("insertions or deletions are tracked", "Word, OpenDocument, RTF, iWork"),
    "has_comments": ("people left comments or annotations", f"{_OFFICE}, Visio, PDF"),
    "has_notes": ("slides have speaker notes", "PowerPoint, OpenDocument, Keynote"),
    "has_formulas": ("cells hold formulas; their last values are the text", "Excel, OpenDocument"),
    "has_external_links": ("cells refer to other files", "Excel"),
    "has_macros": ("macros are inside", _OFFICE),
    "has_form": ("it is a form", "PDF"),
    "has_xfa": ("it is an XFA form", "PDF"),
    "text_layer": ("whether pages have text of their own, or need OCR", "PDF"),
    # structure
    "sheets": ("number of sheets", "Excel, OpenDocument"),
    "rows": ("rows of a table", "dBASE"),
    "columns": ("columns of a table", "dBASE"),
    "tables": ("names of tables", "SQLite"),
    "page_titles": ("titles of a notebook's pages", "OneNote"),
    "table_of_contents": ("it lists a notebook's sections and holds no pages", "OneNote"),
    # pictures, recordings, programs
    "format": ("format's usual short name", "pictures, metafiles"),
    "width": ("pixels, or units of a metafile", "pictures, metafiles"),
    "height": ("pixels, or units of a metafile", "pictures, metafiles"),
    "color_mode": ("how pixels are stored", "pictures"),
    "dpi_x": ("pixels an inch, across", "pictures, metafiles"),
    "dpi_y": ("pixels an inch, down", "pictures"),
    "orientation": ("EXIF orientation, 1 to 8", "pictures"),
    "make": ("maker of the camera", "pictures"),
    "model": ("camera", "pictures"),
    "gps_latitude": ("degrees, south below zero", "pictures"),
    "gps_longitude": ("degrees, west below zero", "pictures"),
    "duration_s": ("length in seconds", "recordings"),
    "bit_rate_kbps": ("thousand bits a second", "recordings"),
    "sample_rate_hz": ("samples a second", "recordings"),
    "channels": ("channels of sound", "recordings"),
    "album": ("album", "recordings"),
    "composer": ("composer", "recordings"),
    "genre": ("genre", "recordings"),
    "machine": ("processor that a program is made for", "programs"),
    "is_library": ("it is a library rather than a program", "programs"),
    "product": ("product that a program belongs to", "programs"),
    "original_name": ("file name that its maker gave it", "programs"),
}  # fmt: skip
DATES = ("created", "modified", "last_printed", "date")
BESIDE_DATES = {
    "_raw": "the same date as it was written, where that differs",
    "_has_zone": "false where the date was written without a time zone: then it is not UTC",
}


def unknown_fields(names: Iterable[str]) -> list[str]:
    """Those that the catalogue does not explain."""
    known = {*FIELDS, *(date + ending for date in DATES for ending in BESIDE_DATES)}
    return [name for name in names if name not in known and not name.startswith(CUSTOM)]
