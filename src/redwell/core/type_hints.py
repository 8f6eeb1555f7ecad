"""What a file's name says about its type: all that a process which may not look into files knows of it. Pure."""

OWNER_FILE = "application/x-ms-owner"  # what Office lays beside an open document, under a name like that one's
# Only the name tells these from other text.
BY_NAME = {
    "csv": "text/csv",
    "eml": "message/rfc822",
    "html": "text/html",
    "json": "application/json",
    "md": "text/markdown",
    "tsv": "text/tab-separated-values",
    "xml": "application/xml",
}
# Where the bytes say nothing at all, these extensions do: formats of transcripts that nobody has described.
BY_NAME_ALONE = {
    "lef": "application/x-livenote-evidence",
    "ptx": "application/x-e-transcript",
    "ptf": "application/x-portable-transcript",
    "cms": "application/x-trialdirector-case",
    "xmef": "application/x-textmap-evidence",
    "xmptf": "application/x-textmap-transcript",
}
# Spellings of the extensions that may decide a type, in one normal form. `name_hint` enters a derivation's key, so
# every extension here splits the work on equal bytes.
_HINTS = {
    **{extension: extension for extension in (*BY_NAME, *BY_NAME_ALONE)},
    **{
        extension: extension
        for extension in ("key", "numbers", "pages", "ods", "odp", "odg", "sxw", "sxc", "sxi", "mbox", "mboxrd")
    },
    "emlx": "eml",
    "htm": "html",
    "mail": "eml",
    "markdown": "md",
    "mht": "eml",
    "mhtml": "eml",
    "tab": "tsv",
    "xhtml": "html",
}

_WORD = frozenset(
    (
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/vnd.ms-word.document.macroenabled.12",
        "application/x-ooxml-protected",
        OWNER_FILE,
        "application/vnd.ms-wordml",
    )
)
_EXCEL = frozenset(
    (
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.ms-excel.sheet.macroenabled.12",
        "application/vnd.ms-excel.sheet.binary.macroenabled.12",
        "application/x-ooxml-protected",
        OWNER_FILE,
    )
)
_SLIDES = frozenset(
    (
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "application/vnd.ms-powerpoint.presentation.macroenabled.12",
        "application/x-ooxml-protected",
        OWNER_FILE,
    )
)
_MAILS = frozenset(("message/rfc822", "message/x-emlx", "multipart/related", "application/mbox"))
_PHOTO = frozenset(("image/jpeg",))
_TEXTS = frozenset(
    (
        *("text/plain", "text/html", "text/csv", "text/markdown", "text/tab-separated-values", "text/calendar"),
        *("text/vcard", "application/json", "application/xml", "application/xhtml+xml", "application/rtf"),
        *(
            "application/x-opendvt+xml",
            "image/svg+xml",
            "application/postscript",
            "application/pkcs7-mime",
            "application/pgp-encrypted",
        ),
        *("application/pgp-signature", "application/x-x509-cert", "application/mac-binhex40", *_MAILS),
    )
)
_OLD_OFFICE = {
    "doc": "application/msword",
    "xls": "application/vnd.ms-excel",
    "ppt": "application/vnd.ms-powerpoint",
}

_EXPECTED: dict[str, frozenset[str]] = {
    **dict.fromkeys(("docx", "docm", "dotx", "dotm"), _WORD),
    **dict.fromkeys(("xlsx", "xlsm", "xlsb", "xltx", "xltm"), _EXCEL),
    **dict.fromkeys(("pptx", "pptm", "ppsx", "ppsm", "potx", "potm"), _SLIDES),
    **{
        extension: frozenset((kind, "application/x-ooxml-protected", OWNER_FILE))
        for extension, kind in _OLD_OFFICE.items()
    },
    **dict.fromkeys(("eml", "emlx", "mht", "mhtml"), _MAILS),
    **dict.fromkeys(("txt", "csv", "tsv", "log", "json", "xml", "md"), _TEXTS),
    **dict.fromkeys(("htm", "html", "xhtml"), frozenset(("text/html", "application/xhtml+xml"))),
    **dict.fromkeys(("jpg", "jpeg", "jpe"), _PHOTO),
    **dict.fromkeys(("tif", "tiff"), frozenset(("image/tiff",))),
    **dict.fromkeys(("heic", "heif"), frozenset(("image/heic", "image/avif"))),
    **dict.fromkeys(("gz", "tgz"), frozenset(("application/gzip",))),
    **dict.fromkeys(("pst", "ost"), frozenset(("application/vnd.ms-outlook-pst",))),
    **dict.fromkeys(("msg", "oft"), frozenset(("application/vnd.ms-outlook",))),
    **dict.fromkeys(
        ("exe", "dll"), frozenset(("application/vnd.microsoft.portable-executable", "application/x-dosexec"))
    ),
    **{
        extension: frozenset((kind,))
        for extension, kind in (
            ("pdf", "application/pdf"),
            ("rtf", "application/rtf"),
            ("vcs", "text/calendar"),
            ("tnef", "application/vnd.ms-tnef"),
            ("mbox", "application/mbox"),
            ("mboxrd", "application/mbox"),
            ("odt", "application/vnd.oasis.opendocument.text"),
            ("ods", "application/vnd.oasis.opendocument.spreadsheet"),
            ("odp", "application/vnd.oasis.opendocument.presentation"),
            ("epub", "application/epub+zip"),
            ("fb2", "application/x-fictionbook+xml"),
            ("png", "image/png"),
            ("gif", "image/gif"),
            ("bmp", "image/bmp"),
            ("webp", "image/webp"),
            ("zip", "application/zip"),
            ("7z", "application/x-7z-compressed"),
            ("rar", "application/vnd.rar"),
            ("tar", "application/x-tar"),
            ("mp3", "audio/mpeg"),
            ("wav", "audio/wav"),
            ("one", "application/onenote"),
            ("wpd", "application/vnd.wordperfect"),
            ("pages", "application/vnd.apple.pages"),
            ("numbers", "application/vnd.apple.numbers"),
            ("vsd", "application/vnd.visio"),
            ("vsdx", "application/vnd.ms-visio.drawing"),
            ("pub", "application/x-mspublisher"),
            ("mpp", "application/vnd.ms-project"),
            ("hwp", "application/x-hwp"),
            ("xps", "application/vnd.ms-xpsdocument"),
            ("oxps", "application/vnd.ms-xpsdocument"),
            ("odg", "application/vnd.oasis.opendocument.graphics"),
            ("dbf", "application/x-dbf"),
            ("mdb", "application/x-msaccess"),
            ("accdb", "application/x-msaccess"),
            ("sqlite", "application/vnd.sqlite3"),
            ("wmf", "image/wmf"),
            ("emf", "image/emf"),
            ("psd", "image/vnd.adobe.photoshop"),
            ("svg", "image/svg+xml"),
            ("flac", "audio/flac"),
            ("avi", "video/x-msvideo"),
            ("mkv", "video/x-matroska"),
            ("chm", "application/vnd.ms-htmlhelp"),
            ("ics", "text/calendar"),
            ("vcf", "text/vcard"),
        )
    },
}


def extension_of(name: str) -> str:
    """The lower-case extension, without its dot; empty where there is none."""
    stem, dot, extension = name.rpartition(".")
    return extension.lower() if dot and stem and "/" not in extension and "\\" not in extension else ""


def name_hint(name: str) -> str:
    """The part of a name that can change what detection says: empty for most names."""
    return _HINTS.get(extension_of(name), "")


def expected_types(name: str) -> frozenset[str]:
    """The types that a well-known extension stands for; empty where any type will do."""
    return _EXPECTED.get(extension_of(name), frozenset())


def is_own_type(media_type: str) -> bool:
    """Whether it is of our making, such as a record of a load file, which is called like the file it speaks of."""
    return media_type.startswith("application/vnd.redwell.")
