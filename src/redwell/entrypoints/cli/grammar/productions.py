"""The options of `redwell export`, `production` and `redaction`. Used by the command line's grammar."""

import argparse
from collections.abc import Callable
from typing import Any

Add = Callable[[Any, str, str, str], argparse.ArgumentParser]


def describe_export(export: argparse.ArgumentParser) -> None:
    export.add_argument("--query", required=True, metavar="QUERY", help="which documents; '' means all")
    export.add_argument("-o", "--output", required=True, metavar="DIR", help="a new folder, or one that was begun")
    export.add_argument("--pdf", action="store_true", help="also one PDF of all, with bookmarks; makes what is lacking")
    export.add_argument("--no-natives", action="store_true", help="without the files themselves")
    export.add_argument("--no-text", action="store_true", help="without their texts")


def describe_create(create: argparse.ArgumentParser) -> None:
    create.add_argument("--query", required=True, metavar="QUERY", help="which documents; '' means all")
    create.add_argument("--name", required=True, metavar="NAME", help="of the production")
    create.add_argument("--prefix", required=True, metavar="ABC", help="before the digits of each number")
    create.add_argument("--padding", type=int, default=6, metavar="N", help="digits of a number (6)")
    create.add_argument("--start", type=int, metavar="N", help="the first number; else the next that is free")
    create.add_argument("--by", choices=("page", "document"), default="page", help="what a number is of")
    create.add_argument("--designation", default="", metavar="TEXT", help="stamped on each page, such as CONFIDENTIAL")
    create.add_argument(
        "--natives",
        choices=("none", "spreadsheets", "all"),
        default="spreadsheets",
        help="which go out as they are: spreadsheets and recordings in place of pages, or all besides their pages",
    )
    create.add_argument("--withhold", action="append", default=[], metavar="TAG", help="a page stands for what has it")
    create.add_argument("--forbid", action="append", default=[], metavar="TAG", help="a tag that must not go out")
    create.add_argument(
        "--families", choices=("whole", "hits"), default="whole", help="with all members of a family, or hits alone"
    )
    create.add_argument("--no-render", action="store_true", help="make no PDFs: what has none gets a page that says so")


def describe_check(check: argparse.ArgumentParser) -> None:
    check.add_argument("name", metavar="NAME", help="of the production")
    check.add_argument("--accept", action="append", default=[], metavar="CODE", help="a code or a control number")


def describe_write(write: argparse.ArgumentParser) -> None:
    describe_check(write)
    write.add_argument("-o", "--output", required=True, metavar="DIR", help="a new folder; what has the name is whole")
    presets = ("relativity", "nuix", "concordance", "doj", "nextpoint")
    write.add_argument("--preset", choices=presets, default="relativity", help="for whom it is (relativity)")
    write.add_argument("--volume", default="VOL001", metavar="NAME", help="of the folder inside (VOL001)")
    write.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="change what the preset says"
    )
    write.add_argument(
        "--confirm-elsewhere",
        action="store_true",
        help="words that are redacted in one family may stand in documents of others",
    )


def describe_bulk(bulk: argparse.ArgumentParser) -> None:
    bulk.add_argument("--query", required=True, metavar="QUERY", help="in which documents")
    bulk.add_argument("--term", action="append", default=[], metavar="WORDS", help="words that follow each other")
    bulk.add_argument("--pattern", action="append", default=[], metavar="REGEX", help="a regular expression")
    bulk.add_argument("--reason", default="", metavar="TEXT", help="why, on each box and in the log")
    bulk.add_argument("--preview", action="store_true", help="only say what is found")


def add_productions(commands: Any, command: Add, cased: Add) -> list[argparse.ArgumentParser]:
    """Every command that changes settings with --set."""
    export = cased(
        commands,
        "export",
        "write a selection into a folder: natives, texts, a table, a PDF",
        "volumes.exporting.run_export",
    )
    describe_export(export)
    group = command(commands, "production", "documents that go out to others, numbered and checked", "")
    actions = group.add_subparsers(metavar="ACTION", required=True, dest="action", help="what to do")
    create = cased(
        actions, "create", "freeze a set with its families and issue its numbers", "volumes.producing.run_create"
    )
    describe_create(create)
    check = cased(actions, "check", "what stands against letting it go; changes nothing", "volumes.producing.run_check")
    describe_check(check)
    listed = cased(actions, "list", "every production of the case", "volumes.producing.run_list")
    show = cased(actions, "show", "its documents with their numbers", "volumes.producing.run_show")
    show.add_argument("name", metavar="NAME", help="of the production")
    write = cased(actions, "write", "write it as a volume, read back and looked through", "volumes.producing.run_write")
    describe_write(write)
    return [export, create, check, listed, show, write, *_redactions(commands, command, cased)]


def _redactions(commands: Any, command: Add, cased: Add) -> list[argparse.ArgumentParser]:
    group = command(commands, "redaction", "places on pages that are hidden from others", "")
    actions = group.add_subparsers(metavar="ACTION", required=True, dest="action", help="what to do")
    add = cased(actions, "add", "draw the boxes of a file (JSON), as one change", "volumes.redacting.run_add")
    add.add_argument("file", metavar="FILE", help="a list of document, page, left, top, right, bottom, reason")
    bulk = cased(actions, "bulk", "draw boxes over terms or patterns, as one change", "volumes.redacting.run_bulk")
    describe_bulk(bulk)
    listed = cased(actions, "list", "every change, or the boxes of a document", "volumes.redacting.run_list")
    listed.add_argument("number", nargs="?", metavar="NUMBER", help="a document's control number")
    undo = cased(actions, "undo", "take back a change, as one", "volumes.redacting.run_undo")
    undo.add_argument("change", type=int, metavar="CHANGE", help="its number")
    return [add, bulk, listed, undo]
