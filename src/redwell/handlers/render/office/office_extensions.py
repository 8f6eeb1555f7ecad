"""By which extension LibreOffice knows a type whose content it does not know by itself. Called in a child."""

_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_SLIDES = "application/vnd.openxmlformats-officedocument.presentationml."
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml."
_OPEN = "application/vnd.oasis.opendocument."
_SUN = "application/vnd.sun.xml."
_STAR = "application/vnd.stardivision."
_MS = "application/vnd.ms-"
_EXTENSIONS = {
    "application/msword": "doc",
    "application/rtf": "rtf",
    "application/x-mspublisher": "pub",
    "application/vnd.visio": "vsd",
    "application/vnd.wordperfect": "wpd",
    "image/emf": "emf",
    "image/wmf": "wmf",
    f"{_WORD}document": "docx",
    f"{_WORD}template": "dotx",
    f"{_SLIDES}presentation": "pptx",
    f"{_SLIDES}slideshow": "ppsx",
    f"{_SLIDES}template": "potx",
    f"{_SHEET}sheet": "xlsx",
    f"{_SHEET}template": "xltx",
    **{f"{_MS}word.{kind}.macroenabled.12": each for kind, each in (("document", "docm"), ("template", "dotm"))},
    **{
        f"{_MS}powerpoint.{kind}.macroenabled.12": each
        for kind, each in (("presentation", "pptm"), ("slideshow", "ppsm"), ("template", "potm"))
    },
    **{
        f"{_MS}excel.{kind}.macroenabled.12": each
        for kind, each in (("sheet", "xlsm"), ("template", "xltm"), ("addin", "xlam"), ("sheet.binary", "xlsb"))
    },
    f"{_MS}powerpoint": "ppt",
    f"{_MS}excel": "xls",
    f"{_MS}works": "wps",
    f"{_MS}wordml": "xml",
    f"{_MS}spreadsheetml": "xml",
    f"{_MS}visio.drawing": "vsdx",
    **{f"{_OPEN}{kind}": f"od{kind[0]}" for kind in ("text", "spreadsheet", "presentation", "graphics")},
    **{f"{_OPEN}{kind}-template": f"ot{kind[0]}" for kind in ("text", "spreadsheet", "presentation", "graphics")},
    **{f"{_OPEN}{kind}-flat-xml": f"fod{kind[0]}" for kind in ("text", "spreadsheet", "presentation", "graphics")},
    f"{_OPEN}text-master": "odm",
    f"{_OPEN}text-web": "oth",
    f"{_OPEN}chart": "odc",
    f"{_OPEN}formula": "odf",
    f"{_SUN}writer": "sxw",
    f"{_SUN}writer.global": "sxg",
    f"{_SUN}writer.template": "stw",
    f"{_SUN}calc": "sxc",
    f"{_SUN}calc.template": "stc",
    f"{_SUN}draw": "sxd",
    f"{_SUN}impress": "sxi",
    f"{_SUN}impress.template": "sti",
    f"{_SUN}math": "sxm",
    f"{_STAR}writer": "sdw",
    f"{_STAR}calc": "sdc",
    f"{_STAR}draw": "sda",
}


def extension_of(media_type: str) -> str:
    """Never that of the name: LibreOffice would believe it."""
    return _EXTENSIONS.get(media_type, "")
