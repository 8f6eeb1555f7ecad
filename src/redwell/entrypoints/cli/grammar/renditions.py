"""The options of `redwell render` and `redwell get`. Used by the command line's grammar."""

import argparse

HANDED_OUT = {
    "native": "as it came in (so without any of these)",
    "text": "its text, with what was recognised",
    "pdf": "its PDF; where none can be made, a page that says so",
    "flattened": "its PDF with notes, forms and signatures merged into the pages",
    "searchable": "its PDF with the recognised text behind the pictures",
    "loadfile": "of a volume: all its records as one load file, with the names of their fields",
    "metadata": "what `documents --json` says of it",
}
OF_A_PAGE = {
    "page": "the image of this page",
    "cleaned": "of a page that was read again: the picture as it was cleaned for that",
    "other": "of a page that was read again: the text of the reading that was not kept",
}


def describe_render(render: argparse.ArgumentParser) -> None:
    render.add_argument("numbers", nargs="*", metavar="NUMBER", help="of these exhibits; of all when none is named")
    render.add_argument(
        "--kind", action="append", choices=("pdf", "pages", "ocr"), help="only this; may be said more than once"
    )


def describe_get(get: argparse.ArgumentParser) -> None:
    get.add_argument("number", metavar="NUMBER", help="its control number")
    what = get.add_mutually_exclusive_group()
    for name, help_ in HANDED_OUT.items():
        what.add_argument(f"--{name}", action="store_true", help=help_)
    what.add_argument("--file", metavar="PATH", help="of a volume: one of its files, such as its load file, as it came")
    for name, help_ in OF_A_PAGE.items():
        what.add_argument(f"--{name}", type=int, metavar="N", help=help_)
    get.add_argument("-o", "--output", metavar="FILE", help="a file or a folder to put it into; else to stdout")
    get.add_argument("--force", action="store_true", help="write over a file that is there")
