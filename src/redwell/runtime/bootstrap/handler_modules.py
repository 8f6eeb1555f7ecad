"""The names of the handler modules there are: the built-in ones, and those that installed packages offer.

Names are all that this process has of them. They are sent to the children of their profile, which import them.
"""

from collections.abc import Mapping
from functools import lru_cache

from redwell.core.work.kinds import Profile
from redwell.core.work.profiles import RIGHTS

GROUP = "redwell.handlers"
BUILT_IN = (
    "redwell.handlers.text.text",
    "redwell.handlers.structures.html",
    "redwell.handlers.mail.eml",
    "redwell.handlers.outlook.msg",
    "redwell.handlers.outlook.tnef",
    "redwell.handlers.mail.smime_files",
    "redwell.handlers.mail.mhtml",
    "redwell.handlers.mail.calendar",
    "redwell.handlers.mail.contacts",
    "redwell.handlers.mail.mbox",
    "redwell.handlers.pst.pst",
    "redwell.handlers.outlook.olm",
    "redwell.handlers.zip.zip",
    "redwell.handlers.archives.archive",
    "redwell.handlers.archives.cabinet_set",
    "redwell.handlers.archives.compressed",
    "redwell.handlers.archives.sevenzip",
    "redwell.handlers.archives.arj",
    "redwell.handlers.archives.lha",
    "redwell.handlers.archives.xar",
    "redwell.handlers.disks.udf",
    "redwell.handlers.disks.raw_disc",
    "redwell.handlers.disks.wim",
    "redwell.handlers.archives.html_help",
    "redwell.handlers.rar.rar",
    "redwell.handlers.disks.disk_images",
    "redwell.handlers.pdf.pdf",
    "redwell.handlers.office.office",
    "redwell.handlers.word.word",
    "redwell.handlers.documents.epub",
    "redwell.handlers.documents.fiction_book",
    "redwell.handlers.documents.hangul_package",
    "redwell.handlers.documents.xps_visio",
    "redwell.handlers.slides.slides",
    "redwell.handlers.office.protected",
    "redwell.handlers.sheets.spreadsheet",
    "redwell.handlers.media.image",
    "redwell.handlers.media.metafile",
    "redwell.handlers.documents.onenote",
    "redwell.handlers.word.wordperfect",
    "redwell.handlers.documents.iwork",
    "redwell.handlers.documents.compound",
    "redwell.handlers.sheets.database",
    "redwell.handlers.media.recording",
    "redwell.handlers.archives.program",
    "redwell.handlers.text.shortcut",
    "redwell.handlers.text.property_list",
    "redwell.handlers.loadfiles.load_file",
    "redwell.handlers.loadfiles.rows_of_volume",
    "redwell.handlers.loadfiles.volume",
    "redwell.handlers.loadfiles.record",
    "redwell.handlers.transcripts.transcript",
    "redwell.handlers.transcripts.opendvt",
    "redwell.handlers.transcripts.undescribed",
)

# They make renditions and read nothing: what a child is asked to do decides (HandlerSpec.task).
RENDERING: Mapping[Profile, tuple[str, ...]] = {
    Profile.PARSER: (
        "redwell.handlers.render.native_pdf",
        "redwell.handlers.render.picture_pdf",
        "redwell.handlers.render.text_pdf",
        "redwell.handlers.render.page_list_pdf",
        "redwell.handlers.render.words_pdf",
        "redwell.handlers.render.page_images",
        "redwell.handlers.render.combined_pdf",
        "redwell.handlers.produce.produced_pages",
        "redwell.handlers.produce.bound_pdf",
        "redwell.handlers.produce.inner_layers",
    ),
    Profile.OFFICE: (
        "redwell.handlers.render.office.office_pdf",
        "redwell.handlers.render.office.sheets_pdf",
        "redwell.handlers.render.office.locked_pdf",
    ),
    Profile.BROWSER: ("redwell.handlers.render.mail_pdf", "redwell.handlers.render.web_pdf"),
    Profile.OCR: (
        "redwell.handlers.ocr.ocr_pages",
        "redwell.handlers.ocr.ocr_image",
        "redwell.handlers.ocr.ocr_image_list",
        "redwell.handlers.ocr.ocr_page_list",
        "redwell.handlers.ocr.ocr_inline",
    ),
    Profile.MODEL: ("redwell.handlers.model.gguf_answer",),
}

BUILT_IN_OF: Mapping[Profile, tuple[str, ...]] = {
    profile: (*(BUILT_IN if profile is Profile.PARSER else ()), *RENDERING.get(profile, ())) for profile in RIGHTS
}


@lru_cache(maxsize=1)  # what is installed stays while a process runs, and is asked for again for every kind of child
def discover() -> Mapping[Profile, tuple[str, ...]]:
    """Module names by profile, built-in first. A package adds one by an entry point of the group `redwell.handlers`,
    for any other profile than the parsers' with its name behind: `redwell.handlers.office`.
    """
    from importlib.metadata import entry_points  # slow, and whoever only looks never asks

    points = entry_points()
    found = {}
    for profile in RIGHTS:
        group = GROUP if profile is Profile.PARSER else f"{GROUP}.{profile}"
        built_in = BUILT_IN_OF.get(profile, ())
        found[profile] = (*built_in, *sorted({point.value for point in points.select(group=group)} - set(built_in)))
    return found
